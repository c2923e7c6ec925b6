// Recognizes prices that nobody was meant to pay (D68): slips and placeholders as whole runs, and deep falls until a second
// fetch repeats them. They stay stored and are marked, so that no figure includes them (docs/price-glitches.md). Pure.

import { DAY_MS, HOUR_MS } from '../core/clock.ts';
import {
  createLevelTracker,
  isWithin,
  median,
  SAME_MOMENT_MS,
  SIDE,
  spacedPrices,
  type LevelTracker,
  type SeenPrice,
} from './price-level.ts';
import {
  ABOVE_USUAL,
  HUNDREDTH,
  isHundredthOf,
  isPlaceholder,
  LEAST_CURRENCY_RATIO,
  reasonAgainst,
  TOO_HIGH,
  TOO_LOW,
  type SuspectReason,
} from './suspect-reason.ts';

/** A run of slips that lasts this long is the listing's new price. */
const ACCEPTED_MS = 30 * DAY_MS;
/** A deep fall that is seen again after this time is a deal. */
const REPEATED_MS = HOUR_MS;
/** The prices of one run are at most this many times each other. So is another retailer's price that supports it. */
const ALIKE = 2;
/** A price this near to the last of a run belongs to it, even if it would be believed alone. */
const SAME = 1.1;
/** In place of `SAME` for a rise seen at one moment only: just another price this near shows that the price is ordinary. */
const SAME_MOMENT = 1.03;
/** A price counts as back after a slip if it is at most this many times what it was before. */
const BACK = 1.5;
/** A price before a sale and one after it count as the same within this factor. */
const ABOUT = 1.25;
/** Number of prices at the beginning of a history that set its level. */
const FIRST = 5;

/** Why a price is marked, by its index. */
export type SuspectPrices = ReadonlyMap<number, SuspectReason>;

type Run = {
  readonly reason: SuspectReason;
  readonly places: number[];
  /** The level before a deep fall that was repeated; from then on the prices of the run are believed too. Null until then. */
  before: LevelTracker | null;
};

/** One pass over a history, oldest first. */
type Pass = {
  readonly prices: readonly SeenPrice[];
  readonly peers: readonly SeenPrice[];
  readonly marks: Map<number, SuspectReason>;
  /** Levels that the listing had before a run was accepted as its new price; the present level is the last. */
  readonly eras: LevelTracker[];
  /** The index at which each era begins. */
  readonly begins: number[];
  run: Run | null;
  /** Believed prices far above the newest ones, as at the end of a sale. */
  readonly rises: number[];
  /** Deep falls from a price that may have been a spike. */
  readonly doubtful: number[];
};

/**
 * The marked prices, and why. Prices are in cents, oldest first. `peers` are believed prices of the same product at the others
 * of the seven retailers, oldest first. A slip is believed if one of them comes within a factor of two of it.
 */
export function suspectPrices(
  prices: readonly SeenPrice[],
  peers: readonly SeenPrice[] = [],
): SuspectPrices {
  const start = isCalm(prices) ? null : startOf(prices);
  if (start === null) return new Map();
  const pass: Pass = {
    prices,
    peers,
    marks: new Map(),
    eras: [createLevelTracker(start)],
    begins: [0],
    run: null,
    rises: [],
    doubtful: [],
  };
  for (const place of prices.keys()) judge(pass, place);
  for (const place of pass.doubtful) judgeFall(pass, place);
  for (const place of [0, ...pass.rises]) judgeRise(pass, place);
  judgeBeginning(pass);
  return withEvidence(pass);
}

/** Whether no price of a history is far enough from another to be suspect. That is so for nearly every listing. */
function isCalm(prices: readonly SeenPrice[]): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  let placeholder = 0;
  for (const { priceCents } of prices) {
    low = Math.min(low, priceCents);
    high = Math.max(high, priceCents);
    if (isPlaceholder(priceCents)) placeholder = Math.max(placeholder, priceCents);
  }
  return high < low * LEAST_CURRENCY_RATIO && placeholder < low * ABOVE_USUAL;
}

/**
 * The level that a history begins with, without placeholders: its first price, unless the next ones contradict only that one.
 * Null without a price.
 */
function startOf(prices: readonly SeenPrice[]): number | null {
  const real = prices.filter((each) => !isPlaceholder(each.priceCents));
  const held = real.length > 0 ? real : prices;
  const first = spacedPrices(held, { from: 0, step: 1, most: FIRST }).map(
    (each) => each.priceCents,
  );
  const [alone] = first;
  if (alone === undefined) return null;
  const level = median(first);
  const isContradicted = (by: number): boolean => by >= alone * TOO_HIGH || alone * TOO_LOW >= by;
  return isContradicted(first[1] ?? alone) && isContradicted(level) ? level : alone;
}

