// Offers as they stand on the wire, in the two shapes of the specification, and the summary of reviews that comes
// with them (D30, D31): schemas, and domain -> wire.

import { z } from '@hono/zod-openapi';

import { dollars, type Money } from '../listing/money.ts';
import { CONDITIONS } from '../listing/listing.ts';
import { shownOfferCents, type Offer } from '../listing/offer.ts';
import type { LiveOffers, Product } from '../product/product.ts';
import { distributionOf, RatingDistribution } from './reviews.ts';
import { count, flag, text, usd } from './fields.ts';

const day = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .nullable()
    .meta({ description: what });

/** Fields that both shapes have. */
const shared = {
  seller_id: text(
    'The public id: retailer_w’s number, else its 32 characters; retailer_a’s own id.',
  ),
  seller_name: text('Seller as shown to buyers.'),
  price: usd('USD; null out of stock.'),
  is_buy_box: flag('The offer behind the buy button. Null: the list does not say.'),
  in_stock: flag('Whether it can be bought now.'),
  fulfilled_by_marketplace: flag('The retailer ships it for its seller.'),
  seller_type: z
    .enum(['1p', '3p'])
    .nullable()
    .meta({ description: '`1p`: sold by the retailer itself, whoever ships it.' }),
  shipping_cost: usd('USD; 0 is free, null not known.'),
  delivery_date: day('Earliest delivery, YYYY-MM-DD.'),
  condition: z.enum(CONDITIONS).nullable().meta({ description: 'Canonical condition.' }),
  quantity_available: count('Pieces left, where the list says so.'),
};

export const OfferOfW = z
  .strictObject({
    ...shared,
    seller_id_hex: text('retailer_w’s 32 characters.'),
    fulfilled_w: flag('Fulfilled by retailer_w.'),
    pro_seller: flag('Has the retailer’s badge for sellers.'),
    offer_id: text('Id of the offer.'),
    max_delivery_date: day('Latest delivery, YYYY-MM-DD.'),
    max_order_quantity: count('Most pieces an order takes.'),
    fulfillment_type: text('As the list names it, in lower case.'),
    returnable: flag('Can be sent back.'),
    return_window_days: count('Days to send it back.'),
    free_returns: flag('Sending back costs nothing.'),
  })
  .openapi('Offer', { description: 'An offer of retailer_w, or of retailer_e as far as it goes.' });

const OfferOfA = z
  .strictObject({
    ...shared,
    seller_id_hex: z.null().meta({ description: 'Always null: retailer_a has no such id.' }),
    fulfilled_w: z.null().meta({ description: 'Always null: it is not retailer_w’s to fulfil.' }),
    fulfilled_a: flag('Fulfilled by retailer_a.'),
  })
  .openapi('OfferOfRetailerA', { description: 'An offer of the list of all sellers.' });

export const Offers = z.array(z.union([OfferOfW, OfferOfA])).openapi({
  description:
    'Live offers in the order of the retailer’s list; only with `include_offers`. Empty where the ' +
    'retailer has no marketplace.',
});

export const ReviewSummaryBody = z
  .strictObject({
    average_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Stars that the page states, 0 to 5.' }),
    total_reviews: count('Reviews the page states.'),
    rating_distribution: RatingDistribution,
  })
  .nullable()
  .openapi({ description: 'What the page states of its reviews; null when it states nothing.' });

function priceOf(offer: Offer): number | null {
  const cents = shownOfferCents(offer);
  return cents === null ? null : dollars(cents);
}

function costOf(money: Money | null): number | null {
  return money?.currency === 'USD' ? dollars(money.cents) : null;
}

function sharedFields(offer: Offer) {
  return {
    seller_id: offer.sellerId ?? offer.sellerIdHex,
    seller_name: offer.sellerName,
    price: priceOf(offer),
    is_buy_box: offer.isBuyBox,
    in_stock: offer.inStock,
    fulfilled_by_marketplace: offer.fulfilledByMarketplace,
    seller_type: offer.sellerType,
    shipping_cost: costOf(offer.shipping),
    delivery_date: offer.deliveryDate,
    condition: offer.condition,
    quantity_available: offer.quantityAvailable,
  };
}

/** In the shape of retailer_w. */
export function presentOfferOfW(offer: Offer): z.infer<typeof OfferOfW> {
  return {
    ...sharedFields(offer),
    seller_id_hex: offer.sellerIdHex,
    fulfilled_w: offer.fulfilledW,
    pro_seller: offer.proSeller,
    offer_id: offer.offerId,
    max_delivery_date: offer.maxDeliveryDate,
    max_order_quantity: offer.maxOrderQuantity,
    fulfillment_type: offer.fulfillmentType,
    returnable: offer.returnable,
    return_window_days: offer.returnWindowDays,
    free_returns: offer.freeReturns,
  };
}

function ofA(offer: Offer): z.infer<typeof OfferOfA> {
  return {
    ...sharedFields(offer),
    seller_id_hex: null,
    fulfilled_w: null,
    fulfilled_a: offer.fulfilledA,
  };
}

/** Offers in the shape of their retailer (D31). */
export function presentOffers({ retailer, offers }: LiveOffers): z.infer<typeof Offers> {
  return retailer === 'retailer_a' ? offers.map(ofA) : offers.map(presentOfferOfW);
}

/** D30; null when the page states neither average nor number. */
export function presentReviewFacts(product: Product): z.infer<typeof ReviewSummaryBody> {
  if (product.averageRating === null && product.reviewCount === null) return null;
  return {
    average_rating: product.averageRating,
    total_reviews: product.reviewCount,
    rating_distribution: distributionOf(product.ratingDistribution),
  };
}
