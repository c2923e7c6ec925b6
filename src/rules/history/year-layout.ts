// The typical values of a year of observations. They are the header of an encoded year, and make the year's typical observation
// short. The encoder chooses them, the decoder reads them. Pure.

import { SECOND_MS } from '../../base/clock.ts';
import { bitLength, numberCost, type BitReader, type BitWriter } from './bit-text.ts';
import type { Step } from './year-steps.ts';

export type YearLayout = {
  /** Milliseconds of one unit of its times: a second if all times are whole seconds, else a millisecond. */
  readonly unit: number;
  /** The usual time of day, in units since the start of the day. */
  readonly usualTime: number;
  /**
   * Whether a time on another day is encoded as a difference from the usual time; otherwise from the time of the previous
   * observation.
   */
  readonly isFromUsual: boolean;
  /** Whether the usual observation is on the same day as the previous one, instead of the next. */
  readonly isSameDay: boolean;
  /** Whether the usual observation on another day states its time; otherwise its time equals the reference time. */
  readonly tellsTime: boolean;
  /** Whether the usual observation has a different price than the previous one. */
  readonly tellsPrice: boolean;
  /** The bit lengths for encoding numbers: times on another day, on the same day, prices. */
  readonly shorts: { readonly offset: number; readonly later: number; readonly price: number };
};

/** Bits of a time of day, per unit. */
const SECOND_BITS = 17;
const MILLISECOND_BITS = 27;
/** The maximum value of a five-bit `short`. */
const MOST_SHORT = 31;

/** Folds the sign into a whole number: 0, -1, 1, -2, 2 ... become 0, 1, 2, 3, 4 ... */
export function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unfolded(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** Returns the reference time for an observation on another day, in units; `timeBefore` is in units too. */
export function referenceOf(layout: YearLayout, timeBefore: number): number {
  return layout.isFromUsual ? layout.usualTime : timeBefore;
}

/** Returns a layout that keeps the steps of a year short. Any other layout could be decoded as well. */
export function layoutOf(steps: readonly Step[]): YearLayout {
  const unit = steps.every(({ time }) => time % SECOND_MS === 0) ? SECOND_MS : 1;
  const apart = steps.filter(({ gap }) => gap > 0);
  const usualTime = usualOf(apart.map(({ time }) => time / unit));
  const fromUsual = apart.map(({ time }) => folded(time / unit - usualTime));
  const fromBefore = apart.map(({ time, timeBefore }, at) =>
    folded((time - (at === 0 ? usualTime * unit : timeBefore)) / unit),
  );
  const usual = bestShort(fromUsual);
  const before = bestShort(fromBefore);
  const isFromUsual = usual.cost <= before.cost;
  const offsets = isFromUsual ? fromUsual : fromBefore;
  const isSameDay = apart.length * 2 < steps.length;
  const laters = steps.flatMap(({ gap, time, timeBefore }) =>
    gap === 0 ? [(time - timeBefore) / unit - 1] : [],
  );
  const prices = steps.flatMap(({ up, isPriceBefore }) =>
    up === 0 || isPriceBefore ? [] : [Math.abs(up) - 1],
  );
  return {
    unit,
    usualTime,
    isFromUsual,
    isSameDay,
    tellsTime: offsets.filter((each) => each !== 0).length * 2 > offsets.length,
    tellsPrice: prices.length * 2 > steps.length,
    shorts: {
      offset: (isFromUsual ? usual : before).short,
      later: bestShort(laters).short,
      price: bestShort(prices).short,
    },
  };
}

/** The middle one. */
function usualOf(times: readonly number[]): number {
  const first = times[0] ?? 0;
  if (times.every((each) => each === first)) return first;
  return Float64Array.from(times).sort()[times.length >> 1] ?? 0;
}

/**
 * Returns the `short` length for which all numbers together take the fewest bits. A length above that of the longest number
 * never does.
 */
function bestShort(numbers: readonly number[]): { readonly short: number; readonly cost: number } {
  if (numbers.length === 0) return { short: 0, cost: 0 };
  const counts = new Uint32Array(54);
  let longest = 0;
  for (const number of numbers) {
    const length = bitLength(number);
    counts[length] = (counts[length] ?? 0) + 1;
    if (length > longest) longest = length;
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let short = 0; short <= Math.min(longest, MOST_SHORT); short += 1) {
    let cost = 0;
    for (let length = 0; length <= longest; length += 1) {
      cost += (counts[length] ?? 0) * numberCost(length, short);
    }
    if (cost >= least) continue;
    best = short;
    least = cost;
  }
  return { short: best, cost: least };
}

export function writeLayout(writer: BitWriter, layout: YearLayout): void {
  const { unit, usualTime, shorts } = layout;
  writer.bits(Number(unit === SECOND_MS), 1);
  writer.bits(Number(layout.isFromUsual), 1);
  writer.bits(Number(layout.isSameDay), 1);
  writer.bits(Number(layout.tellsTime), 1);
  writer.bits(Number(layout.tellsPrice), 1);
  writer.bits(Number(usualTime > 0), 1);
  if (usualTime > 0) writer.bits(usualTime, bitsOfTime(unit));
  for (const short of [shorts.offset, shorts.later, shorts.price]) writer.bits(short, 5);
}

export function readLayout(reader: BitReader): YearLayout {
  const isSet = (): boolean => reader.bits(1) === 1;
  const unit = isSet() ? SECOND_MS : 1;
  const flags = {
    isFromUsual: isSet(),
    isSameDay: isSet(),
    tellsTime: isSet(),
    tellsPrice: isSet(),
  };
  const usualTime = isSet() ? reader.bits(bitsOfTime(unit)) : 0;
  const shorts = { offset: reader.bits(5), later: reader.bits(5), price: reader.bits(5) };
  return { unit, usualTime, ...flags, shorts };
}

function bitsOfTime(unit: number): number {
  return unit === SECOND_MS ? SECOND_BITS : MILLISECOND_BITS;
}
