// Reviews of one retailer_w item: the stored ones, fetched first if there are none or they are too old (D38, D42). Every review
// ever seen is kept.

import { isDoneSince } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Fault } from '../../../base/fault.ts';
import {
  summarizeReviews,
  type DayRange,
  type ProductReviews,
  type ReviewTotals,
} from '../../../rules/product/review-summary.ts';
import type { Store } from '../../../data/store.ts';
import type { AskParts } from '../../collect/asking/ask-retailer.ts';
import { FRESH_MS, STALE_MS } from '../../collect/freshness.ts';
import { createReviewGathering } from '../../collect/asking/gather-reviews.ts';

export type ItemReviews = {
  /**
   * Returns the stored reviews, unless they are older than 14 days. If they are older than a day, they are fetched again
   * after the answer.
   */
  fromStore(itemId: string, range: DayRange): Promise<ProductReviews | null>;
  /** Returns the reviews after a fetch, or the stored ones if it fails. Throws the fault if nothing is stored either. */
  fromShops(
    itemId: string,
    range: DayRange,
    context: FetchContext,
  ): Promise<ProductReviews | Fault>;
};

type ItemReviewsParts = AskParts & {
  readonly store: Store;
  readonly inBackground: (work: (context: FetchContext) => Promise<unknown>) => void;
};

const MOST_TEXTS = 10;

export function createItemReviews(parts: ItemReviewsParts): ItemReviews {
  const gather = createReviewGathering(parts);
  const { reviews } = parts.store;
  return {
    async fromStore(itemId, range) {
      const totals = await reviews.findTotals(itemId);
      if (totals === null) return null;
      const nowMs = parts.clock.now();
      const { fetchedAtMs } = totals;
      if (nowMs - fetchedAtMs > STALE_MS) return null;
      if (!isDoneSince(fetchedAtMs, nowMs - FRESH_MS, nowMs)) {
        parts.inBackground((context) => gather(itemId, context));
      }
      return storedReviews(parts.store, itemId, range);
    },
    async fromShops(itemId, range, context) {
      const gathered = await gather(itemId, context);
      const isStored = (await reviews.findTotals(itemId)) !== null;
      if (gathered.kind === 'failed' && !isStored) return gathered.fault;
      return storedReviews(parts.store, itemId, range);
    },
  };
}

async function storedReviews(
  store: Store,
  itemId: string,
  range: DayRange,
): Promise<ProductReviews> {
  const isDated = range.from !== null || range.to !== null;
  const counts = await store.reviews.countReviews(itemId, range);
  return {
    summary: summarizeReviews(counts, await publishedOf(store, itemId), isDated),
    top: await store.reviews.findNewestReviews(itemId, range, MOST_TEXTS),
  };
}

/** Returns the totals stated on the review page, else on the product page. */
async function publishedOf(store: Store, itemId: string): Promise<ReviewTotals> {
  const totals = await store.reviews.findTotals(itemId);
  const listing = (await store.listings.findListing('retailer_w', itemId))?.listing ?? null;
  return {
    average: totals?.average ?? listing?.rating ?? null,
    total: totals?.total ?? listing?.reviewCount ?? null,
    distribution: totals?.distribution ?? listing?.ratingDistribution ?? null,
  };
}
