// Recognizes service pages of shops by their headings: the cart, the checkout, saved or viewed products, a comparison, the
// results of a search. There are only these few functions, and each has a few names in a language.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import { lowerWords } from './page-names.ts';

const SHARED = oneOf('shared');

const SERVICE_NAME = new RegExp(
  `^(?:(?:${oneOf('my')} )?(?:${SHARED} )?(?:${oneOf('cart')}|${oneOf('savedLists')})(?: ${SHARED})?(?: \\d+)?|` +
    `(?:\\d+ (?:\\p{L}+ )?)?${oneOf('results')}(?!\\p{L}).*)$`,
  'iu',
);

/** Whether a heading is that of a service page, whatever the address says. */
export function isServiceName(heading: string): boolean {
  return SERVICE_NAME.test(lowerWords(heading).join(' '));
}
