// What the words next to an amount call it, in the languages of shops: a former price, the regular one, one with or without tax.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

/** "Was", "statt", "定価": what it cost before, or what somebody recommends. */
export const FORMER_LABEL = compile(
  'former',
  (words) => `(?:^|[^\\p{L}])${words}\\s*[:\\-–]?\\s*$`,
);

/** What stands before the lower end of a range: "de 10 € à 20 €". */
export const RANGE_LABEL = compile('between', (words) => `(?:^|[^\\p{L}])${words}\\s*$`);

/** "Regular price": alone it is what everybody pays. */
export const REGULAR_LABEL = compile('regular', (words) => `${words}\\s*[:\\-–]?\\s*$`);

/** What may be the price or the former one, as its own name; next to a lower price it is the former one. */
export const OFFICIAL_LABEL = /(?:^|[^\p{L}])(?:p\.?v\.?p\.?|normal(?=\s*:)|定[價价])\s*:?\s*$/iu;

/** What a tax on sales is called, and what says that it is not, or is, in an amount: either stands before it or after. */
export const TAX = oneOf('tax');
const WITHOUT = `(?:${oneOf('withoutTax')}|\\+)`;
const WITH = oneOf('withTax');
/** "Excl. VAT": the tax comes on top. */
export const NET_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITHOUT}\\s?${TAX}|${TAX}\\s?${oneOf('taxExcluded')}|${oneOf('net')})(?![\\p{L}])|${oneOf('netParts')}`,
  'iu',
);
/** "Incl. VAT". */
export const GROSS_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITH}\\s?${TAX}|${TAX}\\s?${oneOf('taxIncluded')}|${oneOf('gross')})(?![\\p{L}])|${oneOf('grossParts')}`,
  'iu',
);
