// Encodes one listing's observations of one UTC year as one short text. docs/how/history.md describes the format. Pure.

import { DAY_MS } from '../../base/clock.ts';
import { decimalsOf, ofHundredths, type Money } from '../../base/listing/money/minor-units.ts';
import {
  BitTextError,
  checksum,
  createBitReader,
  createBitWriter,
  digits,
  type BitReader,
  type BitWriter,
} from './bit-text.ts';
import {
  folded,
  layoutOf,
  readLayout,
  referenceOf,
  unfolded,
  writeLayout,
  type YearLayout,
} from './year-layout.ts';
import {
  COUNT_SHORT,
  GAP_SHORT,
  NATIVE,
  NO_PRICE,
  observationOf,
  readKind,
  readOtherPrice,
  readPrice,
  stateBefore,
  type StoredObservation,
  type ObservationState,
} from './year-state.ts';
import { stepsOf, type Step } from './year-steps.ts';

/**
 * The listing and year of a text. The checksum covers both, so that the text of one listing or year cannot be decoded
 * as another.
 */
export type YearKey = { readonly listingId: string; readonly year: number };

/** Data about an encoded year that is available without decoding it. */
export type YearSummary = {
  readonly observations: number;
  /** UTC days with a price in dollars. */
  readonly pricedDays: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The text is damaged, belongs to another listing or year, or has a version unknown to this program. */
export class EncodedYearError extends Error {
  override readonly name = 'EncodedYearError';
}

/**
 * The first character of every text. Amounts are in minor units (D87), except in the other version, which uses hundredths:
 * it was the only one, and is still written where both are the same.
 */
const MINOR_UNITS = '3';
const HUNDREDTHS = '2';
/** A CRC-32, after the version. */
const CHECKSUM_CHARACTERS = 5;
const HEAD = MINOR_UNITS.length + CHECKSUM_CHARACTERS;

function versionFor(observations: readonly StoredObservation[]): string {
  const isOther = observations.some(({ native }) => native !== null && !isInHundredths(native));
  return isOther ? MINOR_UNITS : HUNDREDTHS;
}

const isInHundredths = ({ currency }: Money): boolean => decimalsOf(currency) === 2;

/** Returns the UTC year of an instant. */
export function yearOf(atMs: number): number {
  return new Date(atMs).getUTCFullYear();
}

/** Returns the summary that is stored with a text. Takes at least one observation, oldest first. */
export function summaryOf(observations: readonly StoredObservation[]): YearSummary {
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

/** Returns the checksum of the version, the listing, the year and the text from index `from` on. */
function checksumOf(
  version: string,
  { listingId, year }: YearKey,
  text: string,
  from: number,
): number {
  return checksum(text, from, checksum(`${version} ${listingId} ${year} `));
}

/**
 * Encodes the observations of one year: at least one, oldest first, with no duplicate instants. Throws RangeError on
 * anything else.
 */
export function encodeYear(yearKey: YearKey, observations: readonly StoredObservation[]): string {
  const writer = createBitWriter();
  const steps = stepsOf(yearKey.year, observations);
  const layout = layoutOf(steps);
  writer.number(observations.length, COUNT_SHORT);
  writeLayout(writer, layout);
  let isFirst = true;
  for (const step of steps) {
    const { unit, usualTime } = layout;
    writeStep(writer, layout, step, isFirst ? usualTime : step.timeBefore / unit);
    isFirst = false;
  }
  const payload = writer.text();
  const version = versionFor(observations);
  return version + digits(checksumOf(version, yearKey, payload, 0), CHECKSUM_CHARACTERS) + payload;
}

/** Writes one observation. `timeBefore` is in units; for the first observation it is the usual time. */
function writeStep(writer: BitWriter, layout: YearLayout, step: Step, timeBefore: number): void {
  const { unit, shorts } = layout;
  const { gap, state, hasPrice, up, isPriceBefore } = step;
  const time = step.time / unit;
  const offset = folded(time - referenceOf(layout, timeBefore));
  const tellOther = (): void => {
    writer.bits(Number(up < 0), 1);
    writer.number(Math.abs(up) - 1, shorts.price);
  };
  const isUsual =
    gap === (layout.isSameDay ? 0 : 1) &&
    (gap === 0 || layout.tellsTime || offset === 0) &&
    state === null &&
    (!hasPrice || (up !== 0) === layout.tellsPrice);
  writer.bits(Number(!isUsual), 1);
  if (isUsual) {
    if (gap === 0) writer.number(time - timeBefore - 1, shorts.later);
    else if (layout.tellsTime) writer.number(offset, shorts.offset);
    if (hasPrice && layout.tellsPrice) tellOther();
    return;
  }
  if (gap === 1) writer.bits(1, 1);
  else writer.bits(gap === 0 ? 1 : 0, 2);
  if (gap > 1) writer.number(gap - 2, GAP_SHORT);
  // Two observations of one day have different times and the second is later, so neither fact needs a bit.
  if (gap === 0) writer.number(time - timeBefore - 1, shorts.later);
  else {
    writer.bits(Number(offset !== 0), 1);
    if (offset !== 0) writer.number(offset, shorts.offset);
  }
  writer.bits(Number(state !== null), 1);
  if (state !== null) writeKind(writer, state);
  if (!hasPrice) return;
  if (up === 0) return writer.bits(0, 1);
  writer.bits(isPriceBefore ? 2 : 3, 2);
  if (!isPriceBefore) tellOther();
}

function writeKind(writer: BitWriter, { kind, stock, currency }: ObservationState): void {
  writer.bits(kind, 2);
  writer.bits(stock, 2);
  if (kind !== NATIVE) return;
  writer.number(currency.length, 2);
  for (let at = 0; at < currency.length; at += 1) writer.number(currency.charCodeAt(at), 7);
}

/**
 * Decodes the observations of a text, oldest first. Throws EncodedYearError unless `encodeYear` wrote exactly this text for
 * this listing and year.
 */
export function decodeYear(yearKey: YearKey, text: string): readonly StoredObservation[] {
  const version = text.slice(0, 1);
  if (version !== MINOR_UNITS && version !== HUNDREDTHS) {
    throw new EncodedYearError(`version "${version}" is not known to this program`);
  }
  try {
    if (!isWhole(yearKey, text)) {
      throw new EncodedYearError('damaged: the checksum does not match');
    }
    const observations = decodeSteps(yearKey.year, createBitReader(text, HEAD));
    return version === HUNDREDTHS ? observations.map(inMinorUnits) : observations;
  } catch (error) {
    if (error instanceof EncodedYearError) throw error;
    const why = error instanceof BitTextError ? error.message : 'damaged: it cannot be decoded';
    throw new EncodedYearError(why, { cause: error });
  }
}

function isWhole(yearKey: YearKey, text: string): boolean {
  const [version = ''] = text;
  const stored = text.slice(version.length, HEAD);
  return stored === digits(checksumOf(version, yearKey, text, HEAD), CHECKSUM_CHARACTERS);
}

/** Converts an amount in hundredths of a currency that is not counted in them. */
function inMinorUnits(seen: StoredObservation): StoredObservation {
  const { native } = seen;
  if (native === null || isInHundredths(native)) return seen;
  return { ...seen, native: ofHundredths(native.cents, native.currency) };
}

function decodeSteps(year: number, reader: BitReader): readonly StoredObservation[] {
  const count = reader.number(COUNT_SHORT);
  const layout = readLayout(reader);
  const state = { ...stateBefore(year), time: layout.usualTime };
  const observations: StoredObservation[] = [];
  while (observations.length < count) {
    readStep(reader, state, layout);
    observations.push(observationOf(state, layout.unit));
  }
  reader.end();
  return observations;
}

/* oxlint-disable no-param-reassign -- changing one state in place makes decoding a year cheap */
function readStep(reader: BitReader, state: ObservationState, layout: YearLayout): void {
  const { shorts } = layout;
  if (reader.bits(1) === 0) {
    if (layout.isSameDay) state.time += 1 + reader.number(shorts.later);
    else {
      state.day += 1;
      state.time = referenceOf(layout, state.time);
      if (layout.tellsTime) state.time += unfolded(reader.number(shorts.offset));
    }
    if (layout.tellsPrice && state.kind !== NO_PRICE) readOtherPrice(reader, state, shorts.price);
    return;
  }
  const gap = reader.bits(1) === 1 ? 1 : reader.bits(1) === 1 ? 0 : 2 + reader.number(GAP_SHORT);
  state.day += gap;
  if (gap === 0) state.time += 1 + reader.number(shorts.later);
  else {
    state.time = referenceOf(layout, state.time);
    if (reader.bits(1) === 1) state.time += unfolded(reader.number(shorts.offset));
  }
  if (reader.bits(1) === 1) readKind(reader, state);
  if (state.kind !== NO_PRICE) readPrice(reader, state, shorts.price);
}
/* oxlint-enable no-param-reassign */
