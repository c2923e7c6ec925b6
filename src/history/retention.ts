// How long price history is kept: all of it, unless the operator says otherwise. Pure.

import { DAY_MS, daysBefore, type Day } from '../core/clock.ts';
import type { KeptObservation } from './encoded-year.ts';

export type Retention = {
  /** Days for which every observation is kept; of older ones, what a day's bar is made of. Null: for ever. */
  readonly observationDays: number | null;
  /** Calendar years before this one of which anything is kept. Null: all. */
  readonly barYears: number | null;
};

export const KEEP_EVERYTHING: Retention = { observationDays: null, barYears: null };

/** The first UTC year that is kept; null: every year is. */
export function firstKeptYear({ barYears }: Retention, today: Day): number | null {
  return barYears === null ? null : Number(today.slice(0, 4)) - barYears;
}

/**
 * The first day, since 1970, of which every observation is kept: the start of a month, so that a packed year is written
 * anew once a month at most. Null: of all days.
 */
export function firstWholeDay({ observationDays }: Retention, today: Day): number | null {
  if (observationDays === null) return null;
  const day = daysBefore(today, observationDays);
  return Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`) / DAY_MS;
}

/**
 * Without what no bar of a day before `beforeDay` is made of. Such a day keeps its first, last, lowest and highest
 * price in dollars; a day without one keeps its last observation. Oldest first, as the input.
 */
export function thinned(
  observations: readonly KeptObservation[],
  beforeDay: number,
): readonly KeptObservation[] {
  const days = Map.groupBy(observations, (each) => Math.floor(each.observedAtMs / DAY_MS));
  return [...days].flatMap(([day, seen]) => (day < beforeDay ? barMakers(seen) : seen));
}

function barMakers(seen: readonly KeptObservation[]): readonly KeptObservation[] {
  const priced = seen.filter((each) => each.priceCents !== null);
  const [first] = priced;
  const last = priced.at(-1);
  if (first === undefined || last === undefined) return seen.slice(-1);
  const cents = (each: KeptObservation): number => each.priceCents ?? 0;
  const lowest = priced.reduce((low, each) => (cents(each) < cents(low) ? each : low));
  const highest = priced.reduce((high, each) => (cents(each) > cents(high) ? each : high));
  // The ends go first: a lowest price that is also the last one takes no second place.
  const kept = new Set([first, last]);
  const hasCents = (price: number): boolean => [...kept].some((each) => cents(each) === price);
  for (const each of [lowest, highest]) if (!hasCents(cents(each))) kept.add(each);
  return seen.filter((each) => kept.has(each));
}
