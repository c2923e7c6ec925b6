// Sizes that one specification states together ("Assembled Product Dimensions (L x W x H)"), told apart by its
// name: of the assembled thing, of the parcel, or of neither in so many words. Knows names, not shops.

import type { Dimensions, Listing, Spec } from '../listing/listing.ts';
import { readDimensions } from '../listing/measure.ts';

export type SpecDimensions = Pick<
  Listing,
  'dimensions' | 'dimensionsAssembled' | 'dimensionsPackage'
>;

/** Nothing but these words beside "dimensions": those of a screen or a seat are not the product's. */
const NAME =
  /^(?:(product|item|unit|overall|actual|assembled|package|packaged|packaging|shipping|carton|box)s? )?(?:(?:product|item|overall) )?(?:dimensions?|size)$/;
const PACKAGE = new Set(['package', 'packaged', 'packaging', 'shipping', 'carton', 'box']);

type Whole = keyof SpecDimensions;

function wholeNamed(name: string): Whole | null {
  const words = name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/\([^()]*\)|[:,]/g, ' ');
  const match = NAME.exec(words.trim().replaceAll(/\s+/g, ' '));
  if (match === null) return null;
  const first = match[1] ?? '';
  if (PACKAGE.has(first)) return 'dimensionsPackage';
  return first === 'assembled' ? 'dimensionsAssembled' : 'dimensions';
}

/** Inches; of several specifications of one kind the first that can be read. */
export function dimensionsInSpecs(specs: readonly Spec[]): SpecDimensions {
  const found: Partial<Record<Whole, Dimensions>> = {};
  for (const { name, value } of specs) {
    const whole = wholeNamed(name);
    if (whole === null || found[whole] !== undefined) continue;
    // The name tells the order of the sides where their texts do not.
    const sides = readDimensions(`${name.slice(0, 100)}: ${value.slice(0, 200)}`);
    // One side alone is a size of clothes or a screen's, no dimensions.
    const known = sides === null ? 0 : Object.values(sides).filter((side) => side !== null).length;
    if (sides !== null && known >= 2) found[whole] = sides;
  }
  return {
    dimensions: found.dimensions ?? null,
    dimensionsAssembled: found.dimensionsAssembled ?? null,
    dimensionsPackage: found.dimensionsPackage ?? null,
  };
}
