// The observations of one listing in one UTC year, encoded as one short text. docs/price-history-storage.md describes
// the format. Pure.

import {
  checksum,
  bitLength,
  createBitWriter,
  numberCost,
  type BitWriter,
  BitTextError,
  createBitReader,
  type BitReader,
} from './bit-text.ts';
import { DAY_MS } from '../core/clock.ts';
import type { Money } from '../listing/money.ts';
import type { Observation } from './daily-bars.ts';

/**
 * An observation as it is stored: `native` is a price in another or an unknown currency, and then `priceCents` is null.
 */
export type KeptObservation = Observation & { readonly native: Money | null };

/**
 * The listing and year of a text. The checksum covers both, so that the text of one listing or year cannot be decoded
 * as another.
 */
export type YearKey = { readonly listingId: string; readonly year: number };

/** What is known of an encoded year without decoding it. */
export type YearSummary = {
  readonly observations: number;
  /** UTC days with a price in dollars. */
  readonly pricedDays: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The text is damaged, belongs to another listing or year, or has a version that this program does not know. */
export class EncodedYearError extends Error {
  override readonly name = 'EncodedYearError';
}

/** The first character of every text. */
export const VERSION = '1';
/** A CRC-32, in whole characters of six bits. */
export const CHECKSUM_BITS = 36;
/** Characters before the payload: version and checksum. */
export const HEAD = VERSION.length + CHECKSUM_BITS / 6;
/** The bit lengths that are cheapest to write, for the number of observations and for the days between two of them. */
export const COUNT_SHORT = 8;
export const GAP_SHORT = 3;

/** The kind of a price. The values are part of the format. */
export const NO_PRICE = 0;
export const DOLLARS = 1;
export const NATIVE = 2;
export const NATIVE_UNKNOWN = 3;

/**
 * The previous observation, from which the next one is written as a difference. `stateBefore` gives the one before the
 * first.
 */
export type ObservationState = {
  day: number;
  /** Milliseconds since the start of the day. */
  time: number;
  kind: number;
  /** 0: not in stock, 1: in stock, 2: unknown. */
  stock: number;
  currency: string;
  cents: number;
  /** The price before `cents`: a sale often ends at the price it began with. */
  centsBefore: number;
};

/** The state from which the first observation of a year is written as a difference; part of the format. */
export function stateBefore(year: number): ObservationState {
  const day = firstDayOf(year) - 1;
  return { day, time: 0, kind: DOLLARS, stock: 1, currency: '', cents: 0, centsBefore: 0 };
}

/** 1 January of the year, in days since 1970. */
export function firstDayOf(year: number): number {
  return Date.UTC(year, 0, 1) / DAY_MS;
}

/** The UTC year of an instant. */
export function yearOf(atMs: number): number {
  return new Date(atMs).getUTCFullYear();
}

/** Checksum of the listing, the year, the version and the text from index `from` on. */
export function checksumOf({ listingId, year }: YearKey, version: string, text: string, from = 0) {
  return checksum(text, from, checksum(`${version} ${listingId} ${year} `));
}

/** The summary that is stored beside a text. Takes at least one observation, oldest first. */
export function summaryOf(observations: readonly KeptObservation[]): YearSummary {
  let pricedDays = 0;
  let lastPriced = -1;
  for (const { observedAtMs, priceCents } of observations) {
    if (priceCents === null) continue;
    const day = Math.floor(observedAtMs / DAY_MS);
    if (day !== lastPriced) pricedDays += 1;
    lastPriced = day;
  }
  return {
    observations: observations.length,
    pricedDays,
    firstMs: observations[0]?.observedAtMs ?? 0,
    lastMs: observations.at(-1)?.observedAtMs ?? 0,
  };
}

/**
 * Encodes the observations of one year: at least one, oldest first, no instant twice. Throws RangeError on anything
 * else, because a text that cannot be decoded must not replace the observations it was made from.
 */
export function encodeYear(yearKey: YearKey, observations: readonly KeptObservation[]): string {
  const writer = createBitWriter();
  const steps = stepsOf(yearKey.year, observations);
  const timeShort = bestShort(steps.map((step) => step.timeMagnitude));
  const priceShort = bestShort(steps.map((step) => step.priceMagnitude));
  writer.number(observations.length, COUNT_SHORT);
  writer.bits(timeShort, 5);
  writer.bits(priceShort, 5);
  for (const step of steps) writeStep(writer, step, timeShort, priceShort);
  const payload = writer.text();
  const head = createBitWriter();
  head.bits(checksumOf(yearKey, VERSION, payload), CHECKSUM_BITS);
  return VERSION + head.text() + payload;
}

/** One observation as differences from the one before; a magnitude is null when no such number is written. */
type Step = {
  readonly gap: number;
  readonly timeBack: boolean;
  readonly timeMagnitude: number | null;
  readonly state: ObservationState | null;
  readonly hasPrice: boolean;
  readonly isPriceBefore: boolean;
  readonly priceDown: boolean;
  readonly priceMagnitude: number | null;
};

function stepsOf(year: number, observations: readonly KeptObservation[]): readonly Step[] {
  if (observations.length === 0) throw new RangeError('no observations to encode');
  const [from, to] = [firstDayOf(year), firstDayOf(year + 1)];
  let before = stateBefore(year);
  return observations.map((seen) => {
    const after = stateAfter(before, seen);
    if (!(after.day >= from && after.day < to))
      throw new RangeError(`an observation is outside the year ${year}`);
    const gap = after.day - before.day;
    const later = after.time - before.time;
    if (gap < 0 || (gap === 0 && later <= 0))
      throw new RangeError('observations are not in order of time');
    const isSame =
      after.kind === before.kind &&
      after.stock === before.stock &&
      after.currency === before.currency;
    const up = after.cents - before.cents;
    const isPriceBefore = up !== 0 && after.cents === before.centsBefore;
    const step: Step = {
      gap,
      timeBack: later < 0,
      timeMagnitude: later === 0 ? null : Math.abs(later) - 1,
      state: isSame ? null : after,
      hasPrice: after.kind !== NO_PRICE,
      isPriceBefore,
      priceDown: up < 0,
      priceMagnitude: up === 0 || isPriceBefore ? null : Math.abs(up) - 1,
    };
    before = after;
    return step;
  });
}

function stateAfter(before: ObservationState, seen: KeptObservation): ObservationState {
  const { observedAtMs, priceCents, native, inStock } = seen;
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

/** The `short` length with which all magnitudes together take the fewest bits. */
function bestShort(magnitudes: readonly (number | null)[]): number {
  const counts = new Map<number, number>();
  for (const magnitude of magnitudes) {
    if (magnitude === null) continue;
    const length = bitLength(magnitude);
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let short = 0; short < 32; short += 1) {
    let cost = 0;
    for (const [length, count] of counts) cost += count * numberCost(length, short);
    if (cost >= least) continue;
    best = short;
    least = cost;
  }
  return best;
}

function writeStep(writer: BitWriter, step: Step, timeShort: number, priceShort: number): void {
  const { gap, timeMagnitude, state, hasPrice, isPriceBefore, priceMagnitude } = step;
  const isPriceSame = !isPriceBefore && priceMagnitude === null;
  if (gap === 1 && timeMagnitude === null && state === null && isPriceSame) {
    writer.bits(0, 1);
    return;
  }
  writer.bits(1, 1);
  if (gap === 1) writer.bits(1, 1);
  else writer.bits(gap === 0 ? 1 : 0, 2);
  if (gap > 1) writer.number(gap - 2, GAP_SHORT);
  // Two observations of one day differ in time and the second is later, so neither fact is written.
  if (gap > 0) writer.bits(timeMagnitude === null ? 0 : 1, 1);
  if (gap > 0 && timeMagnitude !== null) writer.bits(Number(step.timeBack), 1);
  if (timeMagnitude !== null) writer.number(timeMagnitude, timeShort);
  writer.bits(state === null ? 0 : 1, 1);
  if (state !== null) writeState(writer, state);
  if (!hasPrice) return;
  if (isPriceSame) return writer.bits(0, 1);
  writer.bits(isPriceBefore ? 2 : 3, 2);
  if (priceMagnitude === null) return;
  writer.bits(Number(step.priceDown), 1);
  writer.number(priceMagnitude, priceShort);
}

function writeState(writer: BitWriter, { kind, stock, currency }: ObservationState): void {
  writer.bits(kind, 2);
  writer.bits(stock, 2);
  if (kind !== NATIVE) return;
  writer.number(currency.length, 2);
  for (let at = 0; at < currency.length; at += 1) writer.number(currency.charCodeAt(at), 7);
}

/**
 * The observations of a text, oldest first. Throws EncodedYearError unless `encodeYear` wrote exactly this text for
 * this listing and year.
 */
export function decodeYear(yearKey: YearKey, text: string): readonly KeptObservation[] {
  if (!text.startsWith(VERSION)) {
    throw new EncodedYearError(`version "${text.slice(0, 1)}" is not known to this program`);
  }
  try {
    const stored = createBitReader(text.slice(VERSION.length, HEAD)).bits(CHECKSUM_BITS);
    if (stored !== checksumOf(yearKey, VERSION, text, HEAD)) {
      throw new EncodedYearError('damaged: the checksum does not match');
    }
    const reader = createBitReader(text, HEAD);
    const count = reader.number(COUNT_SHORT);
    const shorts = { time: reader.bits(5), price: reader.bits(5) };
    const state = stateBefore(yearKey.year);
    const observations: KeptObservation[] = [];
    while (observations.length < count) {
      readStep(reader, state, shorts);
      observations.push(observationOf(state));
    }
    reader.end();
    return observations;
  } catch (error) {
    if (error instanceof EncodedYearError) throw error;
    const why = error instanceof BitTextError ? error.message : 'damaged: it cannot be decoded';
    throw new EncodedYearError(why, { cause: error });
  }
}

type Shorts = { readonly time: number; readonly price: number };

/* oxlint-disable no-param-reassign -- changing one state in place makes decoding a year cheap */
function readStep(reader: BitReader, state: ObservationState, shorts: Shorts): void {
  if (reader.bits(1) === 0) {
    state.day += 1;
    return;
  }
  const gap = reader.bits(1) === 1 ? 1 : reader.bits(1) === 1 ? 0 : 2 + reader.number(GAP_SHORT);
  state.day += gap;
  if (gap === 0) state.time += 1 + reader.number(shorts.time);
  else if (reader.bits(1) === 1) {
    const sign = reader.bits(1) === 1 ? -1 : 1;
    state.time += sign * (1 + reader.number(shorts.time));
  }
  if (reader.bits(1) === 1) readState(reader, state);
  if (state.kind === NO_PRICE || reader.bits(1) === 0) return;
  const { cents } = state;
  if (reader.bits(1) === 0) state.cents = state.centsBefore;
  else {
    const sign = reader.bits(1) === 1 ? -1 : 1;
    state.cents += sign * (1 + reader.number(shorts.price));
  }
  state.centsBefore = cents;
}

function readState(reader: BitReader, state: ObservationState): void {
  state.kind = reader.bits(2);
  state.stock = reader.bits(2);
  state.currency = '';
  if (state.kind !== NATIVE) return;
  const charCodes = Array.from({ length: reader.number(2) }, () => reader.number(7));
  state.currency = String.fromCharCode(...charCodes);
}
/* oxlint-enable no-param-reassign */

function observationOf({
  day,
  time,
  kind,
  stock,
  currency,
  cents,
}: ObservationState): KeptObservation {
  const observedAtMs = day * DAY_MS + time;
  const inStock = stock === 2 ? null : stock === 1;
  if (kind === DOLLARS) return { observedAtMs, priceCents: cents, inStock, native: null };
  if (kind === NO_PRICE) return { observedAtMs, priceCents: null, inStock, native: null };
  const native = { cents, currency: kind === NATIVE ? currency : null };
  return { observedAtMs, priceCents: null, inStock, native };
}
