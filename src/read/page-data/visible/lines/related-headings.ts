// The headings above other goods than that of the page, in the languages of shops. A heading is these words and no others: the same
// words stand in running text, too. What is bought together with the product may stand above its price, and is not among them.

import { compile, wholeText } from '../../../../base/listing/words/all-languages.ts';

const HEADING = compile('related', wholeText);
/** What fits the product, by headings that are used for its tabs and lists of parts, too. */
const OF_ACCESSORIES = compile('accessories', wholeText);
/** Longest heading of a section. */
const LONGEST = 90;
const TRIMMED = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;

const wordsOf = (line: string): string =>
  line.length > LONGEST ? '' : line.replaceAll(TRIMMED, '').replaceAll(/\s+/g, ' ');

/** Whether a line is the heading above other goods. */
export function isRelatedHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && HEADING.test(words);
}

/** Whether the text of a heading element names what fits the product: the section that it opens ends with the next heading. */
export function isAccessoryHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && OF_ACCESSORIES.test(words);
}
