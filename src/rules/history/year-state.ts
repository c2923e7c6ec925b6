// Code shared by both formats of an encoded year: the previous observation, from which the next one is encoded as a
// difference, and the kinds of a price. Pure.

import { DAY_MS } from '../../base/clock.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import type { BitReader } from './bit-text.ts';
import type { Observation } from './daily-bars.ts';

/** An observation as it is stored. `native` is a price in another or an unknown currency; `priceCents` is then null. */
export type StoredObservation = Observation & { readonly native: Money | null };

/** The cheapest bit lengths for the number of observations and for the days between two of them. */
export const COUNT_SHORT = 8;
export const GAP_SHORT = 3;

/** The kind of a price. The values are part of the formats. */
export const NO_PRICE = 0;
export const DOLLARS = 1;
export const NATIVE = 2;
export const NATIVE_UNKNOWN = 3;

/** The observation before the next one. `stateBefore` makes the one before the first. */
export type ObservationState = {
  day: number;
  /** Units (milliseconds or seconds) since the start of the day. */
  time: number;
  kind: number;
  /** 0: not in stock, 1: in stock, 2: unknown. */
  stock: number;
  currency: string;
  cents: number;
  /** The price before `cents`: a sale often ends at the price before it. */
  centsBefore: number;
};

/** Returns the state from which the first observation of a year is encoded as a difference; part of the formats. */
export function stateBefore(year: number): ObservationState {
  const day = firstDayOf(year) - 1;
  return { day, time: 0, kind: DOLLARS, stock: 1, currency: '', cents: 0, centsBefore: 0 };
}

/** Returns 1 January of the year, in days since 1970. */
export function firstDayOf(year: number): number {
  return Date.UTC(year, 0, 1) / DAY_MS;
}

/* oxlint-disable no-param-reassign -- changing one state in place makes decoding a year cheap */
/** Reads kind, stock and currency that differ from the previous ones. */
export function readKind(reader: BitReader, state: ObservationState): void {
  state.kind = reader.bits(2);
  state.stock = reader.bits(2);
  state.currency = '';
  if (state.kind !== NATIVE) return;
  const charCodes = Array.from({ length: reader.number(2) }, () => reader.number(7));
  state.currency = String.fromCharCode(...charCodes);
}

/** Reads the price of an observation that has one: the same, the previous one, or another. */
export function readPrice(reader: BitReader, state: ObservationState, short: number): void {
  if (reader.bits(1) === 0) return;
  if (reader.bits(1) === 1) return readOtherPrice(reader, state, short);
  const { cents } = state;
  state.cents = state.centsBefore;
  state.centsBefore = cents;
}

export function readOtherPrice(reader: BitReader, state: ObservationState, short: number): void {
  const sign = reader.bits(1) === 1 ? -1 : 1;
  state.centsBefore = state.cents;
  state.cents += sign * (1 + reader.number(short));
}
/* oxlint-enable no-param-reassign */

/** Converts a state to an observation. `unit` is the milliseconds per unit of its time. */
export function observationOf(state: ObservationState, unit: number): StoredObservation {
  const { day, time, kind, stock, currency, cents } = state;
  const observedAtMs = day * DAY_MS + time * unit;
  const inStock = stock === 2 ? null : stock === 1;
  if (kind === DOLLARS) return { observedAtMs, priceCents: cents, inStock, native: null };
  if (kind === NO_PRICE) return { observedAtMs, priceCents: null, inStock, native: null };
  return fromNative(
    { observedAtMs, inStock },
    { cents, currency: kind === NATIVE ? currency : null },
  );
}

/**
 * Dollars are stored as a native price only if the page supported its price of nines (D89). Rows and years store such a
 * price that way because it is rare.
 */
export function fromNative(
  seen: Pick<Observation, 'observedAtMs' | 'inStock'>,
  native: Money,
): StoredObservation {
  return native.currency === 'USD'
    ? { ...seen, priceCents: native.cents, native: null, isBacked: true }
    : { ...seen, priceCents: null, native };
}

/** The inverse of `fromNative`: returns the price to store in dollars and the native price. */
export function storedPrice({ priceCents, native, isBacked }: StoredObservation) {
  return priceCents !== null && isBacked === true
    ? { priceCents: null, native: { cents: priceCents, currency: 'USD' } }
    : { priceCents, native };
}
