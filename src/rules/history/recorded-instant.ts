// Determines the instant under which the history stores a fetch: the whole second. A fetch's milliseconds say nothing about a
// price, and were two thirds of the storage cost of its history. The listing keeps its exact time. Pure.

import { SECOND_MS } from '../../base/clock.ts';

/** Rounds down to the start of the second. */
export function wholeSecond(atMs: number): number {
  return atMs - (((atMs % SECOND_MS) + SECOND_MS) % SECOND_MS);
}

type StoredInstants = readonly { readonly observedAtMs: number }[];

/**
 * Returns the instant for a fetch that is about to be stored: the whole second. If the listing already has an observation in
 * that second, both are kept in the order in which they are stored: the later one keeps its milliseconds. `insertFetched` of
 * the store implements the same rule as a statement.
 */
export function instantToRecord(fetchedAtMs: number, stored: StoredInstants): number {
  const second = wholeSecond(fetchedAtMs);
  const last = stored.reduce(
    (newest, { observedAtMs }) =>
      wholeSecond(observedAtMs) === second ? Math.max(newest, observedAtMs) : newest,
    Number.NEGATIVE_INFINITY,
  );
  if (last < second) return second;
  return last > fetchedAtMs ? last + 1 : fetchedAtMs;
}

/** Returns the instant under which a listing's newest, already stored fetch is recorded. */
export function recordedInstant(fetchedAtMs: number, stored: StoredInstants): number {
  return stored.some(({ observedAtMs }) => observedAtMs === fetchedAtMs)
    ? fetchedAtMs
    : wholeSecond(fetchedAtMs);
}
