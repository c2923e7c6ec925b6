// Stored observations as seen in one currency (D87): bars, glitches, windows and figures are computed from its results, so
// that they never mix currencies. Pure.

import { dayOf } from '../../base/clock.ts';
import { decimalsOf } from '../../base/listing/money/minor-units.ts';
import type { ObservedSpan } from './daily-bars.ts';
import type { StoredObservation } from './year-state.ts';

/**
 * Returns the observations with the prices in this currency; the price of any other is `native`. Dollars are stored that way. Only
 * for dollars is it stored whether the page supported a price of nines (D89).
 */
export function seenIn<Seen extends StoredObservation>(
  observations: readonly Seen[],
  currency: string,
): readonly Seen[] {
  if (currency === 'USD') return observations;
  const decimals = decimalsOf(currency);
  return observations.map((seen) => ({
    ...seen,
    ...pricesIn(seen, currency),
    isBacked: false,
    decimals,
  }));
}

function pricesIn(
  { priceCents, native }: StoredObservation,
  currency: string,
): Pick<StoredObservation, 'priceCents' | 'native'> {
  if (native?.currency === currency) return { priceCents: native.cents, native: null };
  return {
    priceCents: null,
    native: priceCents === null ? native : { cents: priceCents, currency: 'USD' },
  };
}

/** Returns the span of a whole history, oldest first, as seen in a currency: it is stored for dollars alone. */
export function spanOfSeen(observations: readonly StoredObservation[]): ObservedSpan {
  const [first, last] = [observations[0], observations.at(-1)];
  const priced = observations.filter(({ priceCents }) => priceCents !== null);
  return {
    firstDay: first === undefined ? null : dayOf(first.observedAtMs),
    lastDay: last === undefined ? null : dayOf(last.observedAtMs),
    daysCovered: new Set(priced.map(({ observedAtMs }) => dayOf(observedAtMs))).size,
  };
}
