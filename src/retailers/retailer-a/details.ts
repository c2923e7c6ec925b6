// The tables and lists of details of a product page as name and value, and the facts in them: barcodes, model,
// weight, sizes, pack, batteries. Knows the labels of retailer_a, nothing of prices.

import { readGtin } from '../../identifiers/gtin.ts';
import type { BarcodeField, Gtin14 } from '../../identifiers/gtin.ts';
import { hazmatInSpecs } from '../../listing/hazmat.ts';
import type { Dimensions, Spec } from '../../listing/listing.ts';
import { readDimensions, readWeightLbs } from '../../listing/measure.ts';
import { packCountOf } from '../../titles/pack-count.ts';
import { cleanText } from '../../listing/text.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import { hasClass, innerHtml, pageElements, visibleText } from '../../page-data/page-elements.ts';
import type { PageElement } from '../../page-data/page-elements.ts';
import type { MarkupScanner } from '../../page-data/markup.ts';
import type { PageParts } from './page-parts.ts';

const PIECE_LENGTH = 200_000;
const CELL_LENGTH = 6000;
/** Rows read of a whole page: the largest seen have some sixty. */
const ROWS_KEPT = 300;
/** Where rows stand, in the order in which they are listed. */
const PLACES = [
  'productOverview_feature_div',
  'productFactsDesktop_feature_div',
  'details',
  'detailBullets_feature_div',
  'detail-bullets',
  // Up to 2019: tables and lists without names of their own.
  'detail_bullets_id',
  'prodDetails',
];
/** Rows that tell of reviews or ask for feedback, not of the product. */
const NO_DETAIL = /^(?:customer reviews|feedback|warranty & support|asin)$/i;

const FACT = new Set(['product-facts-detail']);
const FACT_CELL = new Set(['a-col-left', 'a-col-right']);
const WHOLE_TEXT = new Set(['a-truncate-full']);

function partOfRow(tag: MarkupScanner): string | null {
  if (tag.name === 'tr') return 'row';
  if (tag.name === 'td' || tag.name === 'th') return 'cell';
  if (tag.name === 'li') return 'line';
  if (tag.name !== 'div') return null;
  if (hasClass(tag, FACT)) return 'row';
  return hasClass(tag, FACT_CELL) ? 'cell' : null;
}

/** A cell's text; where it is shown cut off, the whole one that stands hidden beside it. */
function cellText(html: string, cell: PageElement): string {
  const piece = innerHtml(html, cell).slice(0, CELL_LENGTH);
  const whole = piece.includes('a-truncate-full')
    ? pageElements(piece, (tag) => (hasClass(tag, WHOLE_TEXT) ? 'whole' : null))[0]
    : undefined;
  const text = whole === undefined ? null : visibleText(piece, whole, 500);
  return text ?? visibleText(html, { ...cell, to: cell.from + piece.length }, 500) ?? '';
}

function specOf(name: string, value: string): Spec | null {
  const label = cleanText(name, 120).replace(/\s*:+$/, '');
  return label === '' || value === '' ? null : { name: label, value };
}

function rowsIn(html: string, most: number): readonly Spec[] {
  const elements = pageElements(html, partOfRow);
  const cells = elements.filter((each) => each.key === 'cell');
  const specs: (Spec | null)[] = [];
  let next = 0;
  for (const row of elements) {
    if (specs.length >= most) break;
    if (row.key === 'line') {
      const [, name = '', value = ''] =
        /^([^:]{1,80}?)\s*:\s*(\S.*)$/.exec(cellText(html, row)) ?? [];
      specs.push(specOf(name, value));
    }
    if (row.key !== 'row') continue;
    while ((cells[next]?.start ?? html.length) < row.start) next += 1;
    const [label, value] = [cells[next], cells[next + 1]];
    if (label === undefined || value === undefined || value.start >= row.to) continue;
    if (value.start >= label.to) specs.push(specOf(cellText(html, label), cellText(html, value)));
  }
  return specs.filter((spec) => spec !== null);
}

/** All rows of the page, each name with its first value only. */
export function detailRows(parts: PageParts): readonly Spec[] {
  const byName = new Map<string, Spec>();
  let read = 0;
  for (const place of PLACES) {
    for (const part of parts.all(place)) {
      const specs = rowsIn(part.inner.slice(0, PIECE_LENGTH), ROWS_KEPT - read);
      read += specs.length;
      for (const spec of specs) {
        if (!byName.has(labelOf(spec.name))) byName.set(labelOf(spec.name), spec);
      }
    }
  }
  return [...byName.values()];
}

function labelOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The value of the first of these labels that the page has. */
export function detail(rows: readonly Spec[], ...labels: readonly string[]): string | null {
  for (const label of labels) {
    const row = rows.find((each) => labelOf(each.name) === label);
    if (row !== undefined) return row.value;
  }
  return null;
}

