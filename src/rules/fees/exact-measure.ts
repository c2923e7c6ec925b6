// Weights and sizes without rounding errors: a bracket ends at exactly 3 lb, and 2.75 lb plus 0.25 lb of packing is exactly
// that. They are integers in a unit in which pounds, ounces and dimensional weight are all whole numbers.

/** Cubic inches that count as one pound, the same on every rate card. */
const CUBIC_INCHES_PER_POUND = 139n;

/** Units per inch. Inches have six decimals, so volumes, and therefore pounds, have eighteen. */
const INCH = 1_000_000n;

/** A weight in fractions of a pound: one unit is one cubic micro-inch of dimensional weight. */
export type Weight = bigint;
export const POUND: Weight = CUBIC_INCHES_PER_POUND * INCH ** 3n;
export const OUNCE: Weight = POUND / 16n;

/** A length in millionths of an inch. */
type Length = bigint;

/** Three sides, longest first. */
export type SortedSides = readonly [Length, Length, Length];

function isMeasure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** Converts pounds, to the billionth; null unless it is a number above zero. */
export function weightOf(pounds: number | null): Weight | null {
  if (!isMeasure(pounds)) return null;
  const billionths = BigInt(Math.round(pounds * 1e9));
  return billionths > 0n ? (billionths * POUND) / 1_000_000_000n : null;
}

export function inches(length: number): Length {
  return BigInt(Math.round(length * 1e6));
}

/** Converts three sides in inches, in any order; null if one is missing or not above zero. */
export function sortedSides(sides: readonly (number | null)[]): SortedSides | null {
  const lengths = sides.filter(isMeasure).map(inches);
  const [longest, median, shortest] = lengths.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  if (sides.length !== 3 || longest === undefined || median === undefined) return null;
  if (shortest === undefined || shortest <= 0n) return null;
  return [longest, median, shortest];
}

/** Returns the longest side plus twice the sum of the other two. */
export function lengthPlusGirth([longest, median, shortest]: SortedSides): Length {
  return longest + 2n * (median + shortest);
}

/** Returns the volume divided by 139 cubic inches per pound; the two shorter sides count as at least `leastSide`. */
export function dimensionalWeight(
  [longest, median, shortest]: SortedSides,
  leastSide: Length,
): Weight {
  return longest * greater(median, leastSide) * greater(shortest, leastSide);
}

export function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns the weight in multiples of `unit`, rounded up; 0 for a weight of zero or less. */
export function startedUnits(weight: Weight, unit: Weight): number {
  return weight <= 0n ? 0 : Number((weight + unit - 1n) / unit);
}

/** Returns pounds rounded to four decimals, for display. */
export function poundsOf(weight: Weight): number {
  return Number((weight * 10_000n + POUND / 2n) / POUND) / 10_000;
}
