// Reads numbers in schema.org values: ratings with their scales, counts, weights and sizes with their units.

import type { Dimensions } from '../../../base/listing/listing.ts';
import { readLengthIn, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import { hasType, isNode, listOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { firstOf, isTemplateRest, specsIn } from './schema-values.ts';

/** Returns a number with a decimal point or comma: "4,5", "4.76 out of 5", 4.5. */
function decimalOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const match = /^\s*(\d{1,9})(?:[.,](\d{1,20}))?/.exec(value.slice(0, 60));
  return match === null ? null : Number(`${match[1] ?? '0'}.${match[2] ?? '0'}`);
}

/** Returns a count with or without thousands separators: "1,234", "1 234 reviews", 12. */
function countOf(value: unknown): number | null {
  if (typeof value === 'number') return believable(value);
  if (typeof value !== 'string') return null;
  const match =
    /^\D{0,20}(\d{1,3}(?:[.,\s\u00a0\u202f'](?:\d{3}))+|\d{1,12})(?![\d.,]*\d)(?!\s?[kKmM]\b)/.exec(
      value.slice(0, 60),
    );
  return match === null ? null : believable(Number((match[1] ?? '').replaceAll(/\D/g, '')));
}

/** D66: nothing has more than 2^31 reviews; a larger number is something else. */
function believable(count: number): number | null {
  return Number.isInteger(count) && count >= 0 && count <= MOST_REVIEWS ? count : null;
}

const MOST_REVIEWS = 2 ** 31 - 1;

type Rating = { readonly rating: number | null; readonly reviewCount: number | null };

/** Returns the aggregate rating in the vocabulary that preceded schema.org: a review of type `Review-aggregate`. */
function oldRating(node: SchemaNode): unknown {
  const types = new Set(['review-aggregate']);
  return listOf(node, 'review').find((review) => isNode(review) && hasType(review, types));
}

/** Returns stars up to 5 and the number of reviews. A rating without reviews, or outside its scale, is null. */
export function ratingIn(node: SchemaNode): Rating {
  const value = firstOf(node, 'aggregateRating') ?? oldRating(node);
  if (!isNode(value)) return { rating: null, reviewCount: null };
  const reviews = countOf(firstOf(value, 'reviewCount') ?? firstOf(value, 'count'));
  const ratings = countOf(firstOf(value, 'ratingCount') ?? firstOf(value, 'votes'));
  const reviewCount = reviews !== null && reviews > 0 ? reviews : (ratings ?? reviews);
  const stated = firstOf(value, 'ratingValue') ?? firstOf(value, 'rating');
  // The old vocabulary nests the rating: `average` of `best`.
  const inner = isNode(stated) ? stated : value;
  const stars = decimalOf(isNode(stated) ? firstOf(stated, 'average') : stated);
  const best = decimalOf(firstOf(inner, 'bestRating') ?? firstOf(inner, 'best')) ?? 5;
  // "4.5 of 100" is a wrong scale, not a bad product.
  const isOddScale = best >= 50 && stars !== null && stars <= 5;
  if (stars === null || stars <= 0 || best <= 0 || stars > best || isOddScale) {
    return { rating: null, reviewCount };
  }
  if (reviewCount === 0) return { rating: null, reviewCount };
  return { rating: best === 5 ? stars : (stars * 5) / best, reviewCount };
}

type Measured = { readonly value: string | number; readonly unit: string | null };

function measuredIn(node: SchemaNode, name: string): Measured | null {
  const value = firstOf(node, name);
  if (typeof value === 'string') return isTemplateRest(value) ? null : { value, unit: null };
  if (typeof value === 'number') return { value, unit: null };
  if (!isNode(value)) return null;
  const amount = firstOf(value, 'value') ?? firstOf(value, 'minValue');
  if (typeof amount !== 'string' && typeof amount !== 'number') return null;
  const unit = firstOf(value, 'unitCode') ?? firstOf(value, 'unitText');
  return { value: amount, unit: typeof unit === 'string' ? unit.slice(0, 40) : null };
}

/** Specification names for the product's weight, as opposed to the package's. */
const WEIGHT_NAME =
  /^(?:(?:item|product|net|unit|assembled product) )?(?:weight|gewicht|poids|peso|vikt|vekt|hmotnost|waga)$/i;

/** Returns pounds from `weight`, a quantity with a unit code or a string with a unit, otherwise from a specification. */
export function weightIn(node: SchemaNode): number | null {
  const weight = measuredIn(node, 'weight');
  if (weight !== null) return readWeightLbs(weight.value, weight.unit);
  const spec = specsIn(node).find(({ name }) => WEIGHT_NAME.test(name));
  return spec === undefined ? null : readWeightLbs(spec.value);
}

function sideIn(node: SchemaNode, name: string): number | null {
  const side = measuredIn(node, name);
  return side === null ? null : readLengthIn(side.value, side.unit);
}

/** Returns height, width and depth in inches. schema.org has no length, but shops use one for the depth. */
export function dimensionsIn(node: SchemaNode): Dimensions | null {
  const heightIn = sideIn(node, 'height');
  const widthIn = sideIn(node, 'width');
  const lengthIn = sideIn(node, 'depth') ?? sideIn(node, 'length');
  if (heightIn === null && widthIn === null && lengthIn === null) return null;
  return { heightIn, widthIn, lengthIn };
}
