// Recognizes price labels in the languages of shops: "Sale price", "jetzt nur", "Cena promocyjna". An amount with other words
// before it may only apply to some buyers, regardless of any percentage next to it.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

const KNOWN = new RegExp(`(?<!\\p{L})${oneOf('priceWords')}(?!\\p{L})`, 'giu');
/** Languages written without spaces between words. */
const KNOWN_PARTS = new RegExp(oneOf('priceWordParts'), 'gu');

/** Patterns of a line above an amount that make it the label: "Insider price", "Bundle:", "Havale / EFT". */
const LABEL_ABOVE = compile(
  'priceAbove',
  (words) => `[:：]\\s*$|${words}|^${oneOf('paymentName')}(?!\\p{L})`,
);

/** Whether the line above an amount is its label, regardless of its words. */
export function isLabelAbove(line: string): boolean {
  return LABEL_ABOVE.test(line);
}

/** Actions that shops offer for a product, in words also used for a former price. */
const CONTROL = /^(?:add to )?(?:compare|(?:(?:my |your )?(?:wish|shopping|gift) ?)?list)$/iu;

/** Whether the line above an amount is a control to press or tick rather than the amount's label. */
export function isControlAbove(line: string, isPressed: boolean): boolean {
  return CONTROL.test(line.trim()) || (isPressed && !isLabelAbove(line));
}

/** Whether the name of an amount refers to something other than a price of the product. */
export function isOtherName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && /\p{L}{2}/u.test(withoutPriceWords(name));
}

/** Removes the price words from the name of an amount. */
export const withoutPriceWords = (name: string): string =>
  name.replaceAll(KNOWN, ' ').replaceAll(KNOWN_PARTS, ' ');
