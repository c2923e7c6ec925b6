// A year's observations as differences, each from the previous one, for an encoder to write. Rejects input that could not be
// decoded again. Pure.

import { DAY_MS } from '../../base/clock.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import {
  DOLLARS,
  firstDayOf,
  NATIVE,
  NATIVE_UNKNOWN,
  NO_PRICE,
  stateBefore,
  storedPrice,
  type StoredObservation,
  type ObservationState,
} from './year-state.ts';

/** An observation relative to the previous one. Times are in milliseconds of the day. */
export type Step = {
  /** Days since the previous one. */
  readonly gap: number;
  readonly time: number;
  readonly timeBefore: number;
  /** The new kind, stock and currency; null if unchanged. */
  readonly state: ObservationState | null;
  readonly hasPrice: boolean;
  /** Price increase in units of the currency. */
  readonly up: number;
  /** Whether the price has changed back to the one before the last. */
  readonly isPriceBefore: boolean;
};

/**
 * Creates the steps. Takes at least one observation of the year, oldest first, with no duplicate instants. Throws RangeError
 * on anything else, because a text that cannot be decoded must not replace the observations it was created from.
 */
export function stepsOf(year: number, observations: readonly StoredObservation[]): readonly Step[] {
  if (observations.length === 0) throw new RangeError('no observations to encode');
  const [from, to] = [firstDayOf(year), firstDayOf(year + 1)];
  let before = stateBefore(year);
  return observations.map((seen) => {
    const after = stateAfter(before, seen);
    if (!(after.day >= from && after.day < to))
      throw new RangeError(`an observation is outside the year ${year}`);
    const gap = after.day - before.day;
    if (gap < 0 || (gap === 0 && after.time <= before.time))
      throw new RangeError('observations are not in order of time');
    const isSame =
      after.kind === before.kind &&
      after.stock === before.stock &&
      after.currency === before.currency;
    const up = after.cents - before.cents;
    const step: Step = {
      gap,
      time: after.time,
      timeBefore: before.time,
      state: isSame ? null : after,
      hasPrice: after.kind !== NO_PRICE,
      up,
      isPriceBefore: up !== 0 && after.cents === before.centsBefore,
    };
    before = after;
    return step;
  });
}

function stateAfter(before: ObservationState, seen: StoredObservation): ObservationState {
  const { observedAtMs, inStock } = seen;
  const { priceCents, native } = storedPrice(seen);
  if (!Number.isSafeInteger(observedAtMs))
    throw new RangeError(`${observedAtMs} is not a valid time`);
  if (priceCents !== null && native !== null) throw new RangeError('an observation has two prices');
  const day = Math.floor(observedAtMs / DAY_MS);
  const price = priceCents ?? native?.cents ?? null;
  if (price !== null && !(Number.isSafeInteger(price) && price > 0)) {
    throw new RangeError(`${price} is not a valid price`);
  }
  const cents = price ?? before.cents;
  return {
    day,
    time: observedAtMs - day * DAY_MS,
    kind: kindOf(priceCents, native),
    stock: inStock === null ? 2 : Number(inStock),
    currency: native?.currency ?? '',
    cents,
    centsBefore: cents === before.cents ? before.centsBefore : before.cents,
  };
}

function kindOf(priceCents: number | null, native: Money | null): number {
  if (priceCents !== null) return DOLLARS;
  if (native === null) return NO_PRICE;
  return native.currency === null ? NATIVE_UNKNOWN : NATIVE;
}
