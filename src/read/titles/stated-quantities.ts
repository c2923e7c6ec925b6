// Reads the quantities stated in a title or a specification line: weights, volumes, sizes, lengths and storage, each in one
// unit. Numbers that only look like a quantity (focal lengths, speeds, codes) are excluded.

import { spelledOut } from '../../base/listing/measures/measure.ts';
import { goodsOf, isInCode, isMeant, isNoMeasure, unitWord } from './quantity-decoys.ts';
import type { KindOfGoods } from './quantity-decoys.ts';
import { LONG_GOODS } from './quantity-words.ts';
import { measureText, numbersWithUnits } from '../../base/listing/measures/number-with-unit.ts';
import type { NumberWithUnit } from '../../base/listing/measures/number-with-unit.ts';
import { inchesOf, rowsOf } from '../../base/listing/measures/sides.ts';
import type { LabelledSide } from '../../base/listing/measures/sides.ts';
import { ML_PER_FLUID_OUNCE, UNITS } from '../../base/listing/measures/units.ts';
import type { Unit } from '../../base/listing/measures/units.ts';

export type StatedQuantity =
  | { readonly kind: 'weight'; readonly value: number; readonly unit: 'lb' }
  | { readonly kind: 'volume'; readonly value: number; readonly unit: 'ml' }
  | { readonly kind: 'length'; readonly value: number; readonly unit: 'in' }
  | { readonly kind: 'capacity'; readonly value: number; readonly unit: 'GB' }
  /** Sides in the order written. */
  | { readonly kind: 'dimensions'; readonly value: readonly number[]; readonly unit: 'in' };

