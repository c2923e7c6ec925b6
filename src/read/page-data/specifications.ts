// Reads values, weights and sizes from a page's specifications. Only names that refer to the whole product count: a weight
// capacity, a nominal width or a cord length does not.

import type { Dimensions, Listing, Spec } from '../../base/listing/listing.ts';
import {
  readDimensions,
  readLengthIn,
  readWeightLbs,
} from '../../base/listing/measures/measure.ts';

/** Returns the value of the specification with one of these names, ignoring case; earlier names win. */
export function specNamed(specs: readonly Spec[], names: readonly string[]): string | null {
  for (const wanted of names) {
    const lower = wanted.toLowerCase();
    const found = specs.find(({ name }) => name.toLowerCase() === lower);
    if (found !== undefined) return found.value;
  }
  return null;
}

type SpecDimensions = Pick<Listing, 'dimensions' | 'dimensionsAssembled' | 'dimensionsPackage'>;

type SpecMeasures = SpecDimensions &
  Pick<Listing, 'weightLbs' | 'weightAssembledLbs' | 'weightPackageLbs'>;

/** Words before a measure that make it the package's. */
const OF_PACKAGE = new Set([
  'package',
  'packaged',
  'packaging',
  'shipping',
  'carton',
  'box',
  'gross',
]);

/** The measured object: the product, the assembled product or the package. */
type MeasuredThing = 'plain' | 'assembled' | 'package';

function thingNamed(firstWord: string): MeasuredThing {
  if (firstWord === 'assembled') return 'assembled';
  return OF_PACKAGE.has(firstWord) ? 'package' : 'plain';
}

type Measure = 'weight' | 'height' | 'width' | 'depth' | 'length';

/** Only these words may precede the name of the measure. */
const MEASURE_NAME = new RegExp(
  '^(?:(product|item|unit|overall|actual|net|assembled|package|packaged|packaging|shipping|' +
    'carton|gross)s? )?(?:(product|item|overall) )?(weight|height|width|depth|length)$',
);

type NamedMeasure = {
  readonly thing: MeasuredThing;
  readonly measure: Measure;
  readonly unit: string | null;
};

/** Parses "Product Weight (lb.)" into plain, weight, lb. */
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
 * Returns pounds and inches from specifications with one measure each ("Assembled Height (in.)"); the first readable one
 * counts.
 */
export function measuresIn(specs: readonly Spec[]): SpecMeasures {
  const found: Record<MeasuredThing, Measures> = { plain: {}, assembled: {}, package: {} };
  for (const { name, value } of specs) {
    const named = measureNamed(name);
    if (named === null) continue;
    const { thing, measure, unit } = named;
    // Some shops write "97." and ".75".
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

/** Only these words may be next to "dimensions": a screen's or a seat's are not the product's. */
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
 * Returns inches from specifications with all sides together ("Assembled Product Dimensions (L x W x H)"); the first
 * readable one counts.
 */
export function dimensionsInSpecs(specs: readonly Spec[]): SpecDimensions {
  const found: Partial<Record<MeasuredThing, Dimensions>> = {};
  for (const { name, value } of specs) {
    const thing = dimensionsNamed(name);
    if (thing === null || found[thing] !== undefined) continue;
    // The name gives the order of the sides when the value does not.
    const sides = readDimensions(`${name.slice(0, 100)}: ${value.slice(0, 200)}`);
    // A single side is a clothing or screen size.
    const known = sides === null ? 0 : Object.values(sides).filter((side) => side !== null).length;
    if (sides !== null && known >= 2) found[thing] = sides;
  }
  return {
    dimensions: found.plain ?? null,
    dimensionsAssembled: found.assembled ?? null,
    dimensionsPackage: found.package ?? null,
  };
}