function judge(pass: Pass, place: number): void {
  const seen = pass.prices[place];
  if (seen === undefined) return;
  if (belongsTo(pass, seen)) {
    extend(pass, place);
    return;
  }
  const { run } = pass;
  endRun(pass, seen);
  const reason = carriedOn(pass, run, seen) ?? reasonAt(pass, seen);
  if (reason === null) {
    believe(pass, place);
    return;
  }
  const era = eraOf(pass);
  const least = Math.min(era.level().lowest, era.last()?.priceCents ?? era.recent());
  const isDoubtful = reason === 'deep_fall' && seen.priceCents > least * TOO_LOW;
  if (isDoubtful) pass.doubtful.push(place);
  pass.run = { reason, places: [], before: null };
  extend(pass, place);
}

function eraOf({ eras }: Pass): LevelTracker {
  const era = eras.at(-1);
  if (era === undefined) throw new Error('a pass begins with one era');
  return era;
}

/** Why a price contradicts the present level. A price that goes back to an earlier level of the listing does not. */
function reasonAt(pass: Pass, { priceCents, observedAtMs }: SeenPrice): SuspectReason | null {
  const era = eraOf(pass);
  const recent = era.recent();
  const before = era.last();
  const last = before?.priceCents ?? recent;
  const isNear =
    priceCents < Math.max(recent, last) * ABOVE_USUAL &&
    priceCents > Math.max(recent, last) * TOO_LOW;
  if (isNear) return null;
  const days = before === null ? 0 : (observedAtMs - before.observedAtMs) / DAY_MS;
  const reason = reasonAgainst(priceCents, { ...era.level(), last, days });
  if (reason === null) return null;
  const isUp = priceCents > recent && reason !== 'placeholder';
  if (isUp && isShown(era, priceCents)) return null;
  const former = pass.eras.find(
    (each) =>
      isWithin(priceCents, each.recent(), ALIKE) || isWithin(priceCents, each.level().usual, ALIKE),
  );
  if (former === undefined || former === era) return reason;
  pass.eras.splice(pass.eras.indexOf(former), 1);
  pass.eras.push(former);
  return null;
}

function isShown(era: LevelTracker, priceCents: number): boolean {
  return era.hasShown((cents) => isWithin(priceCents, cents, ABOUT));
}

/**
 * A slip goes on while its price changes, as when a sale ends below it: a next price that is not back at the level is a slip
 * too. Null if the price is back, or no slip went before.
 */
function carriedOn(pass: Pass, run: Run | null, { priceCents }: SeenPrice): SuspectReason | null {
  if (run === null || run.before !== null || run.reason === 'deep_fall') return null;
  const slipped = pass.prices[run.places[0] ?? 0]?.priceCents ?? 0;
  // A run that was accepted, or supported by another retailer, has become the level.
  if (!pass.marks.has(run.places[0] ?? 0)) return null;
  const era = eraOf(pass);
  const { recent, high } = era.level();
  const last = era.last()?.priceCents ?? recent;
  const isStill =
    slipped > recent
      ? priceCents >= ABOVE_USUAL * Math.max(recent, high, last) && !isShown(era, priceCents)
      : priceCents <= TOO_LOW * recent;
  return isStill ? run.reason : null;
}

function belongsTo(pass: Pass, seen: SeenPrice): boolean {
  const { run, prices } = pass;
  if (run === null) return false;
  const first = prices[run.places[0] ?? 0]?.priceCents ?? 0;
  const last = prices[run.places.at(-1) ?? 0]?.priceCents ?? 0;
  if (!isWithin(seen.priceCents, first, ALIKE)) return false;
  return isWithin(seen.priceCents, last, SAME) || reasonAt(pass, seen) !== null;
}

function extend(pass: Pass, place: number): void {
  const { run, prices, marks } = pass;
  const seen = prices[place];
  if (run === null || seen === undefined) return;
  run.places.push(place);
  if (run.before !== null) {
    believe(pass, place);
    return;
  }
  marks.set(place, run.reason);
  const lastsMs = seen.observedAtMs - (prices[run.places[0] ?? 0]?.observedAtMs ?? 0);
  if (run.reason === 'deep_fall') {
    if (lastsMs < REPEATED_MS) return;
    run.before = eraOf(pass).copy();
    for (const each of run.places) believe(pass, each);
  } else if (lastsMs >= ACCEPTED_MS || isSupported(pass, run)) {
    pass.eras.push(createLevelTracker(seen.priceCents));
    pass.begins.push(run.places[0] ?? place);
    for (const each of run.places) believe(pass, each);
    pass.run = null;
  }
}

