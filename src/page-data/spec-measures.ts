// Weight and sides out of a page's specification table ("Product Weight (lb.)", "Assembled Height (in.)").
// Only names that mean the whole thing count: a weight capacity, a nominal width or a cord's length is no
// measure of the product. Knows no shop.

import type { Dimensions, Listing, Spec } from '../listing/listing.ts';
import { readLengthIn, readWeightLbs } from '../listing/measure.ts';

export type SpecMeasures = Pick<
  Listing,
  | 'weightLbs'
  | 'weightAssembledLbs'
  | 'weightPackageLbs'
  | 'dimensions'
  | 'dimensionsAssembled'
  | 'dimensionsPackage'
>;

/** Of what the measure is: the thing, the thing put together, or the box it comes in. */
type Whole = 'plain' | 'assembled' | 'package';
type Side = 'weight' | 'height' | 'width' | 'depth' | 'length';

/** Nothing but these words in front of the measure's own name. */
const NAME = new RegExp(
  '^(?:(product|item|unit|overall|actual|net|assembled|package|packaged|packaging|shipping|' +
    'carton|gross)s? )?(?:(product|item|overall) )?(weight|height|width|depth|length)$',
);
const PACKAGE = new Set(['package', 'packaged', 'packaging', 'shipping', 'carton', 'gross']);

type Named = { readonly whole: Whole; readonly side: Side; readonly unit: string | null };

/** "Product Weight (lb.)" -> plain, weight, lb. */
function measureNamed(text: string): Named | null {
  const match = /^([^()]{1,60})(?:\(([^()]{1,20})\))?\s*:?\s*$/.exec(text.slice(0, 100));
  const words = (match?.[1] ?? '').toLowerCase().trim().replaceAll(/\s+/g, ' ');
  const name = NAME.exec(words);
  const side = name?.[3];
  if (match === null || name === null || side === undefined) return null;
  const first = name[1] ?? '';
  const whole = first === 'assembled' ? 'assembled' : PACKAGE.has(first) ? 'package' : 'plain';
  return { whole, side: side as Side, unit: match[2]?.replace(/\.$/, '').trim() ?? null };
}

type Found = Partial<Record<Side, number>>;

function dimensionsOf(found: Found): Dimensions | null {
  const { height = null, width = null } = found;
  const length = found.depth ?? found.length ?? null;
  if (height === null && width === null && length === null) return null;
  return { heightIn: height, widthIn: width, lengthIn: length };
}

/** Pounds and inches; of several specifications of one measure the first that can be read. */
export function measuresIn(specs: readonly Spec[]): SpecMeasures {
  const found: Record<Whole, Found> = { plain: {}, assembled: {}, package: {} };
  for (const { name, value } of specs) {
    const named = measureNamed(name);
    if (named === null) continue;
    const { whole, side, unit } = named;
    // "97." and ".75" are how some shops write whole numbers and fractions.
    const text = value.slice(0, 100).trim().replace(/^\./, '0.').replace(/\.$/, '');
    const read = side === 'weight' ? readWeightLbs(text, unit) : readLengthIn(text, unit);
    if (read !== null) found[whole][side] ??= read;
  }
  return {
    weightLbs: found.plain.weight ?? null,
    weightAssembledLbs: found.assembled.weight ?? null,
    weightPackageLbs: found.package.weight ?? null,
    dimensions: dimensionsOf(found.plain),
    dimensionsAssembled: dimensionsOf(found.assembled),
    dimensionsPackage: dimensionsOf(found.package),
  };
}
