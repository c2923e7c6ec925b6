// A page's table of specifications: a value by its name, weights and sizes. Only names that mean the whole product count: a
// weight capacity, a nominal width or a cord's length is no measure of it. Knows no shop.

import type { Dimensions, Listing, Spec } from '../listing/listing.ts';
import { readDimensions, readLengthIn, readWeightLbs } from '../listing/measure.ts';

/** The value of the first specification with one of these names, letter case ignored; earlier names win. */
export function specNamed(specs: readonly Spec[], names: readonly string[]): string | null {
  for (const wanted of names) {
    const lower = wanted.toLowerCase();
    const found = specs.find(({ name }) => name.toLowerCase() === lower);
    if (found !== undefined) return found.value;
  }
  return null;
}

export type SpecDimensions = Pick<
  Listing,
  'dimensions' | 'dimensionsAssembled' | 'dimensionsPackage'
>;

export type SpecMeasures = SpecDimensions &
  Pick<Listing, 'weightLbs' | 'weightAssembledLbs' | 'weightPackageLbs'>;

/** Words in front of a measure that make it the parcel's. */
const OF_PACKAGE = new Set([
  'package',
  'packaged',
  'packaging',
  'shipping',
  'carton',
  'box',
  'gross',
]);

/** What is measured: the product, the product put together, or the box it comes in. */
type MeasuredThing = 'plain' | 'assembled' | 'package';

function thingNamed(firstWord: string): MeasuredThing {
  if (firstWord === 'assembled') return 'assembled';
  return OF_PACKAGE.has(firstWord) ? 'package' : 'plain';
}

type Measure = 'weight' | 'height' | 'width' | 'depth' | 'length';

/** Nothing but these words in front of the measure's own name. */
const MEASURE_NAME = new RegExp(
  '^(?:(product|item|unit|overall|actual|net|assembled|package|packaged|packaging|shipping|' +
    'carton|gross)s? )?(?:(product|item|overall) )?(weight|height|width|depth|length)$',
);

type NamedMeasure = {
  readonly thing: MeasuredThing;
  readonly measure: Measure;
  readonly unit: string | null;
};

/** "Product Weight (lb.)" -> plain, weight, lb. */
function measureNamed(text: string): NamedMeasure | null {
  const match = /^([^()]{1,60})(?:\(([^()]{1,20})\))?\s*:?\s*$/.exec(text.slice(0, 100));
  const words = (match?.[1] ?? '').toLowerCase().trim().replaceAll(/\s+/g, ' ');
  const name = MEASURE_NAME.exec(words);
  const measure = name?.[3];
  if (match === null || name === null || measure === undefined) return null;
  return {
    thing: thingNamed(name[1] ?? ''),
    measure: measure as Measure,
    unit: match[2]?.replace(/\.$/, '').trim() ?? null,
  };
}

type Measures = Partial<Record<Measure, number>>;

function dimensionsOf(measures: Measures): Dimensions | null {
  const { height = null, width = null } = measures;
  const length = measures.depth ?? measures.length ?? null;
  if (height === null && width === null && length === null) return null;
  return { heightIn: height, widthIn: width, lengthIn: length };
}

/**
 * Pounds and inches of specifications that state one measure each ("Assembled Height (in.)"); of several of one measure
 * the first that can be read.
 */
export function measuresIn(specs: readonly Spec[]): SpecMeasures {
  const found: Record<MeasuredThing, Measures> = { plain: {}, assembled: {}, package: {} };
  for (const { name, value } of specs) {
    const named = measureNamed(name);
    if (named === null) continue;
    const { thing, measure, unit } = named;
    // "97." and ".75" are how some shops write whole numbers and fractions.
    const text = value.slice(0, 100).trim().replace(/^\./, '0.').replace(/\.$/, '');
    const read = measure === 'weight' ? readWeightLbs(text, unit) : readLengthIn(text, unit);
    if (read !== null) found[thing][measure] ??= read;
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

/** Nothing but these words beside "dimensions": those of a screen or a seat are not the product's. */
const DIMENSIONS_NAME =
  /^(?:(product|item|unit|overall|actual|assembled|package|packaged|packaging|shipping|carton|box)s? )?(?:(?:product|item|overall) )?(?:dimensions?|size)$/;

function dimensionsNamed(name: string): MeasuredThing | null {
  const words = name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/\([^()]*\)|[:,]/g, ' ');
  const match = DIMENSIONS_NAME.exec(words.trim().replaceAll(/\s+/g, ' '));
  return match === null ? null : thingNamed(match[1] ?? '');
}

/**
 * Inches of specifications that state all sides together ("Assembled Product Dimensions (L x W x H)"); of several of one
 * thing the first that can be read.
 */
export function dimensionsInSpecs(specs: readonly Spec[]): SpecDimensions {
  const found: Partial<Record<MeasuredThing, Dimensions>> = {};
  for (const { name, value } of specs) {
    const thing = dimensionsNamed(name);
    if (thing === null || found[thing] !== undefined) continue;
    // The name gives the order of the sides where their texts do not.
    const sides = readDimensions(`${name.slice(0, 100)}: ${value.slice(0, 200)}`);
    // One side alone is a size of clothes or of a screen.
    const known = sides === null ? 0 : Object.values(sides).filter((side) => side !== null).length;
    if (sides !== null && known >= 2) found[thing] = sides;
  }
  return {
    dimensions: found.plain ?? null,
    dimensionsAssembled: found.assembled ?? null,
    dimensionsPackage: found.package ?? null,
  };
}
