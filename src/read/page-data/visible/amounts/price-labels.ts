// What the label of a price is made of, in the languages of shops: "Sale price", "jetzt nur", "Cena promocyjna". An amount with
// other words before it may be asked of some only, whatever percentage stands next to it.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

const KNOWN = new RegExp(`(?<!\\p{L})${oneOf('priceWords')}(?!\\p{L})`, 'giu');
/** Languages that set no blanks between words. */
const KNOWN_PARTS = new RegExp(oneOf('priceWordParts'), 'gu');

/** Where the line above an amount is its label: "Insider price", "Bundle:", "Havale / EFT". */
const LABEL_ABOVE = compile(
  'priceAbove',
  (words) => `[:：]\\s*$|${words}|^${oneOf('paymentName')}(?!\\p{L})`,
);

/** Whether the line above an amount is its label, whatever its words are. */
export function isLabelAbove(line: string): boolean {
  return LABEL_ABOVE.test(line);
}

/** What shops offer to do with a product, in words that are said of a former price, too. */
const CONTROL = /^(?:add to )?(?:compare|(?:(?:my |your )?(?:wish|shopping|gift) ?)?list)$/iu;

/** Whether the line above an amount is something to press or to tick and no label of the amount. */
export function isControlAbove(line: string, isPressed: boolean): boolean {
  return CONTROL.test(line.trim()) || (isPressed && !isLabelAbove(line));
}

/** Whether the name of an amount is that of something else than a price of the product. */
export function isOtherName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && /\p{L}{2}/u.test(withoutPriceWords(name));
}

/** What is left of the name of an amount without the words for a price. */
export const withoutPriceWords = (name: string): string =>
  name.replaceAll(KNOWN, ' ').replaceAll(KNOWN_PARTS, ' ');
