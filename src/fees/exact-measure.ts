// Weights and sizes without rounding errors: a bracket ends at exactly 3 lb, and a parcel of 2.75 lb with 0.25 lb
// of packing is exactly that. Integers of a unit in which pounds, ounces and dimensional weight are all whole.

/** Cubic inches that count as a pound, on every card that is held. */
const CUBIC_INCHES_PER_POUND = 139n;

/** Inches have six decimals; a volume then has eighteen, and so has a pound. */
const INCH = 1_000_000n;

/** A weight as parts of a pound: one part is a cubic micro-inch of dimensional weight. */
export type Weight = bigint;
export const POUND: Weight = CUBIC_INCHES_PER_POUND * INCH ** 3n;
export const OUNCE: Weight = POUND / 16n;

/** A length as millionths of an inch. */
export type Length = bigint;

/** From the longest to the shortest. */
export type Sides = readonly [Length, Length, Length];

function isMeasure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** Pounds, to the billionth; null for what is no weight. */
export function weightOf(pounds: number | null): Weight | null {
  if (!isMeasure(pounds)) return null;
  const billionths = BigInt(Math.round(pounds * 1e9));
  return billionths > 0n ? (billionths * POUND) / 1_000_000_000n : null;
}

export function lengthOf(inches: number): Length {
  return BigInt(Math.round(inches * 1e6));
}

/** Three sides in any order; null when one is missing or is none. */
export function sidesOf(inches: readonly (number | null)[]): Sides | null {
  const lengths = inches.filter(isMeasure).map(lengthOf);
  const [longest, median, shortest] = lengths.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  if (inches.length !== 3 || longest === undefined || median === undefined) return null;
  if (shortest === undefined || shortest <= 0n) return null;
  return [longest, median, shortest];
}

/** The longest side and twice the other two. */
export function lengthPlusGirth([longest, median, shortest]: Sides): Length {
  return longest + 2n * (median + shortest);
}

/** Volume by 139; the two shorter sides count as at least `leastSide`. */
export function dimensionalWeight([longest, median, shortest]: Sides, leastSide: Length): Weight {
  return longest * greater(median, leastSide) * greater(shortest, leastSide);
}

export function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Started units of `unit` in a weight; 0 for none. */
export function startedUnits(weight: Weight, unit: Weight): number {
  return weight <= 0n ? 0 : Number((weight + unit - 1n) / unit);
}

/** Pounds with four decimals, for people. */
export function poundsOf(weight: Weight): number {
  return Number((weight * 10_000n + POUND / 2n) / POUND) / 10_000;
}
