// `offers`, in the formats of retailer_w and of retailer_a, and the `review_summary` that comes with them (D30, D31):
// schemas and their presentation.

import { z } from 'zod';

import type { Money } from '../../../base/listing/money/minor-units.ts';
import { CONDITIONS } from '../../../base/listing/vocabularies/condition.ts';
import { shownOfferCents, type Offer } from '../../../base/listing/offer.ts';
import type { LiveOffers, Product } from '../../../rules/product/product.ts';
import { distributionOf, RatingDistribution } from './reviews.ts';
import { amount, count, day, flag, text } from '../fields.ts';
import { amountOrNull } from '../hundredths.ts';

/** Fields common to both formats. */
const shared = {
  seller_id: text(
    "The seller's id: at retailer_w the public number, else the 32 characters; at retailer_a its own id.",
  ),
  seller_name: text('Name of the seller as shown to buyers.'),
  price: amount('Null when out of stock, or in another currency.'),
  is_buy_box: flag('Whether it is the offer behind the buy button. Null: the list does not say.'),
  in_stock: flag('Whether it can be bought now.'),
  fulfilled_by_marketplace: flag('Whether the retailer ships it for the seller.'),
  seller_type: z.enum(['1p', '3p']).nullable().meta({
    description:
      '`1p`: sold by the retailer itself. `3p`: sold by a marketplace seller, even if the retailer ships it.',
  }),
  shipping_cost: amount('0: free, null: not known, or in another currency.'),
  delivery_date: day('Earliest delivery, YYYY-MM-DD.'),
  condition: z
    .enum(CONDITIONS)
    .nullable()
    .meta({ description: 'Condition, in the words that all retailers share.' }),
  quantity_available: count('Pieces left, if the list states it.'),
};

export const OfferOfW = z
  .strictObject({
    ...shared,
    seller_id_hex: text("The 32 characters of retailer_w's seller id."),
    fulfilled_w: flag('Whether retailer_w fulfils it.'),
    pro_seller: flag("Whether the seller has the retailer's Pro badge."),
    offer_id: text('Id of the offer.'),
    max_delivery_date: day('Latest delivery, YYYY-MM-DD.'),
    max_order_quantity: count('Maximum pieces per order.'),
    fulfillment_type: text('Fulfilment as the list names it, in lower case.'),
    returnable: flag('Whether it can be returned.'),
    return_window_days: count('Days within which it can be returned.'),
    free_returns: flag('Whether returning it is free.'),
  })
  .meta({
    id: 'Offer',
    description:
      'An offer of retailer_w. Offers of retailer_e have this shape too, with more fields null.',
  });

const OfferOfA = z
  .strictObject({
    ...shared,
    seller_id_hex: z.null().meta({ description: 'Always null: retailer_a has no such id.' }),
    fulfilled_w: z.null().meta({ description: 'Always null: retailer_w does not fulfil it.' }),
    fulfilled_a: flag('Whether retailer_a fulfils it.'),
  })
  .meta({ id: 'OfferOfRetailerA', description: "An offer of retailer_a's list of all sellers." });

export const OffersBody = z.array(z.union([OfferOfW, OfferOfA])).meta({
  description:
    'Live offers of `offers_retailer` in the order of its list, or of its page, the buy box first; only with ' +
    '`include_offers` or `include_offers_reviews`.',
});

export const ReviewSummaryBody = z
  .strictObject({
    average_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Average stars that the page states, 0 to 5.' }),
    total_reviews: count('Number of reviews that the page states.'),
    rating_distribution: RatingDistribution,
  })
  .nullable()
  .meta({ description: 'Review totals that the page states; null when it states none.' });

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
        'Only with `offers`. `true`: the list of all sellers, and every offer that it counts. `false`: what the product ' +
        'page states, because no source for the list is configured, or the first part of a long list.',
    }),
  offers_retailer: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'Only with `offers`: the retailer whose offers they are. Where a retailer without a marketplace supplies ' +
        'the price, the first of retailer_w, retailer_a and retailer_e that has the product is asked. Null: none ' +
        'has it, or `retailer=` names one without a marketplace.',
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
