// Classifies an amount by the words next to it, in the languages of shops: a former price, the regular one, one with or without
// tax.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

/** "Was", "statt", "定価": the former or recommended price. */
export const FORMER_LABEL = compile(
  'former',
  (words) => `(?:^|[^\\p{L}])${words}\\s*[:\\-–]?\\s*$`,
);

/** Words before the lower end of a range: "de 10 € à 20 €". */
export const RANGE_LABEL = compile('between', (words) => `(?:^|[^\\p{L}])${words}\\s*$`);

/** "Regular price": alone, it is the price that everyone pays. */
export const REGULAR_LABEL = compile('regular', (words) => `${words}\\s*[:\\-–]?\\s*$`);

/** Labels that may mean the price or the former one; next to a lower price it is the former one. */
export const OFFICIAL_LABEL = /(?:^|[^\p{L}])(?:p\.?v\.?p\.?|normal(?=\s*:)|定[價价])\s*:?\s*$/iu;

/** Names of sales tax, and words before or after an amount that say it is excluded or included. */
export const TAX = oneOf('tax');
const WITHOUT = `(?:${oneOf('withoutTax')}|\\+)`;
const WITH = oneOf('withTax');
/** "Excl. VAT": tax is added on top. */
export const NET_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITHOUT}\\s?${TAX}|${TAX}\\s?${oneOf('taxExcluded')}|${oneOf('net')})(?![\\p{L}])|${oneOf('netParts')}`,
  'iu',
);
/** "Incl. VAT". */
export const GROSS_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITH}\\s?${TAX}|${TAX}\\s?${oneOf('taxIncluded')}|${oneOf('gross')})(?![\\p{L}])|${oneOf('grossParts')}`,
  'iu',
);
