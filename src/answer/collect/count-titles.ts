// Counts how rare words are among the titles that this service stores. The matcher was trained on other shops' titles: to it,
// an unseen brand looks like a word that distinguishes two products. So a sample of the stored titles is added to its counts.
// That happens at most once a week, because the versions of model and table are part of what an answer was made from (D56).

import { DAY_MS, HOUR_MS, type Clock } from '../../base/clock.ts';
import type { Store } from '../../data/store.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';

/** Titles counted: a fifth of those that the model was trained with, enough to include every common word. */
const SAMPLE = 5_000;
/** Fewer titles do not show which words are common. */
const LEAST = 1_000;
/** Titles read or counted at a time, in 2 to 3 ms. Requests are answered in between. */
const PAGE = 50;
const RETRY_AFTER_MS = HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday of 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

type OwnTitlesParts = {
  readonly store: Pick<Store, 'listings'>;
  /** Loaded when there are titles to count. */
  readonly matching: Pick<MatchingLater, 'load'>;
  readonly clock: Clock;
};

/**
 * Counts the titles of up to 5,000 stored products into the matcher's table, one for each barcode. Resolves to the number
 * counted. With fewer than 1,000 titles that is 0, and the table remains as shipped.
 */
async function learnOwnTitles(
  { store, matching: later, clock }: OwnTitlesParts,
  stop?: AbortSignal,
): Promise<number> {
  // Taken before counting: a count that runs into the next week must not take the next table's number.
  const week = weekOf(clock.now());
  const seen = new Map<string, string>();
  let after = '';
  while (seen.size < SAMPLE) {
    stop?.throwIfAborted();
    const page = await store.listings.findSample(after, PAGE);
    for (const { id, listing, signals } of page) {
      const product = listing.gtin ?? id;
      if (listing.title === null || seen.has(product)) continue;
      // The shop does not allow models to be trained with its pages (D83).
      if (signals?.aiTrain === false) continue;
      seen.set(product, listing.title);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.id;
    await clock.sleep(0, stop);
  }
  if (seen.size < LEAST) return 0;
  const matching = await later.load();
  const count = matching.titleCount();
  let counted = 0;
  for (const title of seen.values()) {
    if (counted % PAGE === 0) await clock.sleep(0, stop);
    count.add(title);
    counted += 1;
  }
  matching.learn(count, week);
  return seen.size;
}

/** Returns the number of a table learned at this time: year and ISO week, 202647. */
function weekOf(nowMs: number): number {
  // An ISO week belongs to the year of its Thursday.
  const thursday = new Date(mondayOf(nowMs) + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS;
  return year * 100 + 1 + Math.floor(days / 7);
}

function mondayOf(nowMs: number): number {
  return nowMs - ((((nowMs - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS);
}

/**
 * Counts at once, then at the start of every week (Monday, UTC) until `stop` aborts, so that answers about the same
 * listings change no more often. A failure is reported, and retried an hour later.
 */
export async function keepLearningTitles(
  parts: OwnTitlesParts & { readonly onError: (error: unknown) => void },
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    const nextMonday = mondayOf(parts.clock.now()) + WEEK_MS;
    const isDone = await learnOwnTitles(parts, stop).then(
      () => true,
      (error: unknown) => {
        if (stop.aborted) throw error;
        parts.onError(error);
        return false;
      },
    );
    const wait = isDone ? nextMonday - parts.clock.now() : RETRY_AFTER_MS;
    await parts.clock.sleep(Math.max(1, wait), stop);
  }
}