/** Restores slashes and inch marks lost in lower-case goods lists: `8-1 2`, `53 3 4`, `27 '`. */
function restored(line: string): string {
  const isLong = (line.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => LONG_GOODS.has(word));
  const marked = isLong ? line : line.replaceAll(/(\d) '(?!\s?\d{1,2}\s?")/g, '$1"');
  if (marked !== marked.toLowerCase() || marked.includes('/')) return marked;
  const fraction = (all: string, whole: string, upper: string, lower: string): string =>
    Number(upper) % 2 === 1 && Number(upper) < Number(lower) ? `${whole} ${upper}/${lower}` : all;
  return marked
    .replaceAll(/(?<![\d.-])(\d{1,3})-(\d{1,2}) (2|4|8|16|32)(?![\d.])/g, fraction)
    .replaceAll(/(?<=\bx )(\d{1,3}) (\d{1,2}) (2|4|8|16)(?![\d.])/g, fraction)
    .replaceAll(/(?<![\d.-])(\d{1,3}) (\d{1,2}) (2|4|8|16)(?= x \d)/g, fraction)
    .replaceAll(/(?<![\d./-] ?)([1357]) (4|8|16)(?=in\b)/g, '$1/$2');
}

/** Converts to gigabytes. Megabytes that are a power of two are parts of a gigabyte of 1024: `512 MB` is half of one. */
function inGigabytes(line: string, quantity: NumberWithUnit): number {
  const megabytes = Math.round(quantity.value * 1000);
  const isBinary =
    /^mb|^mega/i.test(unitWord(line, quantity)) && Number.isInteger(Math.log2(megabytes));
  return rounded(isBinary ? megabytes / 1024 : quantity.value);
}

function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** Maximum quantity of each kind, in pounds, inches, milliliters or gigabytes. A larger number counts something else. */
const MOST: Readonly<Record<Unit['kind'], number>> = {
  weight: 100_000,
  length: 40_000,
  volume: 10_000_000,
  storage: 1_000_000,
};

function single(line: string, quantity: NumberWithUnit, goods: KindOfGoods): StatedQuantity | null {
  const { unit } = quantity;
  if (unit === null || !(quantity.value > 0) || quantity.value > MOST[unit.kind]) return null;
  if (isNoMeasure(line, quantity) || !isMeant(line, quantity, unit, goods)) return null;
  const value = rounded(quantity.value);
  switch (unit.kind) {
    case 'weight': {
      const isOunces = /^(?:oz|ozs|ounces?)$/i.test(unitWord(line, quantity));
      if (!isOunces || !goods.isLiquid) return { kind: 'weight', value, unit: 'lb' };
      const ml = rounded(quantity.value * 16 * ML_PER_FLUID_OUNCE);
      return { kind: 'volume', value: ml, unit: 'ml' };
    }
    case 'volume':
      return { kind: 'volume', value, unit: 'ml' };
    case 'length':
      return { kind: 'length', value, unit: 'in' };
    case 'storage':
      return { kind: 'capacity', value: inGigabytes(line, quantity), unit: 'GB' };
  }
}

const INCH = UNITS.get('in') ?? null;

/** Maximum sheet width in inches; larger numbers are pixels. */
const WIDEST_SHEET = 400;

/** Whether a row of numbers is a size: `8 x 10`, `24-by-36`, `10"H 5"W`; `3x 120mm` are three of something. */
function isSize(line: string, row: readonly LabelledSide[]): boolean {
  const [first] = row;
  const last = row.at(-1);
  if (first === undefined || last === undefined || row.length < 2) return false;
  const gaps = row.slice(1).map(({ quantity }, index) => {
    return line.slice(row[index]?.quantity.end ?? 0, quantity.start);
  });
  if (gaps.some((gap) => gap.includes('- ') || /^x\s/i.test(gap))) return false;
  // `#8 x 1-1/4 in.`: a screw's gauge, then its length.
  if (
    /(?:#|\bno\.?)\s?$/i.test(
      line.slice(Math.max(0, first.quantity.start - 5), first.quantity.start),
    )
  )
    return false;
  const isJoined = gaps.every((gap) => /x|\bby\b/i.test(gap));
  // `7D & 60D` are cameras, `13w x 4d 7h` has lost a mark.
  const isPartly = gaps.some((gap) => /x|\bby\b/i.test(gap));
  const isLabelled = row.every(
    ({ label, quantity }) => label !== null && (quantity.unit !== null || isPartly),
  );
  if (!isJoined && !isLabelled) return false;
  if (isNoMeasure(line, last.quantity) && last.quantity.unit !== null) return false;
  return !/^\s?x\b/i.test(line.slice(last.quantity.end, last.quantity.end + 3));
}

/** Minimum roll length in inches. Anything shorter is a rug, whose two numbers are both feet. */
const SHORTEST_ROLL = 240;

/** Handles `24 x 100 ft` of paper: inches wide, feet long. */
function mixed(row: readonly LabelledSide[], goods: KindOfGoods): readonly LabelledSide[] {
  const { unit } = row.at(-1)?.quantity ?? {};
  const isLong = unit !== undefined && unit !== null && unit.factor >= 12;
  const last = row.at(-1)?.quantity.value ?? 0;
  if (!isLong || !goods.isSheet || last < SHORTEST_ROLL) return row;
  return row.map((each) =>
    each.quantity.unit === null ? { ...each, quantity: { ...each.quantity, unit: INCH } } : each,
  );
}

function sizeOf(
  line: string,
  row: readonly LabelledSide[],
  goods: KindOfGoods,
): StatedQuantity | null {
  if (!isSize(line, row) || goods.isTyre) return null;
  const hasUnit = row.some(({ quantity }) => quantity.unit !== null);
  const isLabelled = row.every(({ label }) => label !== null);
  const isNarrow = row.every(({ quantity }) => quantity.value <= WIDEST_SHEET);
  // `34W x 32L` of trousers is the buyer's size.
  const isInches = (goods.isSheet || (isLabelled && !goods.isWorn)) && isNarrow;
  const inches = hasUnit
    ? inchesOf(mixed(row, goods), null)
    : isInches
      ? inchesOf(row, INCH)
      : null;
  if (inches === null || inches.some((value) => !(value > 0))) return null;
  return { kind: 'dimensions', value: inches.map(rounded), unit: 'in' };
}

/** The maximum relative difference at which two quantities are one stated twice, in two units or in two places. */
const SAME = 0.025;

function isSame(a: StatedQuantity, b: StatedQuantity): boolean {
  if (a.kind !== b.kind) return false;
  const [left, right] = [[a.value].flat(), [b.value].flat()];
  if (left.length !== right.length) return false;
  return left.every((value, index) => Math.abs(value - (right[index] ?? 0)) <= value * SAME);
}

/** Whether stated ounces were fluid ounces: `3.4 oz / 100 ml`. */
function isFluid(stated: StatedQuantity, all: readonly StatedQuantity[]): boolean {
  if (stated.kind !== 'weight') return false;
  const value = stated.value * 16 * ML_PER_FLUID_OUNCE;
  return all.some((each) => isSame(each, { kind: 'volume', value, unit: 'ml' }));
}

/** Whether this is a part whose total is stated next to it: `8 GB (2 x 4 GB)`. */
function isPart(line: string, stated: StatedQuantity, all: readonly StatedQuantity[]): boolean {
  if (stated.kind !== 'capacity') return false;
  return [...line.matchAll(PARTS)].some(([, count = '', size = '', unit = '']) => {
    const value = Number(size) * (/^t/i.test(unit) ? 1000 : 1);
    const whole = { ...stated, value: Number(count) * value };
    return isSame(stated, { ...stated, value }) && all.some((each) => isSame(each, whole));
  });
}

const PARTS = /(?<![\p{L}\d.])(\d{1,2})\s?[x×*]\s?(\d{1,4}(?:\.\d)?)\s?([gt])b?(?!\p{L})/giu;

/** `8G GDDR5X`, `16G RAM`. */
const MEMORY =
  /(?<![\p{L}\d.-])(\d{1,3})\s?G(?=\s(?:G?DDR\dX?|RAM|VRAM|SSD|eMMC|ROM)(?![\p{L}\d]))/gu;

/**
 * Returns the quantities in a title or line, without duplicates, in order: pounds, milliliters, inches, gigabytes. Ounces
 * of drinks and other liquids are fluid ounces; a bare "8 x 10" is in inches for paper, labels and mats, and not a size for
 * anything else.
 */
export function statedQuantities(text: string): readonly StatedQuantity[] {
  const line = spelledOut(restored(measureText(text))).replaceAll(MEMORY, '$1GB');
  const goods = goodsOf(line);
  const quantities = numbersWithUnits(line).filter((each) => !isInCode(line, each));
  const rows = rowsOf(line, quantities);
  const found: StatedQuantity[] = [];
  const add = (stated: StatedQuantity | null): void => {
    if (stated !== null && !found.some((each) => isSame(each, stated))) found.push(stated);
  };
  const sized = new Map<NumberWithUnit, StatedQuantity | null>();
  for (const row of rows) {
    const size = sizeOf(line, row, goods);
    // The numbers in a tyre name are neither a size nor lengths.
    if (size === null && !(goods.isTyre && row.length > 1)) continue;
    for (const [index, { quantity }] of row.entries())
      sized.set(quantity, index === 0 ? size : null);
  }
  for (const quantity of quantities) {
    const size = sized.get(quantity);
    add(size === undefined ? single(line, quantity, goods) : size);
  }
  return found.filter((each) => !isFluid(each, found) && !isPart(line, each, found));
}
