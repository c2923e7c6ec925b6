// Writes the first format of an encoded year, which the program only reads: six bits to a character, times in milliseconds told
// from the observation before. Kept as it was written until version 2.

import { bitLength, checksum, numberCost } from '../../src/rules/history/bit-text.ts';
import type { YearKey } from '../../src/rules/history/encoded-year.ts';
import {
  COUNT_SHORT,
  GAP_SHORT,
  NATIVE,
  type KeptObservation,
  type ObservationState,
} from '../../src/rules/history/year-state.ts';
import { stepsOf, type Step } from '../../src/rules/history/year-steps.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VERSION = '1';
const CHECKSUM_BITS = 36;

/** The text that the program wrote for these observations. */
export function encodeFirst(
  { listingId, year }: YearKey,
  observations: readonly KeptObservation[],
): string {
  const bits: number[] = [];
  const steps = stepsOf(year, observations);
  const timeShort = bestShort(steps.flatMap(timesOf));
  const priceShort = bestShort(steps.flatMap(pricesOf));
  writeNumber(bits, observations.length, COUNT_SHORT);
  writeBits(bits, timeShort, 5);
  writeBits(bits, priceShort, 5);
  for (const step of steps) writeStep(bits, step, timeShort, priceShort);
  const payload = textOf(bits);
  const sum: number[] = [];
  writeBits(sum, checksum(payload, 0, checksum(`${VERSION} ${listingId} ${year} `)), CHECKSUM_BITS);
  return VERSION + textOf(sum) + payload;
}

function writeBits(bits: number[], value: number, count: number): void {
  for (let at = count - 1; at >= 0; at -= 1) bits.push(Math.floor(value / 2 ** at) % 2);
}

function writeNumber(bits: number[], value: number, short: number): void {
  const significant = bitLength(value);
  if (significant <= short) return writeBits(bits, 2 ** short + value, short + 1);
  writeBits(bits, 0, significant - short);
  writeBits(bits, value, significant);
}

function textOf(bits: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bits.length; at += 6) {
    let value = 0;
    for (let bit = 0; bit < 6; bit += 1) value = 2 * value + (bits[at + bit] ?? 0);
    text += ALPHABET.charAt(value);
  }
  return text;
}

const timesOf = ({ time, timeBefore }: Step): readonly number[] =>
  time === timeBefore ? [] : [Math.abs(time - timeBefore) - 1];

const pricesOf = ({ up, isPriceBefore }: Step): readonly number[] =>
  up === 0 || isPriceBefore ? [] : [Math.abs(up) - 1];

function bestShort(magnitudes: readonly number[]): number {
  const costs = Array.from({ length: 32 }, (_, short) =>
    magnitudes.reduce((sum, each) => sum + numberCost(bitLength(each), short), 0),
  );
  return costs.indexOf(Math.min(...costs));
}

function writeStep(bits: number[], step: Step, timeShort: number, priceShort: number): void {
  const { gap, state, hasPrice, up, isPriceBefore } = step;
  const later = step.time - step.timeBefore;
  if (gap === 1 && later === 0 && state === null && up === 0) return writeBits(bits, 0, 1);
  writeBits(bits, 1, 1);
  if (gap === 1) writeBits(bits, 1, 1);
  else writeBits(bits, gap === 0 ? 1 : 0, 2);
  if (gap > 1) writeNumber(bits, gap - 2, GAP_SHORT);
  if (gap > 0) writeBits(bits, later === 0 ? 0 : 1, 1);
  if (gap > 0 && later !== 0) writeBits(bits, Number(later < 0), 1);
  if (later !== 0) writeNumber(bits, Math.abs(later) - 1, timeShort);
  writeBits(bits, state === null ? 0 : 1, 1);
  if (state !== null) writeState(bits, state);
  if (!hasPrice) return;
  if (up === 0) return writeBits(bits, 0, 1);
  writeBits(bits, isPriceBefore ? 2 : 3, 2);
  if (isPriceBefore) return;
  writeBits(bits, Number(up < 0), 1);
  writeNumber(bits, Math.abs(up) - 1, priceShort);
}

function writeState(bits: number[], { kind, stock, currency }: ObservationState): void {
  writeBits(bits, kind, 2);
  writeBits(bits, stock, 2);
  if (kind !== NATIVE) return;
  writeNumber(bits, currency.length, 2);
  for (let at = 0; at < currency.length; at += 1) writeNumber(bits, currency.charCodeAt(at), 7);
}
