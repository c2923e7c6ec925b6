// How rare words are among what this service holds itself: the matcher was trained on other shops' titles, and takes a
// brand that it never saw for a word that tells two products apart. So a sample of the held titles is counted in.

import type { Clock } from '../core/clock.ts';
import type { Store } from '../store/store.ts';
import type { Matching } from '../matching/matcher.ts';

/** A fifth of the titles that the model was trained with: enough to know every common word. */
const SAMPLE = 5_000;
/** Fewer do not show which words are common. */
const LEAST = 1_000;
/** A page is read and counted in 2 to 3 ms, and requests are answered in between. */
const PAGE = 50;
const AGAIN_AFTER_MS = 3_600_000;

export type OwnTitlesParts = {
  readonly store: Pick<Store, 'listings'>;
  readonly matching: Matching;
  readonly clock: Clock;
};

/**
 * Counts the titles of up to 5,000 held products into the matcher's table, one for each barcode. Resolves with how many
 * were counted: 0 with fewer than 1,000, and the table stays as it was shipped.
 */
export async function learnOwnTitles(
  { store, matching, clock }: OwnTitlesParts,
  stop?: AbortSignal,
): Promise<number> {
  const count = matching.titleCount();
  const seen = new Set<string>();
  let after = '';
  while (seen.size < SAMPLE) {
    stop?.throwIfAborted();
    const page = await store.listings.findSample(after, PAGE);
    for (const { id, listing } of page) {
      const product = listing.gtin ?? id;
      if (listing.title === null || seen.has(product)) continue;
      seen.add(product);
      count.add(listing.title);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.id;
    await clock.sleep(0, stop);
  }
  if (seen.size < LEAST) return 0;
  matching.learn(count);
  return seen.size;
}

/** Counts at once, then every hour until `stop` aborts. A failure is reported, and the next hour tries again. */
export async function keepLearningTitles(
  parts: OwnTitlesParts & { readonly onError: (error: unknown) => void },
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    await learnOwnTitles(parts, stop).catch((error: unknown) => {
      if (stop.aborted) throw error;
      parts.onError(error);
    });
    await parts.clock.sleep(AGAIN_AFTER_MS, stop);
  }
}
