// Fetches the reviews of one item now. It reads the newest pages until one has nothing new, then older pages that were never
// read, a few at a time. Each page is stored as it is read. Concurrent calls share the work.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Fault } from '../../../base/fault.ts';
import type { ReviewPage } from '../../../base/listing/review.ts';
import { writeChanges } from '../../../data/answers/answer-writes.ts';
import { isCounted, reviewIdOf } from '../../../data/answers/reviews.ts';
import type { Store } from '../../../data/store.ts';
import { askRetailer, type AskParts } from './ask-retailer.ts';
import { tallied, writeTally } from '../storing/read-tally.ts';
import { STILL_FETCHING } from './failed-fetch.ts';
import { createSharedWork } from '../coordination/single-flight.ts';

type GatheredReviews =
  | { readonly kind: 'read' }
  /** Not even the first page could be read. */
  | { readonly kind: 'failed'; readonly fault: Fault };

type GatherReviews = (itemId: string, context: FetchContext) => Promise<GatheredReviews>;

type ReviewGatheringParts = AskParts & { readonly store: Store; readonly clock: Clock };

/**
 * Maximum pages fetched while a caller waits. At one request a second, six pages fit a lookup's deadline with time to
 * spare.
 */
const MAX_PAGES = 6;

export function createReviewGathering(parts: ReviewGatheringParts): GatherReviews {
  const share = createSharedWork<GatheredReviews>({ kind: 'failed', fault: STILL_FETCHING.fault });
  return (itemId, context) => share(itemId, context, (shared) => gather(parts, itemId, shared));
}

async function gather(
  parts: ReviewGatheringParts,
  itemId: string,
  context: FetchContext,
): Promise<GatheredReviews> {
  const first = await readPage(parts, itemId, 1, context);
  if (first.kind === 'failed') return first;
  if (first.kind === 'missing') return { kind: 'read' };
  const size = first.page.reviews.length;
  if (size === 0) return { kind: 'read' };
  const published = first.page.totalReviews ?? Infinity;
  let { hasNews } = first;
  let number = 1;
  for (let read = 1; read < MAX_PAGES; read += 1) {
    const stored = await parts.store.reviews.countAll(itemId);
    if (stored >= published) break;
    // Reviews are newest first. The stored ones occupy the first pages, so the first unread page follows them.
    number = hasNews ? number + 1 : Math.max(number, Math.floor(stored / size)) + 1;
    const next = await readPage(parts, itemId, number, context);
    if (next.kind !== 'read' || next.page.reviews.length === 0) break;
    ({ hasNews } = next);
  }
  return { kind: 'read' };
}

type PageRead =
  | { readonly kind: 'read'; readonly page: ReviewPage; readonly hasNews: boolean }
  /** The item has no review page. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Reads and stores one page. Totals are stored with the first page, in the same transaction as its reviews. */
async function readPage(
  parts: ReviewGatheringParts,
  itemId: string,
  number: number,
  context: FetchContext,
): Promise<PageRead> {
  const identifier = { kind: 'item_id', value: itemId, retailer: 'retailer_w' } as const;
  const question = { kind: 'reviews', identifier, page: number } as const;
  const counting = tallied(parts);
  const outcome = await askRetailer(counting, 'retailer_w', question, context);
  if (outcome.kind !== 'read' || outcome.answer.kind !== 'reviews') {
    await writeTally(parts.store, counting.tally);
    if (outcome.kind === 'miss') return { kind: 'missing' };
    return { kind: 'failed', fault: outcome.kind === 'failed' ? outcome.fault : UNREADABLE };
  }
  const { answer, fetchedAtMs, origin } = outcome;
  const page = answer.reviews;
  const counted = page.reviews.filter(isCounted);
  const hasNews = !(await parts.store.reviews.hasAll(itemId, counted.map(reviewIdOf)));
  const seen = { itemId, origin };
  const reviews = { kind: 'reviews', ...seen, reviews: counted, seenAtMs: fetchedAtMs } as const;
  const totals = { kind: 'review-totals', ...seen, page, fetchedAtMs } as const;
  const changes = number === 1 ? [reviews, totals] : [reviews];
  await writeChanges(parts.store.sql, changes, counting.tally.take());
  return { kind: 'read', page, hasNews };
}

const UNREADABLE: Fault = {
  code: 'source_unusable',
  upstream: 'upstream_bad_response',
  detail:
    'The page of reviews was fetched but could not be read. Trying again is unlikely to help.',
};
