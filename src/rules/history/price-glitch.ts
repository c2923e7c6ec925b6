// Recognizes prices that were not intended (D68): slips and placeholders as whole runs, and large price drops until a
// second fetch repeats them. They remain stored but are marked, so that no figure includes them
// (docs/how/history.md). Pure.

import { DAY_MS, dayOf, HOUR_MS } from '../../base/clock.ts';
import { FIRST, inHindsight, type Passed, type SuspectPrices } from './hindsight.ts';
import { createNinesJudge, isOfNines, type NinesJudge } from './nines.ts';
import {
  createLevelTracker,
  isWithin,
  median,
  spacedPrices,
  type LevelTracker,
  type SeenPrice,
} from './price-level.ts';
import {
  ABOVE_USUAL,
  ACCEPTED_MS,
  ALIKE,
  isHundredthOf,
  LEAST_CURRENCY_RATIO,
  reasonAgainst,
  SAME,
  TOO_HIGH,
  TOO_LOW,
  type SuspectReason,
} from './suspect-reason.ts';

/** A large price drop that is seen again after this time is a deal. */
const REPEATED_MS = HOUR_MS;
/** A price has recovered from a slip if it is at most this many times the price before it. */
const BACK = 1.5;
/** Prices before and after a sale count as the same within this factor. */
const ABOUT = 1.25;

type JudgedPrices = {
  readonly marks: SuspectPrices;
  /** Amounts of nines without evidence for or against them yet (D89), by index. */
  readonly open: ReadonlySet<number>;
  /** Whether prices of other retailers could change any of this. They never affect a large drop. */
  readonly mayBeSupported: boolean;
};

type Run = {
  readonly reason: SuspectReason;
  readonly places: number[];
  /** Whether these are nines that are never accepted as a price, however long they last. */
  readonly isFar: boolean;
  /**
   * The level before a large drop that was seen again; from then on the run's prices are accepted too. Null until
   * then.
   */
  before: LevelTracker | null;
};

/** One pass over a history, oldest first. */
type Pass = Passed & {
  readonly peers: readonly SeenPrice[];
  readonly nines: NinesJudge;
  /** Levels that the listing had before a run was accepted as its new price; the present level is the last. */
  readonly eras: LevelTracker[];
  readonly begins: number[];
  run: Run | null;
  readonly rises: number[];
  readonly doubtful: number[];
};

/**
 * Returns the marked prices and the reasons. Prices are in cents, oldest first. `peers` are believed prices of the same
 * product at the others of the seven retailers. A slip is believed if one of them comes within a factor of two of it.
 */
export function suspectPrices(
  prices: readonly SeenPrice[],
  peers: readonly SeenPrice[] = [],
): SuspectPrices {
  return judgedPrices(prices, peers).marks;
}

const NOTHING: JudgedPrices = { marks: new Map(), open: new Set(), mayBeSupported: false };

/** Same, including prices that are not judged yet. */
export function judgedPrices(
  prices: readonly SeenPrice[],
  peers: readonly SeenPrice[] = [],
): JudgedPrices {
  const calm = calmOf(prices, peers);
  const start = calm === null ? startOf(prices) : null;
  if (start === null) return calm ?? NOTHING;
  const pass: Pass = {
    prices,
    peers,
    marks: new Map(),
    nines: createNinesJudge(peers),
    eras: [createLevelTracker(start)],
    begins: [0],
    run: null,
    rises: [],
    doubtful: [],
  };
  for (const place of prices.keys()) judge(pass, place);
  pass.nines.end();
  markLateNines(pass);
  const open = pass.nines.open();
  const marks = inHindsight(pass, open);
  const isSlip = marks.values().some((reason) => reason !== 'deep_fall');
  return { marks, open, mayBeSupported: isSlip || pass.nines.isUndecided() };
}

/**
 * Returns the result if it is known without a pass, because no price is far enough from another to be suspect. That is the case
 * for nearly every listing. Null if a pass is needed.
 */
