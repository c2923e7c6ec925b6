// Recognizes shops' service pages by their headings: the cart, the checkout, saved or viewed products, a comparison, search
// results. There are only these few functions, each with a few names per language.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import { lowerWords } from './page-names.ts';

const SHARED = oneOf('shared');

const SERVICE_NAME = new RegExp(
  `^(?:(?:${oneOf('my')} )?(?:${SHARED} )?(?:${oneOf('cart')}|${oneOf('savedLists')})(?: ${SHARED})?(?: \\d+)?|` +
    `(?:\\d+ (?:\\p{L}+ )?)?${oneOf('results')}(?!\\p{L}).*)$`,
  'iu',
);

/** Whether a heading belongs to a service page, regardless of the address. */
export function isServiceName(heading: string): boolean {
  return SERVICE_NAME.test(lowerWords(heading).join(' '));
}