const BARCODES: readonly (readonly [string, BarcodeField])[] = [
  ['upc', 'upc'],
  ['ean', 'gtin'],
  ['european article number', 'gtin'],
  ['isbn 13', 'isbn'],
  ['gtin', 'gtin'],
  ['global trade identification number', 'gtin'],
  ['isbn 10', 'isbn'],
];

/** A listing may name several barcodes of the one product, apart by blanks: the first that is one. */
function barcodeOf(rows: readonly Spec[]): Gtin14 | null {
  for (const [label, field] of BARCODES) {
    const value = detail(rows, label);
    if (value === null) continue;
    const codes = [value, ...value.split(/[\s,;]+/)];
    for (const code of codes.slice(0, 12)) {
      const gtin = readGtin(code, field);
      if (gtin !== null) return gtin;
    }
  }
  return null;
}

/** Rows of sizes: the label may tell the order ("Item Dimensions D x W x H"). */
function sizeRow(rows: readonly Spec[], pattern: RegExp): Spec | null {
  const fitting = rows.filter((row) => pattern.test(labelOf(row.name)));
  // One that names its sides is worth more than three bare numbers.
  return fitting.find((row) => /\d\s?["”]?\s?[LWHD]\b/.test(row.value)) ?? fitting[0] ?? null;
}

function sidesOf(row: Spec | null): Dimensions | null {
  if (row === null) return null;
  const size = (row.value.split(';')[0] ?? '').replaceAll(/(["”\d]\s?)Th\b/g, '$1H');
  const order = /\b[lwhd]\s?x\s?[lwhd](?:\s?x\s?(?:[lwhd]\b|thickness))?/i.exec(row.name)?.[0];
  const heading = order === undefined ? '' : `(${order.replace(/thickness/i, 'H')}): `;
  return readDimensions(`${heading}${size}`) ?? readDimensions(size);
}

/** "19 x 17 x 8 inches; 10 Pounds": the weight behind the sizes. */
function weightBehind(rows: readonly Spec[], pattern: RegExp): number | null {
  for (const row of rows) {
    const weight = pattern.test(labelOf(row.name)) ? row.value.split(';')[1] : undefined;
    const pounds = weight === undefined ? null : readWeightLbs(weight);
    if (pounds !== null) return pounds;
  }
  return null;
}

function weightOf(rows: readonly Spec[], ...labels: readonly string[]): number | null {
  const value = detail(rows, ...labels);
  return value === null ? null : readWeightLbs(value);
}

const ITEM_SIZE = /^(?:product|item|assembled) dimensions\b/;
const PACKAGE_SIZE = /^(?:item |product )?(?:package|parcel|shipping) dimensions\b/;

/** Item and package are told apart only where the page states both (specification: weight). */
function measuresOf(rows: readonly Spec[]) {
  const weight =
    weightOf(rows, 'item weight', 'product weight', 'assembled weight', 'weight') ??
    weightBehind(rows, ITEM_SIZE);
  const weightPackageLbs =
    weightOf(rows, 'package weight', 'item package weight', 'shipping weight') ??
    weightBehind(rows, PACKAGE_SIZE);
  const sides = sidesOf(sizeRow(rows, ITEM_SIZE));
  const dimensionsPackage = sidesOf(sizeRow(rows, PACKAGE_SIZE));
  return {
    weightLbs: weight,
    weightAssembledLbs: weightPackageLbs === null ? null : weight,
    weightPackageLbs,
    dimensions: sides,
    dimensionsAssembled: dimensionsPackage === null ? null : sides,
    dimensionsPackage,
  };
}

/** Vocabularies 4.1: lithium cells that come with the product. Silence is no negative. */
function hazmatOf(rows: readonly Spec[], words: UnknownWords): boolean | null {
  const without = detail(rows, 'batteries included', 'are batteries included');
  const supplied = detail(rows, 'batteries', 'number of batteries') ?? '';
  if (/lithium/i.test(supplied) && /\(included\)/i.test(supplied)) return true;
  const cells = detail(rows, 'battery cell type', 'battery cell composition', 'battery type') ?? '';
  const comes = /^yes/i.test(without ?? '') || /\(included\)/i.test(supplied);
  if (/lithium/i.test(cells) && comes) return true;
  return words.note(hazmatInSpecs(rows));
}

/** What the details say about the product. */
export function factsOfDetails(rows: readonly Spec[], title: string, words: UnknownWords) {
  return {
    ...measuresOf(rows),
    specs: rows.filter((row) => !NO_DETAIL.test(row.name)),
    gtin: barcodeOf(rows),
    model: detail(rows, 'item model number', 'model number', 'model'),
    mpn: detail(rows, 'manufacturer part number', 'mfr part number', 'part number'),
    packCount: packCountOf({ specs: rows, title }),
    hazmat: hazmatOf(rows, words),
  };
}
