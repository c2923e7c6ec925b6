// What a caller may ask for beside the base record: what is fetched for it (live offers with reviews: D17, D30, D31)
// and what is read from the store.

import type { AddOns } from '../domain/call-cost.ts';
import type { IdentifierMatch } from '../domain/cell.ts';
import type { Clock } from '../domain/clock.ts';
import type { HistoryInHand } from '../domain/compose.ts';
import { summarizeReviews, type ReviewsInHand } from '../domain/review-summary.ts';
import type { AddOnsInHand, Product, StoredListing } from '../domain/product.ts';
import { crossRetailer, type Awaited, type HeldCells } from './cross-retailer.ts';
import type { ItemReviews } from './item-reviews.ts';
import type { AddOffers } from './live-offers.ts';

/** Something is fetched whatever is held (D31, D33). */
export function needsFetch(asked: AddOns): boolean {
  return asksOffers(asked);
}

function asksOffers(asked: AddOns): boolean {
  return asked.includeOffers === true || asked.includeOffersReviews === true;
}

/** The product with what must be live. Throws 503 `offers_unavailable`. */
export type LiveAddOns = (product: Product, asked: AddOns, signal: AbortSignal) => Promise<Product>;

export function createLiveAddOns(addOffers: AddOffers, itemReviews: ItemReviews): LiveAddOns {
  return async (product, asked, signal) => {
    if (!asksOffers(asked)) return product;
    const withOffers = await addOffers(product, signal);
    if (asked.includeOffersReviews !== true) return withOffers;
    return { ...withOffers, reviews: await reviewsOf(itemReviews, product, signal) };
  };
}

/** What is held of a product: its cells, all its listings with the anchor first, the history it shows. */
export type HeldProduct = HeldCells & {
  readonly listings: readonly StoredListing[];
  readonly history: HistoryInHand | null;
};

/** What was asked for and is read from the store: exactly the fields that were asked for. */
export type HeldAddOns = (
  held: HeldProduct,
  asked: AddOns,
  match: IdentifierMatch,
) => Promise<AddOnsInHand>;

export function createHeldAddOns(parts: {
  readonly clock: Clock;
  readonly awaited: Awaited;
}): HeldAddOns {
  return async (held, asked, match) => {
    if (asked.includeCrossRetailer !== true) return {};
    return { crossRetailer: await crossRetailer(parts, held, match) };
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
