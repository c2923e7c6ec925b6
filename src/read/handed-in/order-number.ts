// Finds the numbers of orders in a text, by their labels.

import { oneOf } from '../../base/listing/words/all-languages.ts';

/** Matches a label and the number after it, in a text without diacritics. Every part is bounded, so that no text takes long. */
export const ORDER_NUMBER = new RegExp(
  `${oneOf('orderNumber')}\\s{0,3}[.:#]{0,3}\\s{0,3}#?(?=[a-z-]{0,20}\\d)[a-z\\d-]{4,40}`,
  'giu',
);
