// Finds the words about the tax in an amount: those after it, those on the line below, or its label.

import { GROSS_WORDS, NET_WORDS, TAX } from './amount-labels.ts';
import type { VisibleLine } from '../lines/visible-lines.ts';

/** Maximum length of a note below an amount. */
const NOTE = 48;

/** Text next to an amount that has a currency: a sign, a code or a short word; or a dash for its decimals. */
export const SIGN =
  /\p{Sc}|\d[.,:][-–—−]|\d[\s.,\-–]{0,4}\p{L}{1,7}\.?(?!\p{L})|(?<!\p{L})\p{L}{1,5}[$.]?\s{0,3}\d/u;

/** A tax rate between the tax words: "inkl. 19 % MwSt.". */
export const PERCENT = /(?<!\d)\d{1,2}(?:[.,]\d{1,2})?\s?%\s?/g;

/** A percentage that is not a tax rate: "-20 %", "%20". */
export const REDUCTION = new RegExp(
  `(?<![\\d.,])(\\d{1,2})(?:[.,]\\d{1,2})?\\s?[%٪](?!\\s?${TAX}(?!\\p{L}))|(?<!\\d\\s?)[%٪]\\s?(\\d{1,2})(?![\\d.,%])`,
  'giu',
);

/** Removes the tax words from a text. */
export const untaxed = (words: string): string =>
  words.replaceAll(PERCENT, '').replace(GROSS_WORDS, ' ').replace(NET_WORDS, ' ');

/** Returns the line below an amount, if that line has no amount of its own: "inkl. 19 % MwSt.". */
function noteBelow(line: VisibleLine | undefined): string {
  const text = (line?.text.slice(0, NOTE) ?? '').replaceAll(PERCENT, '');
  return SIGN.test(text) ? '' : text;
}

const isAboutTax = (words: string): boolean =>
  words !== '' && (NET_WORDS.test(words) || GROSS_WORDS.test(words));

/** The words around an amount. */
type Words = {
  readonly label: string;
  /** The words after it that refer to it. */
  readonly own: string;
  /** All text between it and the next amount on its line. */
  readonly between: string;
};

/** A bracket containing the next amount and its words: "2,200円（税抜2,000円）". */
const OPENED = /^\s*[(（][^)）]*$/;

/**
 * Returns the words about the tax in an amount: those after it, those on the line below if it has no words at all, or its
 * label. Words between two amounts on a line belong to the first if no words precede it ("£120 ex. VAT £144 inc. VAT").
 */
export function taxWords({ label, own, between }: Words, below: VisibleLine | undefined): string {
  const words = /\p{L}/u.test(`${label}${own}`) ? own : noteBelow(below);
  // "2.890 vč. DPH (2.388 bez DPH)": words after an amount are its own; those before it may belong to the previous one.
  if (isAboutTax(words)) return words;
  return !isAboutTax(label) && !OPENED.test(between) && isAboutTax(between) ? between : label;
}
