// Decides whether an answer is right: the scored fields, and the comparison rule of each.

import { decodeEntities } from '../../../src/base/listing/text/text.ts';

export type Outcome = 'right' | 'wrong' | 'missing';

type Rule = (expected: unknown, got: unknown) => boolean;

/** Letters of a text that carry meaning: quotes, dashes, marks and case are ignored. */
function plainText(text: unknown): string {
  return decodeEntities(String(text))
    .replaceAll(/[®™©]/g, '')
    .replaceAll(/[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u02ba]/g, '"')
    .replaceAll(/[\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bc\u00b4`]/g, "'")
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[®™©]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const sameText: Rule = (expected, got) => plainText(expected) === plainText(got);

const sameId: Rule = (expected, got) =>
  String(expected).trim().toLowerCase() === String(got).trim().toLowerCase();

const sameGtin: Rule = (expected, got) =>
  String(expected).trim().padStart(14, '0') === String(got).trim().padStart(14, '0');

const equal: Rule = (expected, got) => expected === got;

function within(tolerance: (expected: number) => number): Rule {
  return (expected, got) =>
    typeof expected === 'number' &&
    typeof got === 'number' &&
    // The smallest margin above the tolerance: 0.05 apart in decimals is 0.05000000000000016 in doubles.
    Math.abs(expected - got) <= tolerance(expected) + 1e-9;
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['title', 'brand', 'seller_name', 'sold_tag'].map((field): [string, Rule] => [
    field,
    sameText,
  ]),
  ...['item_id', 'asin', 'product_id', 'sku', 'mpn', 'model', 'offer_id', 'seller_id'].map(
    (field): [string, Rule] => [field, sameId],
  ),
  ['gtin', sameGtin],
  ['price', within(() => 0.005)],
  ['list_price', within(() => 0.005)],
  ['rating', within(() => 0.05)],
  ['weight_lbs', within((expected) => Math.max(expected * 0.01, 0.01))],
  ...[
    'review_count',
    'result_count',
    'estimated_sales',
    'seller_type',
    'in_stock',
    'condition',
    'currency',
    'verdict',
    'image',
  ].map((field): [string, Rule] => [field, equal]),
]);

/** The scored fields; any other expected field is listed as unused. */
export const VOCABULARY: ReadonlySet<string> = new Set(RULES.keys());

/** An absent answer, an empty text and a missing image do not count as answers. */
export function isAnswer(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** `expected` contains every right value; null in it means that no answer is also right. */
export function compareField(field: string, expected: readonly unknown[], got: unknown): Outcome {
  const rule = RULES.get(field);
  if (rule === undefined) throw new Error(`${field} is not a scored field`);
  if (!isAnswer(got)) return expected.includes(null) ? 'right' : 'missing';
  return expected.some((value) => isAnswer(value) && rule(value, got)) ? 'right' : 'wrong';
}
