// Small readers of schema.org values: a text, a number, an image, a brand, a barcode, a rating, a weight. Each
// takes any value a page may hold and answers null for what it does not understand.

import { readGtin, readGtinWithLostZero } from '../domain/gtin.ts';
import type { BarcodeField, Gtin14 } from '../domain/gtin.ts';
import type { Dimensions, Spec } from '../domain/listing.ts';
import { readLengthIn, readWeightLbs } from '../domain/measure.ts';
import { cleanText, plainTextOfHtml } from '../domain/text.ts';
import { isNode, listOf } from './node.ts';
import type { SchemaNode } from './node.ts';

/** Security 2.2. */
export const TITLE_LENGTH = 1000;
export const DESCRIPTION_LENGTH = 20_000;
export const URL_LENGTH = 2048;
const SPEC_LIMIT = 200;

/** `{{ p.price }}`, `<%= x %>`, `<&=rating&>`, `${name}`, `[[x]]`: a template that nobody filled in. */
export function isTemplateRest(text: string): boolean {
  return /\{\{|\}\}|<%|%>|<&|&>|\$\{|\[\[|\]\]/.test(text);
}

/** One line of text out of a text or number; null for anything else, blanks and template rests. */
export function textOf(value: unknown, maxLength = TITLE_LENGTH): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = cleanText(String(value), maxLength);
  if (text === '' || isTemplateRest(text)) return null;
  return /^(?:null|undefined|n\/?a|none|nan)$/i.test(text) ? null : text;
}

/** The first text of a property; of a thing its name. */
export function textIn(node: SchemaNode, name: string, maxLength = TITLE_LENGTH): string | null {
  for (const value of listOf(node, name).slice(0, 20)) {
    const text = isNode(value)
      ? textOf(firstOf(value, 'name') ?? firstOf(value, '@value'), maxLength)
      : textOf(value, maxLength);
    if (text !== null) return text;
  }
  return null;
}

/** The maker's name; marked-up text often repeats its label ("Brand: Acme"). */
export function brandIn(node: SchemaNode): string | null {
  const text = textIn(node, 'brand', 300) ?? textIn(node, 'manufacturer', 300);
  if (text === null) return null;
  return (
    text.replace(/^(?:brand|maker|marke|hersteller|marca|marque|merk|značka|märke)\s*:\s*/i, '') ||
    null
  );
}

/** The first entry of a property. */
export function firstOf(node: SchemaNode, name: string): unknown {
  return listOf(node, name)[0];
}

/** Title of a thing: markup that slipped in goes. */
export function titleIn(node: SchemaNode, name: string): string | null {
  const text = textIn(node, name, TITLE_LENGTH);
  if (text === null) return null;
  return /<\/?[a-z][^>]*>/i.test(text) ? plainTextOfHtml(text, TITLE_LENGTH) || null : text;
}

export function descriptionIn(node: SchemaNode): string | null {
  const value = firstOf(node, 'description');
  if (typeof value !== 'string') return null;
  const text = plainTextOfHtml(value, DESCRIPTION_LENGTH);
  return text === '' || isTemplateRest(text) ? null : text;
}

/** The first address of an image property: text, list, ImageObject (`contentUrl`, `url`) or `@id`. */
export function imageIn(node: SchemaNode, name: string): string | null {
  for (const value of listOf(node, name).slice(0, 20)) {
    const inner = isNode(value)
      ? (firstOf(value, 'contentUrl') ?? firstOf(value, 'url') ?? firstOf(value, '@id'))
      : value;
    const address = Array.isArray(inner) ? (inner as unknown[])[0] : inner;
    if (typeof address !== 'string' || address.length > URL_LENGTH) continue;
    const text = textOf(address, URL_LENGTH);
    if (text !== null) return text;
  }
  return null;
}

/** Property names that hold a barcode, strongest first, and what each says of its code. */
const BARCODES: readonly (readonly [string, BarcodeField])[] = [
  ['gtin14', 'gtin'],
  ['gtin13', 'gtin'],
  ['gtin12', 'upc'],
  ['gtin', 'gtin'],
  ['gtin8', 'gtin'],
  ['isbn', 'isbn'],
  ['isbn13', 'isbn'],
  ['isbn10', 'isbn'],
  ['ean', 'gtin'],
  ['ean13', 'gtin'],
  ['upc', 'upc'],
  ['upc12', 'upc'],
];

/** Names under which specifications and identifiers list a barcode. */
const BARCODE_NAME =
  /^(?:gtin|ean|upc|isbn)(?:[\s_-]*(?:8|10|12|13|14|a))?(?:[\s_-]*(?:code|number|nummer))?$/i;

function fieldOf(name: string): BarcodeField {
  if (/isbn/i.test(name)) return 'isbn';
  return /upc/i.test(name) ? 'upc' : 'gtin';
}

/**
 * A code in a barcode's place. A short one that is also the shop's own number is that number: one in ten
 * of them has a right check digit by chance.
 */
