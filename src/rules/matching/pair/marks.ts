// Finds marks of another model or edition that only one of two titles has: "12" and "12 Pro", "RTX 4070" and "RTX 4070 Super".
// The "Limited" of an offer and the years of a warranty are not marks.

import { wordAt, type Prepared } from '../prepared/prepared.ts';
import { isMark, NAMED_MARKS, QUALITIES, traitOf } from '../words/trait-words.ts';

/** Editions sold only to owners of the product, or only to some buyers. No shop omits such a word. */
const SOLD_OTHERWISE = new Set(['upgrade', 'renewal', 'academic', 'deluxe']);

/** `1660` and `cs3`, but not an amount, decimal or model number. */
const COUNTING = /^(?:\d{1,4}|\p{L}{1,3}\d)$/u;

/**
 * Returns a mark that only one title has, directly after a number that both have, regardless of the rest: "RTX 4070", "RTX
 * 4070 Super"; or an edition with restricted sale, wherever it appears.
 */
export function markOf(a: Prepared, b: Prepared): string | null {
  for (let rank = 1; rank < a.words.length; rank += 1) {
    const word = wordAt(a, rank);
    if (!isMark(word) || b.words.includes(word)) continue;
    const before = wordAt(a, rank - 1);
    const isBehind = isAfterNumber(a, b, rank);
    if (isBehind && isGluedIn(b, before, word)) continue;
    if (word === 'plus' && hasSignAfter(b, before)) continue;
    if (isBehind || SOLD_OTHERWISE.has(word)) return word;
  }
  return null;
}

/** `S10+` is "S10 Plus". */
export function hasSignAfter({ title }: Prepared, word: string): boolean {
  const text = title.toLowerCase();
  for (let at = text.indexOf('+'); at >= 0; at = text.indexOf('+', at + 1)) {
    if (text.slice(0, at).trimEnd().endsWith(word)) return true;
  }
  return false;
}

const LEAST_OF_MARK = 3;

/** `8 Pro64GB` has the mark of `8 Pro`, and `551BKXL` that of `551 XL`. */
function isGluedIn({ words, squeezed }: Prepared, before: string, mark: string): boolean {
  if (squeezed.includes(before + mark.slice(0, LEAST_OF_MARK))) return true;
  return words.some((word) => word.startsWith(before) && word.endsWith(mark));
}

/** Directly after such a number that both have, or after a mark after it that both have: the `max` of "15 Pro Max". */
function isAfterNumber(a: Prepared, b: Prepared, rank: number): boolean {
  const before = wordAt(a, rank - 1);
  if (!b.words.includes(before)) return false;
  if (COUNTING.test(before)) return true;
  if (rank < 2 || !isMark(before) || !SIZED.test(wordAt(a, rank))) return false;
  const number = wordAt(a, rank - 2);
  return COUNTING.test(number) && b.words.includes(number);
}

/**
 * Marks that shops do not omit after another mark. They do omit other words: "860 Pro Basic" and "9 Pro Complete" are "860 Pro"
 * and "9 Pro".
 */
const SIZED = new RegExp(`^(?:plus|lite|mini|max|ultra|xl|${NAMED_MARKS})$`);

/** Those, Roman numerals, and numbers and letters after a number; "w/" is not a letter. */
const MARKS = new RegExp(
  String.raw`^(?:${NAMED_MARKS}|i{2,3}|iv|vi{0,3}|v|mk\d?|mark|gen|generation|nc|[1-9](?:st|nd|rd|th)|[a-vx-z]|[1-9]|[a-z]\d)$`,
);

/** "2 Year Warranty" and "Limited Time Offer" are not marks. */
const WARRANTIES =
  /^(?:warranty|wty|guarantee|garant(?:ie|ia|ii)|garanzia|gewahrleistung|zaruka|gwarancja)$/;
const OFFERED = new Set(['time', 'offer', 'stock']);

/**
 * Returns whether the additional words of one title, after the words with which both begin, indicate another model or
 * edition.
 */
export function isPutIn(words: readonly string[], holder: Prepared, from: number): boolean {
  const before = wordAt(holder, from - 1);
  const isOfWarranty = words.some((word) => WARRANTIES.test(word));
  return words.some((word, at) => {
    // "Men's" is "Mens" in other shops.
    if (word === 's' && at === 0 && traitOf(before)?.class === 'audience') return false;
    if (isOfWarranty && /^\d$/.test(word)) return false;
    if (word === 'limited' && (isOfWarranty || OFFERED.has(words[at + 1] ?? ''))) return false;
    const trait = traitOf(word);
    if (trait?.class === 'edition' || trait?.class === 'variant') return !QUALITIES.has(word);
    if (/^(?:edition|anniversary|collectors?|bundle|kit|combo)$/.test(word)) return true;
    if (!MARKS.test(word)) return false;
    // The letter of "KL60089-A" marks that number and not the one before it.
    const isBehind = /\d$/.test(before) && (at === 0 || !/\d/.test(words[at - 1] ?? ''));
    return words.length === 1 || isBehind || /^(?:mark|mk|\d)/.test(word);
  });
}
