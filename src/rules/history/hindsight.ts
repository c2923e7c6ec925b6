// Reviews all prices of a history after each was judged by those before it: spikes that are never repeated, drops
// that were none because the level before was wrong, and first prices that set no level. Pure.

import { isOfNines } from './nines.ts';
import {
  isWithin,
  median,
  SAME_MOMENT_MS,
  SIDE,
  spacedPrices,
  type SeenPrice,
} from './price-level.ts';
import {
  ACCEPTED_MS,
  ALIKE,
  HUNDREDTH,
  SAME,
  TOO_HIGH,
  TOO_LOW,
  type SuspectReason,
} from './suspect-reason.ts';

/** Replaces `SAME` for a rise seen at one moment only: only another price this close shows that the price is ordinary. */
const SAME_MOMENT = 1.03;
/** Number of prices at the beginning of a history that set its level. */
export const FIRST = 5;

/** The reason a price is marked, by its index. */
export type SuspectPrices = ReadonlyMap<number, SuspectReason>;

/** A history, oldest first, in which each price was judged by those before it. */
export type Passed = {
  readonly prices: readonly SeenPrice[];
  readonly marks: Map<number, SuspectReason>;
  /** The index at which each era begins: a level that lasted. */
  readonly begins: readonly number[];
  /** Believed prices far above the newest ones, as at the end of a sale. */
  readonly rises: readonly number[];
  /** Large drops from a price that may have been a spike. */
  readonly doubtful: readonly number[];
};

/** Returns the remaining marks. `open` has the places of prices that are not judged. */
export function inHindsight(pass: Passed, open: ReadonlySet<number>): SuspectPrices {
  for (const place of pass.doubtful) judgeFall(pass, place);
  for (const place of [0, ...pass.rises]) judgeRise(pass, place);
  judgeBeginning(pass);
  return withEvidence(pass, open);
}

/** Unmarks a large drop from a spike if later prices do not contradict it. */
function judgeFall(pass: Passed, place: number): void {
  const after = levelBeside(pass, place, 1);
  const cents = pass.prices[place]?.priceCents ?? 0;
  if (after !== null && cents > after * TOO_LOW && pass.marks.get(place) === 'deep_fall') {
    pass.marks.delete(place);
  }
}

/**
 * Marks a price far above a sale's prices if it is not the ordinary one: the sale continues after it and the listing never
 * showed such a price otherwise.
 */
function judgeRise(pass: Passed, place: number): void {
  const { prices, marks } = pass;
  const first = prices[place];
  // A believed amount of nines is not excluded because a lower price followed (D89).
  if (first === undefined || marks.has(place) || isOfNines(first)) return;
  const before = levelBeside(pass, place, -1);
  let end = place;
  while (isWithin(prices[end + 1]?.priceCents ?? 0, first.priceCents, ALIKE)) end += 1;
  const after = levelBeside(pass, end, 1);
  if (after === null) return;
  if (first.priceCents < TOO_HIGH * Math.max(before ?? 0, after)) return;
  const lastsMs = (prices[end]?.observedAtMs ?? 0) - first.observedAtMs;
  if (lastsMs >= ACCEPTED_MS) return;
  const isMoment = lastsMs <= SAME_MOMENT_MS;
  if (before === null && !isMoment) return;
  const alike = isMoment ? SAME_MOMENT : SAME;
  const isKnown = prices.some(
    ({ priceCents }, at) =>
      (at < place || at > end) && !marks.has(at) && isWithin(priceCents, first.priceCents, alike),
  );
  if (isKnown) return;
  for (let at = place; at <= end; at += 1) {
    if (!isOfNines(prices[at] ?? first)) marks.set(at, 'above_level');
  }
}

/** Returns the median of the nearest unmarked prices on one side; null if there is none. */
function levelBeside({ prices, marks }: Passed, place: number, step: 1 | -1): number | null {
  const near: SeenPrice[] = [];
  let at = place + step;
  for (; near.length < SIDE * 2; at += step) {
    const seen = prices[at];
    if (seen === undefined) break;
    if (!marks.has(at)) near.push(seen);
  }
  const side = spacedPrices(near, { from: 0, step: 1, most: SIDE });
  return side.length === 0 ? null : median(side.map((each) => each.priceCents));
}

/**
 * Marks prices at the beginning of a history that contradict the first level that lasted 30 days: they did not set a level.
 * They are marked only if the difference is larger than normal price changes.
 */
function judgeBeginning({ prices, marks, begins }: Passed): void {
  const begin = begins[1];
  const until = prices[begin ?? 0]?.observedAtMs ?? 0;
  if (begin === undefined || until - (prices[0]?.observedAtMs ?? 0) >= ACCEPTED_MS) return;
  const first = spacedPrices(prices, { from: begin, step: 1, most: FIRST });
  const level = median(first.map((each) => each.priceCents));
  for (let place = 0; place < begin; place += 1) {
    const seen = prices[place];
    if (seen === undefined) continue;
    const cents = seen.priceCents;
    const isKnown = prices.some(
      ({ priceCents }, at) => at > begin && !marks.has(at) && isWithin(priceCents, cents, SAME),
    );
    if (marks.has(place) || isKnown || isOfNines(seen)) continue;
    if (cents <= level * HUNDREDTH) marks.set(place, 'hundredth');
    if (cents * TOO_LOW >= level) marks.set(place, 'above_level');
  }
}

/**
 * Keeps the marks supported by other prices: one price before and one after, or three on one side. A placeholder was
 * already judged against a level.
 */
function withEvidence({ prices, marks }: Passed, open: ReadonlySet<number>): SuspectPrices {
  const believed = prices.filter((_, place) => !marks.has(place) && !open.has(place));
  const spaced = spacedPrices(believed, { from: 0, step: 1, most: SIDE });
  if (spaced.length >= SIDE) return marks;
  const firstMs = believed[0]?.observedAtMs ?? Number.POSITIVE_INFINITY;
  const lastMs = believed.at(-1)?.observedAtMs ?? 0;
  const valid = [...marks].filter(([place, reason]) => {
    const atMs = prices[place]?.observedAtMs ?? 0;
    return reason === 'placeholder' || (firstMs < atMs && lastMs > atMs);
  });
  return new Map(valid);
}
