// Headings above other goods, in the languages of shops. A heading consists of exactly these words: running text contains them
// too. Goods bought together with the product may appear above its price and are not included.

import { compile, wholeText } from '../../../../base/listing/words/all-languages.ts';

const HEADING = compile('related', wholeText);
/** Headings of accessories, which are also used for the product's tabs and parts lists. */
const OF_ACCESSORIES = compile('accessories', wholeText);
/** Maximum length of a section heading. */
const LONGEST = 90;
const TRIMMED = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;

const wordsOf = (line: string): string =>
  line.length > LONGEST ? '' : line.replaceAll(TRIMMED, '').replaceAll(/\s+/g, ' ');

/** Whether a line is the heading above other goods. */
export function isRelatedHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && HEADING.test(words);
}

/** Whether a heading element's text names accessories: its section ends at the next heading. */
export function isAccessoryHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && OF_ACCESSORIES.test(words);
}
