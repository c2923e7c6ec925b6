// Converts a listing's observations to daily bars and the 30/60/90/180-day windows (D28, D29). Pure: the caller passes the
// day called "today". Prices are minor units of one currency (`seen-in.ts`); `src/data` decides where observations are stored.

import { dayOf, daysBefore, DAY_MS, type Day } from '../../base/clock.ts';
import { judgedPrices, suspectPrices } from './price-glitch.ts';
import type { SeenPrice } from './price-level.ts';
import type { SuspectReason } from './suspect-reason.ts';

/** The result of one fetch. `priceCents` is null if out of stock, in another currency or not stated. */
export type Observation = {
  readonly observedAtMs: number;
  readonly priceCents: number | null;
  readonly inStock: boolean | null;
  /** True if the page supported its price of nines (base/listing/money/nines.ts); absent for every other price. */
  readonly isBacked?: boolean;
  /** The decimals of its currency; two if absent. */
  readonly decimals?: number;
};

/** First, last, lowest and highest price of a period in cents, and the number of prices. */
type PriceSpan = {
  readonly openCents: number;
  readonly closeCents: number;
  readonly lowCents: number;
  readonly highCents: number;
  readonly observations: number;
};

/**
 * One UTC day with at least one price. Low and high include every price. Open and close skip prices that are marked as
 * glitches, unless the day has no others.
 */
export type PriceBar = PriceSpan & {
  readonly date: Day;
  /** The day without marked prices (price-glitch.ts); null if no price remains. */
  readonly trusted: PriceSpan | null;
};

export type PriceWindow = {
  readonly lowCents: number;
  readonly highCents: number;
  /** Mean of the daily closes, to the nearest cent. */
  readonly averageCents: number;
  readonly daysCovered: number;
  readonly observationCount: number;
  /** Observations in the window that were excluded as glitches. */
  readonly excludedCount: number;
};

/**
 * How far back prices are considered for judging and for a record's windows: the longest window, including all of its first
 * day.
 */
export const LOOK_BACK_MS = 181 * DAY_MS;
/** Window name, as in the JSON, to its length in days, today included. */
export const WINDOW_DAYS = { '30d': 30, '60d': 60, '90d': 90, '180d': 180 } as const;
type WindowName = keyof typeof WINDOW_DAYS;
export type Windows = Readonly<Record<WindowName, PriceWindow | null>>;

/** The timeframes of the history endpoint and their length in days, today included; null is the whole history (D43). */
export const TIMEFRAME_DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null } as const;
export type Timeframe = keyof typeof TIMEFRAME_DAYS;
export const TIMEFRAMES = Object.keys(TIMEFRAME_DAYS) as readonly Timeframe[];

/** First and last UTC day with an observation, and the number of days that have a bar. */
export type ObservedSpan = {
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  readonly daysCovered: number;
};

/**
 * Returns daily bars, newest first; the input may be in any order. An observation without a price, with a price of zero (D26)
 * or out of stock adds nothing to a bar (D28). For `peers` see `newestSuspicion`.
 */
export function barsOf(
  observations: readonly Observation[],
  peers: Peers = NO_PEERS,
): readonly PriceBar[] {
  const prices = priced(observations);
  const suspects = suspectPrices(prices, believedOf(peers));
  const days = new Map<Day, { all: PriceSpan | null; trusted: PriceSpan | null }>();
  for (const [at, { observedAtMs, priceCents }] of prices.entries()) {
    const date = dayOf(observedAtMs);
    const day = days.get(date) ?? { all: null, trusted: null };
    day.all = withPrice(day.all, priceCents);
    if (!suspects.has(at)) day.trusted = withPrice(day.trusted, priceCents);
    days.set(date, day);
  }
  const bars = [...days].flatMap(([date, { all, trusted }]) => {
    if (all === null) return [];
    const { openCents, closeCents } = trusted ?? all;
    return [{ ...all, date, openCents, closeCents, trusted }];
  });
  return bars.toReversed();
}

/** Adds a price that is later than all previous ones to the span. */
function withPrice(span: PriceSpan | null, cents: number): PriceSpan {
  return {
    openCents: span?.openCents ?? cents,
    closeCents: cents,
    lowCents: Math.min(span?.lowCents ?? cents, cents),
    highCents: Math.max(span?.highCents ?? cents, cents),
    observations: (span?.observations ?? 0) + 1,
  };
}

/** Observations of the same product at others of the seven retailers, one list per retailer. */
export type Peers = readonly (readonly Observation[])[];
const NO_PEERS: Peers = [];

/**
 * Returns why the newest price is suspect (D68); null if it is not, or there is none. The input may be in any order. With
 * `peers`, a price is no longer considered a slip once another of the seven retailers comes within a factor of two of it. A
 * `deep_fall` ends once a second fetch at least `REPEATED_MS` later repeats it.
 */
export function newestSuspicion(
  observations: readonly Observation[],
  peers: Peers = NO_PEERS,
): SuspectReason | null {
  const doubt = newestDoubt(observations, peers);
  return doubt === 'not_judged' ? null : doubt;
}

