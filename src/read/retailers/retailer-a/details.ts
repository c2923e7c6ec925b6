// Parses the detail tables and lists on a product page of retailer_a into names and values, and extracts their facts:
// barcode, model, weight, size, pack, batteries.

import { readGtin } from '../../../base/identifiers/gtin.ts';
import type { BarcodeField, Gtin14 } from '../../../base/identifiers/gtin.ts';
import { hazmatInSpecs } from '../../../base/listing/vocabularies/hazmat.ts';
import type { Dimensions, Spec } from '../../../base/listing/listing.ts';
import { readDimensions, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import { packCountOf } from '../../titles/pack-count.ts';
import { readSalesRanks } from '../../../base/listing/vocabularies/sales-rank.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import {
  hasClass,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import type { PageParts } from './page-parts.ts';

const PIECE_LENGTH = 200_000;
const CELL_LENGTH = 6000;
/** Maximum number of rows read from a page: the largest pages seen have about sixty. */
const ROWS_KEPT = 300;
/** Parts with rows, in listing order. */
const PLACES = [
  'productOverview_feature_div',
  'productFactsDesktop_feature_div',
  'details',
  'detailBullets_feature_div',
  'detail-bullets',
  // Up to 2019: tables and lists without their own ids.
  'detail_bullets_id',
  'prodDetails',
];
/** Rows about reviews and feedback rather than the product. */
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

/** Returns the text of a cell; if the visible text is truncated, the complete hidden text next to it. */
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

/** The rows of a page by label: lower-case letters, digits and single spaces. */
export type DetailRows = ReadonlyMap<string, Spec>;

/** Returns all rows of the page, each name with its first value. */
export function detailRows(parts: PageParts): DetailRows {
  const byName = new Map<string, Spec>();
  let read = 0;
  for (const place of PLACES) {
    for (const part of parts.all(place)) {
      const specs = rowsIn(part.inner.slice(0, PIECE_LENGTH), ROWS_KEPT - read);
      read += specs.length;
      for (const spec of specs) {
        const label = labelOf(spec.name);
        if (!byName.has(label)) byName.set(label, spec);
      }
    }
  }
  return byName;
}

function labelOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the value of the first label present on the page. */
export function detail(rows: DetailRows, ...labels: readonly string[]): string | null {
  for (const label of labels) {
    const row = rows.get(label);
    if (row !== undefined) return row.value;
  }
  return null;
}

/** Returns the rows with a matching label. */
function rowsLike(rows: DetailRows, pattern: RegExp): readonly Spec[] {
  return [...rows].filter(([label]) => pattern.test(label)).map(([, row]) => row);
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

/** Returns the first valid barcode: a row may have several barcodes of the product, separated by spaces. */
function barcodeOf(rows: DetailRows): Gtin14 | null {
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

/** Returns the row of a size; the label may give the order of the sides ("Item Dimensions D x W x H"). */
function sizeRow(rows: DetailRows, pattern: RegExp): Spec | null {
  const fitting = rowsLike(rows, pattern);
  // Prefers a value with named sides to three plain numbers.
  return fitting.find((row) => /\d\s?["”]?\s?[LWHD]\b/.test(row.value)) ?? fitting[0] ?? null;
}

function sidesOf(row: Spec | null): Dimensions | null {
  if (row === null) return null;
  const size = (row.value.split(';')[0] ?? '').replaceAll(/(["”\d]\s?)Th\b/g, '$1H');
  const order = /\b[lwhd]\s?x\s?[lwhd](?:\s?x\s?(?:[lwhd]\b|thickness))?/i.exec(row.name)?.[0];
  const heading = order === undefined ? '' : `(${order.replace(/thickness/i, 'H')}): `;
  return readDimensions(`${heading}${size}`) ?? readDimensions(size);
}

/** Returns the weight after the sides: "19 x 17 x 8 inches; 10 Pounds". */
function weightAfter(rows: DetailRows, pattern: RegExp): number | null {
  for (const row of rowsLike(rows, pattern)) {
    const weight = row.value.split(';')[1];
    const pounds = weight === undefined ? null : readWeightLbs(weight);
    if (pounds !== null) return pounds;
  }
  return null;
}

function weightOf(rows: DetailRows, ...labels: readonly string[]): number | null {
  const value = detail(rows, ...labels);
  return value === null ? null : readWeightLbs(value);
}

const ITEM_SIZE = /^(?:product|item|assembled) dimensions\b/;
const PACKAGE_SIZE = /^(?:item |product )?(?:package|parcel|shipping) dimensions\b/;

/** Product and package are distinguished only when the page states both. */
function measuresOf(rows: DetailRows) {
  const weight =
    weightOf(rows, 'item weight', 'product weight', 'assembled weight', 'weight') ??
    weightAfter(rows, ITEM_SIZE);
  const weightPackageLbs =
    weightOf(rows, 'package weight', 'item package weight', 'shipping weight') ??
    weightAfter(rows, PACKAGE_SIZE);
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

/** Returns true for included lithium cells; null, not false, for a page that states nothing. */
function hazmatOf(rows: DetailRows, words: UnknownWords): boolean | null {
  const without = detail(rows, 'batteries included', 'are batteries included');
  const supplied = detail(rows, 'batteries', 'number of batteries') ?? '';
  if (/lithium/i.test(supplied) && /\(included\)/i.test(supplied)) return true;
  const cells = detail(rows, 'battery cell type', 'battery cell composition', 'battery type') ?? '';
  const comes = /^yes/i.test(without ?? '') || /\(included\)/i.test(supplied);
  if (/lithium/i.test(cells) && comes) return true;
  return words.note(hazmatInSpecs([...rows.values()]));
}

/** Returns the facts in the details. */
export function factsOfDetails(rows: DetailRows, title: string, words: UnknownWords) {
  const all = [...rows.values()];
  return {
    ...measuresOf(rows),
    specs: all.filter((row) => !NO_DETAIL.test(row.name)),
    gtin: barcodeOf(rows),
    model: detail(rows, 'item model number', 'model number', 'model'),
    mpn: detail(rows, 'manufacturer part number', 'mfr part number', 'part number'),
    packCount: packCountOf({ specs: all, title }),
    hazmat: hazmatOf(rows, words),
  };
}

/** The label may begin with the retailer's name. */
const SALES_RANK = /\bbest ?sellers rank$/;

/** Returns the sales rank row; older pages have it next to their detail lists. */
export function salesRanksOf(
  rows: DetailRows,
  parts: PageParts,
): ReturnType<typeof readSalesRanks> {
  const [row] = rowsLike(rows, SALES_RANK);
  return readSalesRanks(row?.value ?? parts.text('SalesRank', 2_000) ?? '');
}