/** Whether another retailer's price comes within a factor of two of the run while it lasts. */
function isSupported({ prices, peers }: Pass, { places }: Run): boolean {
  const first = prices[places[0] ?? 0];
  const last = places.at(-1) ?? 0;
  if (first === undefined || peers.length === 0) return false;
  const untilMs = prices[last + 1]?.observedAtMs ?? Number.POSITIVE_INFINITY;
  return peers.some(
    ({ observedAtMs, priceCents }) =>
      // A price that another retailer stated shortly before may still apply.
      observedAtMs >= first.observedAtMs - DAY_MS &&
      observedAtMs < untilMs &&
      isWithin(priceCents, first.priceCents, ALIKE),
  );
}

/**
 * Ends the present run. A deep fall that was repeated was still a lost decimal point if it is a hundredth of the price after
 * it.
 */
function endRun(pass: Pass, after: SeenPrice): void {
  const { run, prices, marks } = pass;
  pass.run = null;
  if (run === null || run.before === null) return;
  // If the price does not come back to what it was, a hundredth of it is a coincidence.
  if (!isWithin(after.priceCents, run.before.last()?.priceCents ?? 0, BACK)) return;
  const isSlip = run.places.some((place) => {
    const seen = prices[place];
    if (seen === undefined) return false;
    const days = (after.observedAtMs - seen.observedAtMs) / DAY_MS;
    return isHundredthOf(seen.priceCents, after.priceCents, days);
  });
  if (!isSlip) return;
  pass.eras.splice(-1, 1, run.before);
  for (const place of run.places) marks.set(place, 'hundredth');
}

function believe(pass: Pass, place: number): void {
  const seen = pass.prices[place];
  if (seen === undefined) return;
  pass.marks.delete(place);
  const era = eraOf(pass);
  if (seen.priceCents >= era.recent() * TOO_HIGH) pass.rises.push(place);
  era.add(seen);
}

/** Unmarks a deep fall from a spike if the prices after it do not contradict it. */
function judgeFall(pass: Pass, place: number): void {
  const after = levelBeside(pass, place, 1);
  const cents = pass.prices[place]?.priceCents ?? 0;
  if (after !== null && cents > after * TOO_LOW && pass.marks.get(place) === 'deep_fall') {
    pass.marks.delete(place);
  }
}

/**
 * A price far above a sale's prices may be the ordinary one. It is not if the sale goes on after it and the listing never
 * showed such a price otherwise.
 */
function judgeRise(pass: Pass, place: number): void {
  const { prices, marks } = pass;
  const first = prices[place];
  if (first === undefined || marks.has(place)) return;
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
  for (let at = place; at <= end; at += 1) marks.set(at, 'above_level');
}

/** The median of the nearest unmarked prices on one side; null if there is none. */
function levelBeside({ prices, marks }: Pass, place: number, step: 1 | -1): number | null {
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
 * Marks prices at the beginning of a history that contradict the first level that lasted 30 days: they were no level. They are
 * marked only if prices do not move so far.
 */
function judgeBeginning({ prices, marks, begins }: Pass): void {
  const begin = begins[1];
  const until = prices[begin ?? 0]?.observedAtMs ?? 0;
  if (begin === undefined || until - (prices[0]?.observedAtMs ?? 0) >= ACCEPTED_MS) return;
  const first = spacedPrices(prices, { from: begin, step: 1, most: FIRST });
  const level = median(first.map((each) => each.priceCents));
  for (let place = 0; place < begin; place += 1) {
    const cents = prices[place]?.priceCents ?? 0;
    const isKnown = prices.some(
      ({ priceCents }, at) => at > begin && !marks.has(at) && isWithin(priceCents, cents, SAME),
    );
    if (marks.has(place) || isKnown) continue;
    if (cents <= level * HUNDREDTH) marks.set(place, 'hundredth');
    if (cents * TOO_LOW >= level) {
      marks.set(place, isPlaceholder(cents) ? 'placeholder' : 'above_level');
    }
  }
}

/**
 * Keeps the marks that other prices support: one price before and one after, or three on one side. A placeholder is known by
 * itself, and one other price is enough.
 */
function withEvidence({ prices, marks }: Pass): SuspectPrices {
  const believed = prices.filter((_, place) => !marks.has(place));
  const spaced = spacedPrices(believed, { from: 0, step: 1, most: SIDE });
  if (spaced.length >= SIDE) return marks;
  const [first] = believed;
  const last = believed.at(-1);
  if (first === undefined || last === undefined) return new Map();
  const kept = [...marks].filter(([place, reason]) => {
    const atMs = prices[place]?.observedAtMs ?? 0;
    return reason === 'placeholder' || (first.observedAtMs < atMs && last.observedAtMs > atMs);
  });
  return new Map(kept);
}
