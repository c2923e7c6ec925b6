// Small readers of schema.org values: text, image, brand, barcode, specifications. Each accepts any value and returns null
// when it cannot interpret it.

import { oneOf } from '../../../base/listing/words/all-languages.ts';
import { readGtin, readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import type { BarcodeField, Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Spec } from '../../../base/listing/listing.ts';
import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { isNode, listOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';

/** Maximum length of a title, in UTF-16 units. */
export const TITLE_LENGTH = 1000;
export const DESCRIPTION_LENGTH = 20_000;
export const URL_LENGTH = 2048;
const SPEC_LIMIT = 200;

/**
 * Whether a text is an unfilled template: `{{ p.price }}`, `<%= x %>`, `<&=rating&>`, `${name}`, `[[x]]`, or only a
 * variable name: `$metabrand`, `%%brand%%`, `@Model.Brand`, `__BRAND__`.
 */
export function isTemplateRest(text: string): boolean {
  return (
    /\{\{|\}\}|<%|%>|<&|&>|\$\{|\[\[|\]\]/.test(text) ||
    /^\s*(?:\$[a-z_][\w.]{3,60}|%%[\w.-]{2,60}%%|@[a-z]\w{0,40}\.[\w.]{2,60}|__[a-z][\w.-]{1,60}__)\s*$/i.test(
      text,
    )
  );
}

/** Placeholder texts that shops write into a field without a value. */
const NOTHING =
  /^(?:null|undefined|n\/?a|none|nan|-+|does not apply|not applicable|\[object object\])$/i;

/** Returns a string or number as one line; null for anything else, blank strings and unfilled templates. */
export function textOf(value: unknown, maxLength = TITLE_LENGTH): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = cleanText(String(value), maxLength);
  if (text === '' || isTemplateRest(text)) return null;
  return NOTHING.test(text) ? null : text;
}

/** Returns the first text of a property; for a node, its name. */
export function textIn(node: SchemaNode, name: string, maxLength = TITLE_LENGTH): string | null {
  for (const value of listOf(node, name).slice(0, 20)) {
    const inner = isNode(value) ? (firstOf(value, 'name') ?? firstOf(value, '@value')) : value;
    // A text with a language: `{"name": {"@value": "Acme", "@language": "en"}}`.
    const text = textOf(isNode(inner) ? firstOf(inner, '@value') : inner, maxLength);
    if (text !== null) return text;
  }
  return null;
}

/** Returns the texts of a property that may be a string, a link, a node with an `@id`, or a list of these. */
export function textsIn(node: SchemaNode, name: string): readonly string[] {
  return listOf(node, name)
    .slice(0, 5)
    .map((value) => (isNode(value) ? (valueOf(value, '@id') ?? valueOf(value, 'name')) : value))
    .map((value) => (typeof value === 'boolean' ? String(value) : value))
    .filter((value) => typeof value === 'string')
    .map((value) => value.slice(0, 200).trim())
    .filter((value) => value !== '' && !isTemplateRest(value));
}

/** A label before the maker's name, in a field meant for the name only. */
const BRAND_BEFORE = new RegExp(`^${oneOf('brandBefore')}\\s*:\\s*`, 'i');

/** Returns the maker's name, without a label as in "Brand: Acme". */
export function brandIn(node: SchemaNode): string | null {
  const text = textIn(node, 'brand', 300) ?? textIn(node, 'manufacturer', 300);
  if (text === null) return null;
  return text.replace(BRAND_BEFORE, '') || null;
}

/** Returns the first entry of a property. */
export function firstOf(node: SchemaNode, name: string): unknown {
  return listOf(node, name)[0];
}

/** Returns the title of a node, without markup. */
export function titleIn(node: SchemaNode, name: string): string | null {
  const text = textIn(node, name, TITLE_LENGTH);
  if (text === null) return null;
  return /<\/?[a-z][^>]*>/i.test(text) ? plainTextOfHtml(text, TITLE_LENGTH) || null : text;
}

/** Returns the description as plain text. */
export function descriptionIn(node: SchemaNode): string | null {
  const value = firstOf(node, 'description');
  if (typeof value !== 'string') return null;
  const text = plainTextOfHtml(value, DESCRIPTION_LENGTH);
  return text === '' || isTemplateRest(text) ? null : text;
}

/** Returns the first address of an image property: a string, list, ImageObject (`contentUrl`, `url`) or `@id`. */
export function imageIn(node: SchemaNode, name: string): string | null {
  for (const value of listOf(node, name).slice(0, 20)) {
    const inner = isNode(value)
      ? (firstOf(value, 'contentUrl') ?? firstOf(value, 'url') ?? firstOf(value, '@id'))
      : value;
    const address = Array.isArray(inner) ? (inner as unknown[])[0] : inner;
    if (typeof address !== 'string' || address.length > URL_LENGTH) continue;
    // Inline images are placeholders.
    if (/^\s*(?:data|javascript|blob|about):/i.test(address)) continue;
    const text = textOf(address, URL_LENGTH);
    if (text !== null) return text;
  }
  return null;
}

/** Property names of barcodes, strongest first, with the form that each requires. */
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

/** Names of barcodes in specifications and identifiers. */
const BARCODE_NAME =
  /^(?:gtin|ean|upc|isbn)(?:[\s_-]*(?:8|10|12|13|14|a))?(?:[\s_-]*(?:code|number|nummer))?$/i;

function fieldOf(name: string): BarcodeField {
  if (/isbn/i.test(name)) return 'isbn';
  return /upc/i.test(name) ? 'upc' : 'gtin';
}

/**
 * Returns the barcode in a field. A short code equal to the shop's own number is that number: one in ten numbers has a
 * valid check digit by chance.
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

/** Returns a labelled barcode: `productID: "upc:012345678905"`, `identifier: {propertyID: "gtin13", value}`. */
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

/** Returns a node's barcode: from its own properties, then labelled identifiers, then specifications. */
export function barcodeIn(node: SchemaNode): Gtin14 | null {
  for (const [name, field] of BARCODES) {
    const codes = listOf(node, name)
      .slice(0, 20)
      .map((value) => barcodeOf(node, value, field))
      .filter((code) => code !== null);
    // Several codes belong to several sizes or editions, so none is the page's.
    if (codes.length > 0)
      return codes.every((code) => code === codes[0]) ? (codes[0] ?? null) : null;
  }
  const labelled = labelledBarcode(node);
  if (labelled !== null) return labelled;
  for (const { name, value } of specsIn(node)) {
    const code = BARCODE_NAME.test(name) ? readGtin(value, fieldOf(name)) : null;
    if (code !== null) return code;
  }
  return null;
}

/** Returns all barcodes of a node, including those of several sizes or editions. */
export function barcodesIn(node: SchemaNode): readonly Gtin14[] {
  const stated = BARCODES.flatMap(([name, field]) =>
    listOf(node, name)
      .slice(0, 20)
      .map((value) => barcodeOf(node, value, field)),
  );
  return [...stated, barcodeIn(node)].filter((code) => code !== null);
}

/** Returns names and values of `additionalProperty`; values include their unit. */
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
