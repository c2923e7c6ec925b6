// The words that tell of the tax in an amount: those after it, those of the line below, or its label.

import { GROSS_WORDS, NET_WORDS, TAX } from './amount-labels.ts';
import type { VisibleLine } from '../lines/visible-lines.ts';

/** Longest note below an amount that is looked at. */
const NOTE = 48;

/** What stands next to an amount when it has a currency: a sign, a code or a short word; or a dash for its decimals. */
export const SIGN =
  /\p{Sc}|\d[.,:][-–—−]|\d[\s.,\-–]{0,4}\p{L}{1,7}\.?(?!\p{L})|(?<!\p{L})\p{L}{1,5}[$.]?\s{0,3}\d/u;

/** A rate of tax between the words for it: "inkl. 19 % MwSt.". */
export const PERCENT = /(?<!\d)\d{1,2}(?:[.,]\d{1,2})?\s?%\s?/g;

/** A percentage that is no rate of tax: "-20 %", "%20". */
export const REDUCTION = new RegExp(
  `(?<![\\d.,])(\\d{1,2})(?:[.,]\\d{1,2})?\\s?[%٪](?!\\s?${TAX}(?!\\p{L}))|(?<!\\d\\s?)[%٪]\\s?(\\d{1,2})(?![\\d.,%])`,
  'giu',
);

/** A text without its words of tax. */
export const untaxed = (words: string): string =>
  words.replaceAll(PERCENT, '').replace(GROSS_WORDS, ' ').replace(NET_WORDS, ' ');

/** The line below an amount, where it has none of its own: "inkl. 19 % MwSt.". */
function noteBelow(line: VisibleLine | undefined): string {
  const text = (line?.text.slice(0, NOTE) ?? '').replaceAll(PERCENT, '');
  return SIGN.test(text) ? '' : text;
}

const isAboutTax = (words: string): boolean =>
  words !== '' && (NET_WORDS.test(words) || GROSS_WORDS.test(words));

/** The words around an amount. */
type Words = {
  readonly label: string;
  /** Those after it that are about it. */
  readonly own: string;
  /** All between it and the next amount of its line. */
  readonly between: string;
};

/** A bracket that holds the next amount and its words: "2,200円（税抜2,000円）". */
const OPENED = /^\s*[(（][^)）]*$/;

/**
 * The words that tell of the tax in an amount: those after it, those of the line below where it has no words at all, or its
 * label. Words between two amounts of a line are of the first where nothing is said before it ("£120 ex. VAT £144 inc. VAT").
 */
export function taxWords({ label, own, between }: Words, below: VisibleLine | undefined): string {
  const words = /\p{L}/u.test(`${label}${own}`) ? own : noteBelow(below);
  // "2.890 vč. DPH (2.388 bez DPH)": words after an amount are its own, and those before it may be the first one's.
  if (isAboutTax(words)) return words;
  return !isAboutTax(label) && !OPENED.test(between) && isAboutTax(between) ? between : label;
}