function calmOf(prices: readonly SeenPrice[], peers: readonly SeenPrice[]): JudgedPrices | null {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  let nines = 0;
  for (const seen of prices) {
    const { priceCents } = seen;
    if (isOfNines(seen)) nines += 1;
    low = Math.min(low, priceCents);
    high = Math.max(high, priceCents);
  }
  const [first] = prices;
  if (first === undefined || nines === 0) return high < low * LEAST_CURRENCY_RATIO ? NOTHING : null;
  // Prices this close support each other, except for nines of a single day.
  const isJudged =
    nines < prices.length || dayOf(first.observedAtMs) !== dayOf(prices.at(-1)?.observedAtMs ?? 0);
  if (peers.length > 0 || high > low * ALIKE || !isJudged) return null;
  return { ...NOTHING, mayBeSupported: isOfNines(first) };
}

/**
 * Returns the initial level of a history, without amounts of nines: its first price, unless the following prices contradict
 * only that one. Null without a price.
 */
function startOf(prices: readonly SeenPrice[]): number | null {
  const real = prices.filter((each) => !isOfNines(each));
  const considered = real.length > 0 ? real : prices;
  const first = spacedPrices(considered, { from: 0, step: 1, most: FIRST }).map(
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
  if (isOfNines(seen) && judgeNines(pass, place, seen)) return;
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
  pass.run = { reason, places: [], isFar: false, before: null };
  extend(pass, place);
}

/**
 * Judges an amount of nines (D89). Returns false if it is a price that may still be too low: it is then judged like any
 * other.
 */
function judgeNines(pass: Pass, place: number, seen: SeenPrice): boolean {
  const verdict = pass.nines.judge(place, seen);
  markLateNines(pass);
  if (verdict === 'open') return true;
  if (verdict === 'price') {
    if (seen.priceCents < eraOf(pass).recent()) return false;
    endRun(pass, seen);
    believe(pass, place);
    return true;
  }
  const first = pass.prices[pass.run?.places[0] ?? 0]?.priceCents ?? 0;
  if (pass.run?.reason !== 'placeholder' || !isWithin(seen.priceCents, first, ALIKE)) {
    endRun(pass, seen);
    pass.run = {
      reason: 'placeholder',
      places: [],
      isFar: verdict === 'far_placeholder',
      before: null,
    };
  }
  extend(pass, place);
  return true;
}

/** Marks amounts of nines that were not judged when seen but that a level now contradicts. */
function markLateNines({ nines, marks }: Pass): void {
  for (const place of nines.takePlaceholders()) marks.set(place, 'placeholder');
}

function eraOf({ eras }: Pass): LevelTracker {
  const era = eras.at(-1);
  if (era === undefined) throw new Error('a pass begins with one era');
  return era;
}

/**
 * Returns why a price contradicts the current level; null if it does not, as when it returns to an earlier level of the
 * listing.
 */
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
  if (priceCents > recent && isShown(era, priceCents)) return null;
  const former = pass.eras.find(
    (each) =>
      isWithin(priceCents, each.recent(), ALIKE) || isWithin(priceCents, each.level().usual, ALIKE),
  );
  // A level that may still turn out to be wrong does not make a lower price a slip.
  const isUnsure = priceCents < recent && pass.nines.isUnsettled(observedAtMs);
  if (former === undefined || former === era) return isUnsure ? 'deep_fall' : reason;
  pass.eras.splice(pass.eras.indexOf(former), 1);
  pass.eras.push(former);
  return null;
}

function isShown(era: LevelTracker, priceCents: number): boolean {
  return era.hasShown((cents) => isWithin(priceCents, cents, ABOUT));
}

/**
 * Returns the reason if a slip continues with a changed price, as when a sale ends during it: a following price that is not
 * back at the level is a slip too. Null if the price is back, or no slip preceded it.
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
  } else if ((lastsMs >= ACCEPTED_MS && !run.isFar) || isSupported(pass, run)) {
    pass.eras.push(createLevelTracker(seen.priceCents));
    pass.begins.push(run.places[0] ?? place);
    for (const each of run.places) believe(pass, each);
    pass.run = null;
  }
}

/** Returns whether another retailer's price comes within a factor of two of the run while it lasts. */
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
 * Ends the current run. A large drop that was seen again is still a lost decimal point if the price is a hundredth of
 * the one after it.
 */
function endRun(pass: Pass, after: SeenPrice): void {
  const { run, prices, marks } = pass;
  pass.run = null;
  if (run === null || run.before === null) return;
  // If the price does not return to its previous value, the ratio of a hundred is a coincidence.
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
  pass.nines.believe(seen);
}
