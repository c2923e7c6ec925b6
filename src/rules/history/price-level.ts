// The level of a listing's prices, with which its next price is compared. The few newest prices show the current price. One
// price per day over half a year shows the usual price, so that neither a sale nor a spike sets the level. Pure.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts';

export type SeenPrice = {
  readonly observedAtMs: number;
  readonly priceCents: number;
  /** See `Observation`. */
  readonly isBacked?: boolean;
  readonly decimals?: number;
};

export type PriceLevel = {
  /** Median of the newest prices, each more than three hours from the next. */
  readonly recent: number;
  /** Median of one price per day. */
  readonly usual: number;
  /** The price that nine of ten days stay below. */
  readonly high: number;
  /** The lowest price of the last two weeks: a higher one may have been a spike. */
  readonly lowest: number;
};

/** The level as prices are believed one after another. Each instance belongs to one pass over one history. */
export type LevelTracker = {
  /** Adds a believed price, not older than any before. */
  readonly add: (seen: SeenPrice) => void;
  /** Returns the current price; cheap to compute, because it is read for every price. */
  readonly recent: () => number;
  readonly level: () => PriceLevel;
  /** Returns whether a price like this was believed before, as before a sale. */
  readonly hasShown: (isLike: (cents: number) => boolean) => boolean;
  /** Returns the newest believed price; null before the first. */
  readonly last: () => SeenPrice | null;
  /** Returns an independent copy. */
  readonly copy: () => LevelTracker;
};

/** An observation within this time of another does not confirm it: an error that lasts an hour may have been seen twice. */
export const SAME_MOMENT_MS = 3 * HOUR_MS;
/** Number of newest prices that set the level, so that one more error among them does not. */
export const SIDE = 3;
const USUAL_DAYS = 180;
/** With fewer days, only the newest prices are used. */
const LEAST_DAYS = 3;
const LATELY_DAYS = 14;
/** If a listing is rarely requested, the last two weeks are extended to this many days with a price. */
const LEAST_LATELY = 5;

/** `start` is the level in cents until enough prices are believed. */
export function createLevelTracker(start: number): LevelTracker {
  return trackerFrom(start, [], []);
}

function trackerFrom(start: number, newest: SeenPrice[], days: SeenPrice[]): LevelTracker {
  let last = days.at(-1) ?? null;
  let usual: Omit<PriceLevel, 'recent'> | null = null;
  const recent = (): number => {
    const prices = newest.map((each) => each.priceCents);
    return median(prices.length < SIDE ? [start, ...prices] : prices);
  };
  return {
    add(seen) {
      const spaced = newest.at(-1);
      if (spaced === undefined || seen.observedAtMs - spaced.observedAtMs > SAME_MOMENT_MS) {
        newest.push(seen);
        if (newest.length > SIDE) newest.shift();
      }
      const day = days.at(-1);
      if (day !== undefined && dayNumber(day) === dayNumber(seen)) days.pop();
      days.push(seen);
      last = seen;
      usual = null;
    },
    recent,
    level() {
      const now = recent();
      usual ??= usualOf(days) ?? { usual: now, high: now, lowest: now };
      return { recent: now, ...usual };
    },
    hasShown: (isLike) => isLike(start) || days.some((each) => isLike(each.priceCents)),
    last: () => last,
    copy: () => trackerFrom(start, [...newest], [...days]),
  };
}

function usualOf(days: readonly SeenPrice[]): Omit<PriceLevel, 'recent'> | null {
  const newestMs = days.at(-1)?.observedAtMs ?? 0;
  const from = days.findIndex((each) => newestMs - each.observedAtMs <= USUAL_DAYS * DAY_MS);
  const cents = days.slice(from).map((each) => each.priceCents);
  if (cents.length < LEAST_DAYS) return null;
  const sorted = cents.toSorted((a, b) => a - b);
  const late = days.filter((each) => newestMs - each.observedAtMs <= LATELY_DAYS * DAY_MS);
  const few = days.slice(-Math.max(LEAST_LATELY, late.length)).map((each) => each.priceCents);
  return { usual: at(sorted, 0.5), high: at(sorted, 0.9), lowest: Math.min(...few) };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

const dayNumber = ({ observedAtMs }: SeenPrice): number => Math.floor(observedAtMs / DAY_MS);

/** Returns the first `most` prices from a place in the direction `step`, each more than three hours from the one before. */
export function spacedPrices(
  prices: readonly SeenPrice[],
  { from, step, most }: { readonly from: number; readonly step: 1 | -1; readonly most: number },
): readonly SeenPrice[] {
  const found: SeenPrice[] = [];
  for (let place = from; found.length < most; place += step) {
    const seen = prices[place];
    if (seen === undefined) break;
    const before = found.at(-1);
    const isApart =
      before === undefined || Math.abs(seen.observedAtMs - before.observedAtMs) > SAME_MOMENT_MS;
    if (isApart) found.push(seen);
  }
  return found;
}

/** Returns whether one price is at most `factor` times the other. */
export function isWithin(a: number, b: number, factor: number): boolean {
  return a <= b * factor && b <= a * factor;
}
