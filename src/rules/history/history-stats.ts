// Summary figures for a price history (D43): the newest price, and the last 30 days regardless of the requested timeframe.
// Pure: the caller passes the day called "today" and decides which retailers count.

import type { Day } from '../../base/clock.ts';
import { barsOf, windowOf, WINDOW_DAYS, type Observation, type Peers } from './daily-bars.ts';

/** The observations of one retailer. */
type Series = {
  /** Observations in any order: at least those of the last 30 days, and earlier ones that show the price level. */
  readonly recent: readonly Observation[];
  /** Prices at others of the seven retailers, if they can change the marks (D68). */
  readonly peers?: Peers;
  /** The newest observation, however old; null without any. */
  readonly newest: Observation | null;
};

export type HistoryStats = {
  /** The newest price; null if every retailer's last observation has none (D28). */
  readonly currentCents: number | null;
  readonly lowestCents: number | null;
  readonly highestCents: number | null;
  /** Mean of the daily closes to the nearest cent (D29); each retailer's days count separately. */
  readonly averageCents: number | null;
};

/** Computes the figures over all series. For a single series they equal its 30-day window. */
export function historyStats(series: readonly Series[], today: Day): HistoryStats {
  const bars = series.flatMap(({ recent, peers }) => barsOf(recent, peers));
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
