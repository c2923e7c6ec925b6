// The figures beside a price history (D43): newest price, and the last 30 days whatever was asked for.
// Pure: the day called "today" is handed in; which series count is the caller's choice.

import type { Day } from '../core/clock.ts';
import { barsOf, windowOf, WINDOW_DAYS, type Observation } from './daily-bars.ts';

/** What one retailer is known to have asked. */
export type Series = {
  /** At least those of the last 30 days, any order. */
  readonly recent: readonly Observation[];
  /** The last one, however old; null when there is none. */
  readonly newest: Observation | null;
};

export type HistoryStats = {
  /** The newest price; null when every retailer's last observation has none (D28). */
  readonly currentCents: number | null;
  readonly lowestCents: number | null;
  readonly highestCents: number | null;
  /** Mean of the days' closes, each retailer's days on their own, to the nearest cent (D29). */
  readonly averageCents: number | null;
};

/** Figures over all series: one for a single retailer, so that they equal its 30-day window. */
export function historyStats(series: readonly Series[], today: Day): HistoryStats {
  const bars = series.flatMap(({ recent }) => barsOf(recent));
  const window = windowOf(bars, today, WINDOW_DAYS['30d']);
  const newest = series
    .flatMap((each) => (each.newest === null ? [] : [each.newest]))
    .filter((each) => each.priceCents !== null && each.inStock !== false)
    .toSorted((a, b) => b.observedAtMs - a.observedAtMs)[0];
  return {
    currentCents: newest?.priceCents ?? null,
    lowestCents: window?.lowCents ?? null,
    highestCents: window?.highCents ?? null,
    averageCents: window?.averageCents ?? null,
  };
}
