// The instant under which history keeps what a fetch saw: the whole second. Milliseconds of a fetch say nothing about a price,
// and were two thirds of what its history costs. The listing keeps its own time exactly. Pure.

import { SECOND_MS } from '../../base/clock.ts';

/** The start of the second. */
export function wholeSecond(atMs: number): number {
  return atMs - (((atMs % SECOND_MS) + SECOND_MS) % SECOND_MS);
}

type Held = readonly { readonly observedAtMs: number }[];

/**
 * The instant for a fetch that is about to be stored: the whole second. If the listing already has an observation in that
 * second both stay, in the order in which they are stored: the later one keeps its milliseconds. `insertFetched` of the store
 * says the same as a statement.
 */
export function instantToRecord(fetchedAtMs: number, held: Held): number {
  const second = wholeSecond(fetchedAtMs);
  const last = held.reduce(
    (newest, { observedAtMs }) =>
      wholeSecond(observedAtMs) === second ? Math.max(newest, observedAtMs) : newest,
    Number.NEGATIVE_INFINITY,
  );
  if (last < second) return second;
  return last > fetchedAtMs ? last + 1 : fetchedAtMs;
}

/** The instant under which a listing's newest fetch, which is already stored, is recorded. */
export function recordedInstant(fetchedAtMs: number, held: Held): number {
  return held.some(({ observedAtMs }) => observedAtMs === fetchedAtMs)
    ? fetchedAtMs
    : wholeSecond(fetchedAtMs);
}
