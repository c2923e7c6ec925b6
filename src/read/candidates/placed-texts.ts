// Finds every amount, stock word and barcode in the lines of a page, each with its place.

import { createHash } from 'node:crypto';

import { readGtin, type Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import { amountLine, moneyAlone, placedAmounts } from '../../base/listing/money/money.ts';
import { availabilityIn } from '../../base/listing/vocabularies/availability.ts';
import { bareName } from '../page-data/page-names.ts';
import { isRelatedHeading } from '../page-data/visible/lines/related-headings.ts';
import type { TextLine } from './page-texts.ts';
import type { Place } from './place.ts';

/** What a text says. */
export type Said =
  | { readonly field: 'price'; readonly money: Money }
  | { readonly field: 'stock'; readonly inStock: boolean }
  | { readonly field: 'barcode'; readonly gtin: Gtin14 };

export type PlacedText = {
  readonly said: Said;
  /** Its line, and its range in that line. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly place: Place;
};

const MOST = 500;
/** Longer lines that contain stock words are prose. */
const STOCK_LINE = 80;
const BARCODE = /(?<![\d.,-])\d(?:[ -]?\d){7,13}(?![\d.,-])/g;

type Found = Pick<PlacedText, 'said' | 'from' | 'to'>;

/** `title` is the product's name: as a neighbour, any product's name is the same. */
export function placedTexts(
  lines: readonly TextLine[],
  { currency, title }: { readonly currency: string | null; readonly title: string | null },
): readonly PlacedText[] {
  const placed: PlacedText[] = [];
  const taken = new Set<number>();
  for (const [index, line] of lines.entries()) {
    const all = foundIn(line.text, currency);
    // A line with a price of its own, such as other goods, is not a label for the lines below it.
    const isPriced = all.some(({ said }) => said.field === 'price') || /\p{Sc}/u.test(line.text);
    for (const found of all) {
      if (placed.length >= MOST) return placed;
      const path =
        line.pieces.findLast(({ from }) => from <= firstDigit(line.text, found))?.path ?? '';
      const words = around(lines, { line: index, ...found }, { title, taken });
      placed.push({ ...found, line: index, place: { path, ...words } });
    }
    if (isPriced) taken.add(index);
  }
  return placed;
}

function firstDigit(text: string, { said, from, to }: Found): number {
  if (said.field === 'stock') return from;
  const at = text.slice(from, to).search(/\d/);
  return from + Math.max(0, at);
}

function foundIn(text: string, currency: string | null): readonly Found[] {
  const availability = text.length <= STOCK_LINE ? availabilityIn(text) : null;
  const stock =
    availability === null || availability.inStock === null
      ? []
      : [
          {
            said: { field: 'stock', inStock: availability.inStock },
            from: 0,
            to: text.length,
          } as const,
        ];
  if (!/\d/.test(text)) return stock;
  return [...stock, ...amountsIn(text, currency), ...barcodesIn(text)];
}

function amountsIn(text: string, currency: string | null): readonly Found[] {
  const line = amountLine(text);
  // The preparation may shorten a text; then positions refer to the whole line.
  const isSame = line.length === text.length;
  return placedAmounts(line, { currency })
    .filter(({ isMarked, hasDecimals }) => isMarked || hasDecimals)
    .map((amount) => ({
      said: { field: 'price', money: moneyAlone(amount) },
      from: isSame ? amount.start : 0,
      to: isSame ? amount.end : text.length,
    }));
}

function barcodesIn(text: string): readonly Found[] {
  return [...text.matchAll(BARCODE)].flatMap(({ 0: digits, index }) => {
    const gtin = readGtin(digits);
    if (gtin === null) return [];
    return [{ said: { field: 'barcode', gtin }, from: index, to: index + digits.length }];
  });
}

const LABEL = 60;
/** How many lines above an amount may be its label, not counting the labels of other amounts. */
const ABOVE = 3;

type At = { readonly line: number; readonly from: number; readonly to: number };

/**
 * Finds the texts around a place. `taken` are the lines that have amounts, or are labels of earlier amounts; the label of
 * this text is added to them.
 */
function around(
  lines: readonly TextLine[],
  { line, from, to }: At,
  { title, taken }: { readonly title: string | null; readonly taken: Set<number> },
): Omit<Place, 'path'> {
  const digest = (text: string): string => digestOf(text, title);
  const own = lines[line]?.text ?? '';
  const left = own.slice(0, from).trim();
  const right = own.slice(to).trim();
  const above: number[] = [];
  for (let at = line - 1; at >= 0 && above.length <= ABOVE; at -= 1)
    if (!taken.has(at)) above.push(at);
  const isOwn = isLabel(left);
  const labelAt = isOwn
    ? -1
    : above.slice(0, ABOVE).findIndex((at) => {
        const text = lines[at]?.text ?? '';
        return isLabel(text) || isName(text, title);
      });
  const labelLine = above[labelAt];
  if (labelLine !== undefined) taken.add(labelLine);
  const label = isOwn ? left : labelLine === undefined ? '' : (lines[labelLine]?.text ?? '');
  const before = above.slice(labelAt + 1).map((at) => lines[at]?.text ?? '');
  const below = [...(right === '' ? [] : [right]), ...textsBelow(lines, line)];
  return {
    label: digest(label),
    before: digest(before.find((text) => text !== label) ?? ''),
    after: digest(upToWords(below)),
    isAmongOthers: isRelatedHeading(label),
  };
}

const isLabel = (text: string): boolean => text.length <= LABEL && /\p{L}{2}/u.test(text);

/** An amount after an amount stands on every page: the words after it tell one place from another. */
function upToWords(texts: readonly string[]): string {
  const end = texts.findIndex((text) => /\p{L}{2}/u.test(text));
  return texts.slice(0, end < 0 ? ABOVE : end + 1).join('\n');
}

function textsBelow(lines: readonly TextLine[], line: number): readonly string[] {
  return lines.slice(line + 1, line + 1 + ABOVE).map(({ text }) => text);
}

function isName(text: string, title: string | null): boolean {
  const bare = bareName(text);
  return title !== null && bare !== '' && bare === bareName(title);
}

/** Returns a digest that is the same for another price, another number and another product's name. */
function digestOf(text: string, title: string | null): string {
  if (text === '') return '';
  const plain = isName(text, title)
    ? '\u0000name'
    : text.toLowerCase().replaceAll(/[\p{N}.,\s]+/gu, '#');
  return shortDigestOf(plain);
}

export function shortDigestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