function barcodeOf(node: SchemaNode, value: unknown, field: BarcodeField): Gtin14 | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).slice(0, 100).trim();
  if (isTemplateRest(text)) return null;
  const isShort = text.replaceAll(/\D/g, '').length < 12;
  if (isShort && ['sku', 'mpn', 'productID'].some((name) => textIn(node, name) === text)) {
    return null;
  }
  return readGtinWithLostZero(text, field);
}

/** `productID: "upc:012345678905"`, `identifier: {propertyID: "gtin13", value}`: a barcode by its label. */
function labelledBarcode(node: SchemaNode): Gtin14 | null {
  for (const value of [...listOf(node, 'productID'), ...listOf(node, 'identifier')].slice(0, 20)) {
    if (isNode(value)) {
      const name = textOf(firstOf(value, 'propertyID') ?? firstOf(value, 'name'), 100) ?? '';
      const label = name.replace(/^.*[/:#]/, '');
      if (!BARCODE_NAME.test(label)) continue;
      const code = barcodeOf(node, firstOf(value, 'value'), fieldOf(label));
      if (code !== null) return code;
    } else if (typeof value === 'string') {
      const match = /^\s*(gtin\d*|ean\d*|upc\d*|isbn\d*)\s*[:=]\s*(\S.{0,40})$/i.exec(
        value.slice(0, 100),
      );
      const code = match === null ? null : readGtin(match[2] ?? '', fieldOf(match[1] ?? ''));
      if (code !== null) return code;
    }
  }
  return null;
}

/** The barcode of a thing: its own properties, then labelled identifiers, then specifications. */
export function barcodeIn(node: SchemaNode): Gtin14 | null {
  for (const [name, field] of BARCODES) {
    for (const value of listOf(node, name).slice(0, 5)) {
      const code = barcodeOf(node, value, field);
      if (code !== null) return code;
    }
  }
  const labelled = labelledBarcode(node);
  if (labelled !== null) return labelled;
  for (const { name, value } of specsIn(node)) {
    const code = BARCODE_NAME.test(name) ? readGtin(value, fieldOf(name)) : null;
    if (code !== null) return code;
  }
  return null;
}

/** `additionalProperty` as name and value; values with a unit keep it. */
export function specsIn(node: SchemaNode): readonly Spec[] {
  const specs: Spec[] = [];
  for (const entry of listOf(node, 'additionalProperty')) {
    if (!isNode(entry) || specs.length >= SPEC_LIMIT) continue;
    const name = textIn(entry, 'name', 200);
    const value = textIn(entry, 'value', 2000);
    if (name === null || value === null) continue;
    const unit = textIn(entry, 'unitText', 40);
    specs.push({ name, value: unit === null ? value : `${value} ${unit}` });
  }
  return specs;
}

/** A number with a decimal point or comma: "4,5", "4.76 out of 5", 4.5. */
function decimalOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const match = /^\s*(\d{1,9})(?:[.,](\d{1,20}))?/.exec(value.slice(0, 60));
  return match === null ? null : Number(`${match[1] ?? '0'}.${match[2] ?? '0'}`);
}

/** A count with or without marks for thousands: "1,234", "1 234 reviews", 12. */
function countOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  if (typeof value !== 'string') return null;
  const match = /^\D{0,20}(\d{1,3}(?:[.,\s\u00a0\u202f'](?:\d{3}))+|\d{1,12})(?!\d)/.exec(
    value.slice(0, 60),
  );
  return match === null ? null : Number((match[1] ?? '').replaceAll(/\D/g, ''));
}

export type Rating = { readonly rating: number | null; readonly reviewCount: number | null };

/** Stars of 0 to 5 and how many gave them; no reviews is no rating, a value beyond its scale neither. */
export function ratingIn(node: SchemaNode): Rating {
  const value = firstOf(node, 'aggregateRating');
  if (!isNode(value)) return { rating: null, reviewCount: null };
  const reviews = countOf(firstOf(value, 'reviewCount') ?? firstOf(value, 'count'));
  const ratings = countOf(firstOf(value, 'ratingCount'));
  const reviewCount = reviews !== null && reviews > 0 ? reviews : (ratings ?? reviews);
  const stars = decimalOf(firstOf(value, 'ratingValue'));
  const best = decimalOf(firstOf(value, 'bestRating')) ?? 5;
  // Few points on a long scale ("4.5 of 100") are a wrong scale, not a bad product.
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

/** Pounds of `weight`: a quantity with its unit code, or a text that names the unit. */
export function weightIn(node: SchemaNode): number | null {
  const weight = measuredIn(node, 'weight');
  return weight === null ? null : readWeightLbs(weight.value, weight.unit);
}

function sideIn(node: SchemaNode, name: string): number | null {
  const side = measuredIn(node, name);
  return side === null ? null : readLengthIn(side.value, side.unit);
}

/** Inches of height, width and depth (schema.org has no length; shops that write one mean it). */
export function dimensionsIn(node: SchemaNode): Dimensions | null {
  const heightIn = sideIn(node, 'height');
  const widthIn = sideIn(node, 'width');
  const lengthIn = sideIn(node, 'depth') ?? sideIn(node, 'length');
  if (heightIn === null && widthIn === null && lengthIn === null) return null;
  return { heightIn, widthIn, lengthIn };
}
