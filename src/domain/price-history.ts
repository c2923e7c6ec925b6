// Observations of one listing -> daily bars -> the 30/60/90/180-day windows (D28, D29). Pure: the day
// called "today" is handed in. Knows USD cents only; where observations are kept is the store's matter.

import { dayOf, daysBefore, type Day } from './clock.ts';

/** What one fetch saw. `priceCents` is USD; null out of stock, in another currency, or not stated. */
export type Observation = {
  readonly observedAtMs: number;
  readonly priceCents: number | null;
  readonly inStock: boolean | null;
};

/** One UTC day with at least one price. */
export type PriceBar = {
  readonly date: Day;
  readonly openCents: number;
  readonly closeCents: number;
  readonly lowCents: number;
  readonly highCents: number;
  readonly observations: number;
};

export type PriceWindow = {
  readonly lowCents: number;
  readonly highCents: number;
  /** Mean of the days' closes, to the nearest cent. */
  readonly averageCents: number;
  readonly daysCovered: number;
  readonly observationCount: number;
};

/** Window name (as the specification spells it) to its length in days, today included. */
export const WINDOW_DAYS = { '30d': 30, '60d': 60, '90d': 90, '180d': 180 } as const;
export type WindowName = keyof typeof WINDOW_DAYS;
export type Windows = Readonly<Record<WindowName, PriceWindow | null>>;

/** Length in days of what the history endpoint may be asked for, today included; null: all of it (D43). */
export const TIMEFRAME_DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null } as const;
export type Timeframe = keyof typeof TIMEFRAME_DAYS;
export const TIMEFRAMES = Object.keys(TIMEFRAME_DAYS) as readonly Timeframe[];

/** First and last UTC day of anything observed, and the number of days that have a bar. */
export type ObservedSpan = {
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  readonly daysCovered: number;
};

/**
 * Daily bars, newest first. Input in any order. An observation without a price, or out of stock, makes
 * no bar (D28); zero is no price (D26).
 */
export function barsOf(observations: readonly Observation[]): readonly PriceBar[] {
  const bars = new Map<Day, PriceBar>();
  for (const { observedAtMs, priceCents } of priced(observations)) {
    const date = dayOf(observedAtMs);
    const bar = bars.get(date);
    bars.set(date, {
      date,
      openCents: bar?.openCents ?? priceCents,
      closeCents: priceCents,
      lowCents: Math.min(bar?.lowCents ?? priceCents, priceCents),
      highCents: Math.max(bar?.highCents ?? priceCents, priceCents),
      observations: (bar?.observations ?? 0) + 1,
    });
  }
  return [...bars.values()].toReversed();
}

type Priced = { readonly observedAtMs: number; readonly priceCents: number };

function priced(observations: readonly Observation[]): readonly Priced[] {
  return observations
    .flatMap(({ observedAtMs, priceCents, inStock }) =>
      priceCents === null || priceCents <= 0 || inStock === false
        ? []
        : [{ observedAtMs, priceCents }],
    )
    .sort((a, b) => a.observedAtMs - b.observedAtMs);
}

/** The four windows, counted back from `today` (UTC, included). No bar in a window: null (D29). */
export function windowsOf(bars: readonly PriceBar[], today: Day): Windows {
  return {
    '30d': windowOf(bars, today, WINDOW_DAYS['30d']),
    '60d': windowOf(bars, today, WINDOW_DAYS['60d']),
    '90d': windowOf(bars, today, WINDOW_DAYS['90d']),
    '180d': windowOf(bars, today, WINDOW_DAYS['180d']),
  };
}

/** The bars of the last `days` days, today included. */
export function barsWithin(
  bars: readonly PriceBar[],
  today: Day,
  days: number,
): readonly PriceBar[] {
  const from = daysBefore(today, days - 1);
  // Days are compared as text: YYYY-MM-DD sorts as time does. A bar after today (a clock that was
  // wrong once) belongs to no window.
  return bars.filter((bar) => bar.date >= from && bar.date <= today);
}

/** What the bars of the last `days` days come to; null when there is none. */
export function windowOf(bars: readonly PriceBar[], today: Day, days: number): PriceWindow | null {
  const held = barsWithin(bars, today, days);
  if (held.length === 0) return null;
  const closes = held.reduce((sum, bar) => sum + bar.closeCents, 0);
  return {
    lowCents: held.reduce((low, bar) => Math.min(low, bar.lowCents), Number.POSITIVE_INFINITY),
    highCents: held.reduce((high, bar) => Math.max(high, bar.highCents), 0),
    averageCents: Math.round(closes / held.length),
    daysCovered: held.length,
    observationCount: held.reduce((sum, bar) => sum + bar.observations, 0),
  };
}

/** Dates of `price_history`: of everything observed, out of stock included; days only with bars. */
export function spanOf(observations: readonly Observation[]): ObservedSpan {
  const times = observations.map((each) => each.observedAtMs);
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (times.length === 0) return { firstDay: null, lastDay: null, daysCovered: 0 };
  return { firstDay: dayOf(first), lastDay: dayOf(last), daysCovered: barsOf(observations).length };
}
