// `offers`, in the formats of retailer_w and of retailer_a, and the `review_summary` that comes with them (D30, D31):
// schemas and their presentation.

import { z } from 'zod';

import type { Money } from '../../../base/listing/money/minor-units.ts';
import { CONDITIONS, shownOfferCents, type Offer } from '../../../base/listing/offer.ts';
import type { LiveOffers, Product } from '../../../rules/product/product.ts';
import { distributionOf, RatingDistribution } from './reviews.ts';
import { amount, count, day, flag, text } from '../fields.ts';
import { amountOrNull } from '../hundredths.ts';

/** Fields common to both formats. */
const shared = {
  seller_id: text(
    'The ID of the seller: at retailer_w the public number, otherwise the 32 characters; at ' +
      'retailer_a its own ID.',
  ),
  seller_name: text('The name of the seller as shown to buyers.'),
  price: amount('The price; `null` if it is in another currency, or the offer is out of stock.'),
  is_buy_box: flag(
    'Whether this is the offer behind the buy button; `null` if the list does not state it.',
  ),
  in_stock: flag('Whether the offer can be bought now.'),
  fulfilled_by_marketplace: flag('Whether the retailer ships the item for the seller.'),
  seller_type: z
    .enum(['1p', '3p'])
    .nullable()
    .meta({
      description:
        'The kind of seller. `1p`: the retailer itself. `3p`: a marketplace seller, even if the retailer ' +
        'ships the item.',
    }),
  shipping_cost: amount(
    'The shipping charge; 0 if shipping is free, `null` if it is unknown or in another currency.',
  ),
  delivery_date: day('The earliest delivery date, YYYY-MM-DD.'),
  condition: z
    .enum(CONDITIONS)
    .nullable()
    .meta({ description: 'The condition, in the vocabulary that all retailers share.' }),
  quantity_available: count('The number of pieces left, if the list states it.'),
};

export const OfferOfW = z
  .strictObject({
    ...shared,
    seller_id_hex: text("The 32 characters of the seller's ID at retailer_w."),
    fulfilled_w: flag('Whether retailer_w fulfils the offer.'),
    pro_seller: flag("Whether the seller has the retailer's Pro badge."),
    offer_id: text('The ID of the offer.'),
    max_delivery_date: day('The latest delivery date, YYYY-MM-DD.'),
    max_order_quantity: count('The maximum number of pieces per order.'),
    fulfillment_type: text('The kind of fulfilment as the list names it, in lower case.'),
    returnable: flag('Whether the item can be returned.'),
    return_window_days: count('The number of days within which the item can be returned.'),
    free_returns: flag('Whether returning the item is free.'),
  })
  .meta({
    id: 'Offer',
    description:
      'An offer of retailer_w. Offers of retailer_e have the same fields, with more of them `null`.',
  });

const OfferOfA = z
  .strictObject({
    ...shared,
    seller_id_hex: z.null().meta({ description: 'Always `null`: retailer_a has no such ID.' }),
    fulfilled_w: z
      .null()
      .meta({ description: 'Always `null`: retailer_w does not fulfil the offer.' }),
    fulfilled_a: flag('Whether retailer_a fulfils the offer.'),
  })
  .meta({ id: 'OfferOfRetailerA', description: "An offer from retailer_a's list of all sellers." });

export const OffersBody = z.array(z.union([OfferOfW, OfferOfA])).meta({
  description:
    'The live offers of `offers_retailer` in the order of its list, or of its page with the buy box ' +
    'first. Present only with `include_offers` or `include_offers_reviews`.',
});

export const ReviewSummaryBody = z
  .strictObject({
    average_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'The average rating in stars that the page states, 0 to 5.' }),
    total_reviews: count('The number of reviews that the page states.'),
    rating_distribution: RatingDistribution,
  })
  .nullable()
  .meta({ description: 'The review totals that the page states; `null` if it states none.' });

function costOf(money: Money | null, currency: string): number | null {
  return amountOrNull(money?.currency === currency ? money.cents : null, currency);
}

function sharedFields(offer: Offer, currency: string) {
  return {
    seller_id: offer.sellerId ?? offer.sellerIdHex,
    seller_name: offer.sellerName,
    price: amountOrNull(shownOfferCents(offer, currency), currency),
    is_buy_box: offer.isBuyBox,
    in_stock: offer.inStock,
    fulfilled_by_marketplace: offer.fulfilledByMarketplace,
    seller_type: offer.sellerType,
    shipping_cost: costOf(offer.shipping, currency),
    delivery_date: offer.deliveryDate,
    condition: offer.condition,
    quantity_available: offer.quantityAvailable,
  };
}

/** Presents an offer in retailer_w's format. */
export function presentOfferOfW(offer: Offer, currency: string): z.infer<typeof OfferOfW> {
  return {
    ...sharedFields(offer, currency),
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

function ofA(offer: Offer, currency: string): z.infer<typeof OfferOfA> {
  return {
    ...sharedFields(offer, currency),
    seller_id_hex: null,
    fulfilled_w: null,
    fulfilled_a: offer.fulfilledA,
  };
}

/** Both fields appear next to `offers`, and nowhere else (D64). */
export const offersFields = {
  offers_complete: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether `offers` contains every offer. Present only with `offers`. `true`: it is the ' +
        'full list of sellers, with as many offers as its stated total. `false`: it may be ' +
        'incomplete. Either it has only the offers of the product page, because no source for ' +
        'the list is configured, or it is the first part of a long list.',
    }),
  offers_retailer: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'The retailer whose offers are returned. Present only with `offers`. If a retailer without a ' +
        'marketplace supplies the price, it is the first of retailer_w, retailer_a and retailer_e that ' +
        'has the product. `null` if none of them has it, or if `retailer=` names a retailer without a ' +
        'marketplace.',
    }),
};

/** Presents offers in their retailer's format (D31). */
export function presentOffers(
  { retailer, offers }: LiveOffers,
  currency: string,
): z.infer<typeof OffersBody> {
  const present = retailer === 'retailer_a' ? ofA : presentOfferOfW;
  return offers.map((offer) => present(offer, currency));
}

/** Returns the review facts (D30); null if the page states neither average nor count. */
export function presentReviewFacts(product: Product): z.infer<typeof ReviewSummaryBody> {
  if (product.averageRating === null && product.reviewCount === null) return null;
  return {
    average_rating: product.averageRating,
    total_reviews: product.reviewCount,
    rating_distribution: distributionOf(product.ratingDistribution),
  };
}