/** The reason why a price is not notified: a suspicion, or no evidence yet for or against its nines (D89). */
type PriceDoubt = SuspectReason | 'not_judged';

/** Same, but may also return `not_judged`. */
export function newestDoubt(
  observations: readonly Observation[],
  peers: Peers = NO_PEERS,
): PriceDoubt | null {
  const prices = priced(observations);
  const { marks, open } = judgedPrices(prices, believedOf(peers));
  const newest = prices.length - 1;
  return marks.get(newest) ?? (open.has(newest) ? 'not_judged' : null);
}

/** Returns observations with a price, oldest first, without prices of nines that are not judged yet. */
export function judgedOf<O extends Observation>(
  observations: readonly O[],
  peers: Peers = NO_PEERS,
): readonly O[] {
  const prices = priced(observations);
  const { open } = judgedPrices(prices, believedOf(peers));
  return prices.flatMap(({ seen }, place) => (open.has(place) ? [] : [seen]));
}

/** Returns the observations with a suspect price and the reason; each is judged as in `newestSuspicion`. */
export function suspicionsOf<O extends Observation>(
  observations: readonly O[],
  peers: Peers = NO_PEERS,
): ReadonlyMap<O, SuspectReason> {
  const prices = priced(observations);
  const suspects = suspectPrices(prices, believedOf(peers));
  return new Map(
    prices.flatMap(({ seen }, place) => {
      const reason = suspects.get(place);
      return reason === undefined ? [] : [[seen, reason] as const];
    }),
  );
}

/** Returns whether prices of other retailers could change the marks. */
export function mayBeSupported(observations: readonly Observation[]): boolean {
  return judgedPrices(priced(observations)).mayBeSupported;
}

/** Returns observations with a price that is neither suspect nor still to be judged, oldest first. */
export function believedObservations<O extends Observation>(
  observations: readonly O[],
  peers: Peers = NO_PEERS,
): readonly O[] {
  const prices = priced(observations);
  const { marks, open } = judgedPrices(prices, believedOf(peers));
  return prices.flatMap(({ seen }, place) => (marks.has(place) || open.has(place) ? [] : [seen]));
}

/** Returns the believed prices of other retailers. */
function believedOf(peers: Peers): readonly SeenPrice[] {
  return peers.flatMap((observations) => priced(believedObservations(observations)));
}

function priced<O extends Observation>(
  observations: readonly O[],
): readonly (SeenPrice & { readonly seen: O })[] {
  return observations
    .flatMap((seen) => {
      const { observedAtMs, priceCents, inStock, isBacked = false, decimals = 2 } = seen;
      const isPriced = priceCents !== null && priceCents > 0 && inStock !== false;
      return isPriced ? [{ observedAtMs, priceCents, isBacked, decimals, seen }] : [];
    })
    .sort((a, b) => a.observedAtMs - b.observedAtMs);
}

/** Returns the four windows, counted back from `today` (UTC, included). A window without a bar is null (D29). */
export function windowsOf(bars: readonly PriceBar[], today: Day): Windows {
  return {
    '30d': windowOf(bars, today, WINDOW_DAYS['30d']),
    '60d': windowOf(bars, today, WINDOW_DAYS['60d']),
    '90d': windowOf(bars, today, WINDOW_DAYS['90d']),
    '180d': windowOf(bars, today, WINDOW_DAYS['180d']),
  };
}

/** Returns the bars of the last `days` days, today included. */
export function barsWithin(
  bars: readonly PriceBar[],
  today: Day,
  days: number,
): readonly PriceBar[] {
  const from = daysBefore(today, days - 1);
  // Days are compared as text, because YYYY-MM-DD sorts by time. A bar after today (from a clock that was once wrong) belongs
  // to no window.
  return bars.filter((bar) => bar.date >= from && bar.date <= today);
}

/** Combines the bars of the last `days` days into one window, without glitches; null if no price remains. */
export function windowOf(bars: readonly PriceBar[], today: Day, days: number): PriceWindow | null {
  const inWindow = barsWithin(bars, today, days);
  const trustedBars = inWindow.flatMap(({ trusted }) => (trusted === null ? [] : [trusted]));
  if (trustedBars.length === 0) return null;
  const seen = inWindow.reduce((sum, bar) => sum + bar.observations, 0);
  const observationCount = trustedBars.reduce((sum, bar) => sum + bar.observations, 0);
  const closes = trustedBars.reduce((sum, bar) => sum + bar.closeCents, 0);
  return {
    lowCents: trustedBars.reduce(
      (low, bar) => Math.min(low, bar.lowCents),
      Number.POSITIVE_INFINITY,
    ),
    highCents: trustedBars.reduce((high, bar) => Math.max(high, bar.highCents), 0),
    averageCents: Math.round(closes / trustedBars.length),
    daysCovered: trustedBars.length,
    observationCount,
    excludedCount: seen - observationCount,
  };
}
