// How long price history is kept: all of it, unless the operator sets a limit. Pure.

import { DAY_MS, daysBefore, type Day } from '../../base/clock.ts';
import type { StoredObservation } from './year-state.ts';

export type Retention = {
  /**
   * Days for which every observation is kept; for older days, only the observations that determine the bar are. Null to keep
   * all indefinitely.
   */
  readonly observationDays: number | null;
  /** Number of past calendar years that are kept in addition to the current one; null to keep all. */
  readonly barYears: number | null;
};

/** Returns the first UTC year that is kept; null if all are. */
export function firstStoredYear({ barYears }: Retention, today: Day): number | null {
  return barYears === null ? null : Number(today.slice(0, 4)) - barYears;
}

/**
 * Returns the first day for which every observation is kept, in days since 1970; null if all are. It is the start of a month,
 * so that an encoded year is rewritten at most once a month.
 */
export function firstWholeDay({ observationDays }: Retention, today: Day): number | null {
  if (observationDays === null) return null;
  const day = daysBefore(today, observationDays);
  return Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`) / DAY_MS;
}

/**
 * Drops the observations before `beforeDay` that no bar needs. Such a day keeps its first, last, lowest and highest
 * price in dollars; a day without a price in dollars keeps its last observation. Oldest first, like the input.
 */
export function thinned(
  observations: readonly StoredObservation[],
  beforeDay: number,
): readonly StoredObservation[] {
  const days = Map.groupBy(observations, (each) => Math.floor(each.observedAtMs / DAY_MS));
  return [...days].flatMap(([day, seen]) => (day < beforeDay ? barMakers(seen) : seen));
}

function barMakers(seen: readonly StoredObservation[]): readonly StoredObservation[] {
  const priced = seen.filter((each) => each.priceCents !== null);
  const [first] = priced;
  const last = priced.at(-1);
  if (first === undefined || last === undefined) return seen.slice(-1);
  const cents = (each: StoredObservation): number => each.priceCents ?? 0;
  const lowest = priced.reduce((low, each) => (cents(each) < cents(low) ? each : low));
  const highest = priced.reduce((high, each) => (cents(each) > cents(high) ? each : high));
  // First and last are added first: a lowest price equal to one of them needs no observation of its own.
  const needed = new Set([first, last]);
  const hasCents = (price: number): boolean => [...needed].some((each) => cents(each) === price);
  for (const each of [lowest, highest]) if (!hasCents(cents(each))) needed.add(each);
  return seen.filter((each) => needed.has(each));
}
