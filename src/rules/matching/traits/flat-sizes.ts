// Reads the sizes of flat or angular goods in titles, "140x200 cm", "60 x 40 x 3", and standard sizes and grades. Two titles
// that state different ones are of two products.

import type { Conflict } from '../pair/conflicts.ts';

/** The sides, longest first, in millimetres if a unit follows them. */
export type FlatSize = {
  readonly sides: readonly number[];
  readonly unit: string | null;
  readonly said: string;
};

/** From 10 on: "2 x 400" and "4x4" count something. */
const SIDE = String.raw`(\d{2,4}(?:[.,]\d{1,2})?)`;
const UNIT = String.raw` ?(mm|cm|m|in|inch|inches|zoll|"|'')?`;
/** Units of pack contents: "24 x 12 oz". */
const CONTENT = String.raw`(?:fl|oz|ml|cl|gr?|kg|mg|lbs?|l|liters?|litres?|ct|count|packs?|pcs?|pieces?|sheets?|mah|[gt]b|w|v)\b`;
const SIZE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/-])${SIDE}${UNIT} ?[x*] ?${SIDE}${UNIT}(?: ?[x*] ?(\d{1,4}(?:[.,]\d{1,2})?)${UNIT})?(?![\p{L}\p{N}]| ?${CONTENT})`,
  'gu',
);

const MILLIMETRES: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000 };

/** Returns the only such size of a title in `plainText`; null if there is none, or several. */
export function flatSizeOf(plain: string): FlatSize | null {
  if (!/\d ?\S{0,4} ?[x*] ?\d\d/.test(plain)) return null;
  const found = [...plain.matchAll(SIZE)];
  const [all, one = '', first, two = '', second, three, third] = found[0] ?? [];
  if (all === undefined || found.length > 1) return null;
  const unit = third ?? second ?? first;
  const factor = unit === undefined ? 1 : (MILLIMETRES[unit] ?? 25.4);
  const sides = [one, two, ...(three === undefined ? [] : [three])]
    .map((side) => Number(side.replace(',', '.')) * factor)
    .toSorted((a, b) => b - a);
  return { sides, unit: unit === undefined ? null : 'mm', said: all.trim() };
}

type Sized = { readonly flatSize: FlatSize | null };

/** Returns two sizes whose longest or second side differs by more than shops round. */
export function flatSizes({ flatSize: a }: Sized, { flatSize: b }: Sized): Conflict | null {
  // Without a unit, it is unknown whether two sizes are the same.
  if (a === null || b === null || a.unit !== b.unit) return null;
  const isOther = [0, 1].some((at) => isOtherSide(a.sides[at] ?? 0, b.sides[at] ?? 0, a.unit));
  return isOther ? { reason: 'size', detail: `size ${a.said} vs ${b.said}` } : null;
}

const ROUNDED = 0.03;

function isOtherSide(one: number, two: number, unit: string | null): boolean {
  const apart = Math.abs(one - two);
  return apart > ROUNDED * Math.max(one, two) && apart > (unit === null ? 0.6 : 6);
}

type Designated = { readonly designations: ReadonlyMap<string, string> };

/** Returns another size, load, grade or scale, or another plug of a cable. */
export function designations(a: Designated, b: Designated): Conflict | null {
  for (const [name, one] of a.designations) {
    const two = b.designations.get(name);
    if (two === undefined || one === two) continue;
    return { reason: name === 'plugs' ? 'title' : 'size', detail: `${name} ${one} vs ${two}` };
  }
  return null;
}
