// Observations of one listing -> daily bars -> the 30/60/90/180-day windows (D28, D29). Pure: the day
// called "today" is handed in. Knows USD cents only; where observations are kept is the store's matter.

import { dayOf, daysBefore, type Day } from '../core/clock.ts';
import { glitchesIn, type SeenPrice } from './price-glitch.ts';

/** What one fetch saw. `priceCents` is USD; null out of stock, in another currency, or not stated. */
export type Observation = {
  readonly observedAtMs: number;
  readonly priceCents: number | null;
  readonly inStock: boolean | null;
};

/** First, last, lowest and highest of some prices, in cents, and how many there were. */
export type PriceSpan = {
  readonly openCents: number;
  readonly closeCents: number;
  readonly lowCents: number;
  readonly highCents: number;
  readonly observations: number;
};

/**
 * One UTC day with at least one price, as it was seen. Open and close are of prices that are not marked as glitches
 * where the day has any; low and high are of all of them.
 */
export type PriceBar = PriceSpan & {
  readonly date: Day;
  /** Without the marked ones (price-glitch.ts); null when nothing is left of the day. */
  readonly trusted: PriceSpan | null;
};

export type PriceWindow = {
  readonly lowCents: number;
  readonly highCents: number;
  /** Mean of the days' closes, to the nearest cent. */
  readonly averageCents: number;
  readonly daysCovered: number;
  readonly observationCount: number;
  /** Observations of these days that were left out as glitches. */
  readonly excludedCount: number;
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
  const prices = priced(observations);
  const glitches = glitchesIn(prices);
  const days = new Map<Day, { all: PriceSpan | null; trusted: PriceSpan | null }>();
  for (const [at, { observedAtMs, priceCents }] of prices.entries()) {
    const date = dayOf(observedAtMs);
    const day = days.get(date) ?? { all: null, trusted: null };
    day.all = withPrice(day.all, priceCents);
    if (!glitches.has(at)) day.trusted = withPrice(day.trusted, priceCents);
    days.set(date, day);
  }
  const bars = [...days].flatMap(([date, { all, trusted }]) => {
    if (all === null) return [];
    const { openCents, closeCents } = trusted ?? all;
    return [{ ...all, date, openCents, closeCents, trusted }];
  });
  return bars.toReversed();
}

/** A span with one more price, later than those in it. */
function withPrice(span: PriceSpan | null, cents: number): PriceSpan {
  return {
    openCents: span?.openCents ?? cents,
    closeCents: cents,
    lowCents: Math.min(span?.lowCents ?? cents, cents),
    highCents: Math.max(span?.highCents ?? cents, cents),
    observations: (span?.observations ?? 0) + 1,
  };
}

function priced(observations: readonly Observation[]): readonly SeenPrice[] {
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

/** What the bars of the last `days` days come to without glitches; null when nothing is left. */
export function windowOf(bars: readonly PriceBar[], today: Day, days: number): PriceWindow | null {
  const inWindow = barsWithin(bars, today, days);
  const held = inWindow.flatMap(({ trusted }) => (trusted === null ? [] : [trusted]));
  if (held.length === 0) return null;
  const seen = inWindow.reduce((sum, bar) => sum + bar.observations, 0);
  const observationCount = held.reduce((sum, bar) => sum + bar.observations, 0);
  const closes = held.reduce((sum, bar) => sum + bar.closeCents, 0);
  return {
    lowCents: held.reduce((low, bar) => Math.min(low, bar.lowCents), Number.POSITIVE_INFINITY),
    highCents: held.reduce((high, bar) => Math.max(high, bar.highCents), 0),
    averageCents: Math.round(closes / held.length),
    daysCovered: held.length,
    observationCount,
    excludedCount: seen - observationCount,
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
