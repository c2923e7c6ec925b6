// What a caller may ask for beside the base record and what is fetched for it: live offers, and the reviews that
// come with them (D17, D30, D31).

import { summarizeReviews, type ReviewsInHand } from '../domain/review-summary.ts';
import type { Product } from '../domain/product.ts';
import type { ItemReviews } from './item-reviews.ts';
import type { AddOffers } from './live-offers.ts';

export type AddOnsAsked = {
  readonly offers: boolean;
  /** Never without offers. */
  readonly reviews: boolean;
};

/** The product with what was asked for. Throws 503 `offers_unavailable`. */
export type AddOns = (
  product: Product,
  asked: AddOnsAsked,
  signal: AbortSignal,
) => Promise<Product>;

export function createAddOns(addOffers: AddOffers, itemReviews: ItemReviews): AddOns {
  return async (product, asked, signal) => {
    if (!asked.offers) return product;
    const withOffers = await addOffers(product, signal);
    if (!asked.reviews) return withOffers;
    return { ...withOffers, reviews: await reviewsOf(itemReviews, product, signal) };
  };
}

const ALWAYS = { from: null, to: null } as const;

/**
 * Months are known of retailer_w only. Elsewhere, and where its reviews cannot be read now, what the anchor's own
 * page states stands alone: reviews, unlike offers, need not be of this moment.
 */
async function reviewsOf(
  itemReviews: ItemReviews,
  product: Product,
  signal: AbortSignal,
): Promise<ReviewsInHand> {
  const { itemId, anchor } = product;
  if (anchor.retailer === 'retailer_w' && itemId !== null) {
    const held = await itemReviews.held(itemId, ALWAYS);
    const found = held ?? (await itemReviews.fetched(itemId, ALWAYS, signal));
    if ('summary' in found) return found;
  }
  const published = {
    average: product.averageRating,
    total: product.reviewCount,
    distribution: product.ratingDistribution,
  };
  return { summary: summarizeReviews([], published, false), top: [] };
}
