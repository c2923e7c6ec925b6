// Reads the condition stated in a title ("Restored ...", "(Refurbished)", "... generalüberholt"). It overrides a field that
// says "new": a whole listing may be renewed goods while its offers say new.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import type { Condition } from '../../base/listing/offer.ts';
import type { Listing } from '../../base/listing/listing.ts';

/**
 * Text required after a word that could otherwise start a name: "Used: Phone" states a condition, "Used-Car Guide" does
 * not.
 */
const END = String.raw`(?=\s?[)\]:]|\s[-–—|]\s|\s*$)`;

/** Words that may have another meaning in a title, so they only state the condition in certain positions. */
const WORDS: readonly (readonly [Condition, string])[] = [
  ['refurbished', '(?:certified |manufacturer |seller |factory )?(?:refurbished|restored|renewed)'],
  ['open_box', 'open[ -]box(?! of)'],
  ['used_good', `(?:certified )?pre-?owned|(?:used|occasion)${END}`],
  ['for_parts', `not working${END}`],
];

/** A word at the start, at the start of a bracket, or at the end of the title after a dash. */
const PLACES = WORDS.map(([condition, word]): readonly [Condition, RegExp] => [
  condition,
  new RegExp(
    `^\\W{0,2}(?:${word})(?![\\p{L}])|[([]\\s?(?:${word})(?![\\p{L}])|\\s[-–—|]\\s(?:${word})\\s*$`,
    'iu',
  ),
]);

/**
 * Words, without accents, that state the condition anywhere in a title in the shops' languages. With the flag `u` each of
 * these patterns takes six times as long.
 */
const SURE: readonly (readonly [Condition, RegExp])[] = [
  [
    'for_parts',
    new RegExp(
      `\\bfor parts (?:or|only|not)\\b|\\bfor parts ?/|\\b${oneOf('titleForParts')}\\b(?!-)`,
      'i',
    ),
  ],
  ['refurbished', new RegExp(`\\b${oneOf('titleRefurbished')}\\b|整備済み品`, 'i')],
  ['open_box', new RegExp(`\\b${oneOf('titleOpenBox')}\\b`, 'i')],
  ['used_good', new RegExp(`\\b${oneOf('titleUsed')}\\b`, 'i')],
];

/** Combines all patterns into one. For nearly every title a single test shows that it states no condition. */
const anyOf = (rows: readonly (readonly [Condition, RegExp])[], flags: string): RegExp =>
  new RegExp(rows.map(([, { source }]) => source).join('|'), flags);
const ANY_PLACE = anyOf(PLACES, 'iu');
const ANY_SURE = anyOf(SURE, 'i');

/** Returns null when the title states none. */
export function titleCondition(title: string | null): Condition | null {
  if (title === null) return null;
  if (ANY_PLACE.test(title)) return PLACES.find(([, place]) => place.test(title))?.[0] ?? null;
  const plain = unaccented(title);
  if (!ANY_SURE.test(plain)) return null;
  return SURE.find(([, words]) => words.test(plain))?.[0] ?? null;
}

function unaccented(title: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  if (/^[\x00-\x7f]*$/.test(title)) return title;
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('’', "'");
}

/** Returns the condition of a listing: the title's if the field is empty or says new, otherwise the field's. */
export function settledCondition(stated: Condition | null, title: string | null): Condition | null {
  return stated === null || stated === 'new' ? (titleCondition(title) ?? stated) : stated;
}

/** Returns the listing with the condition stated in its title, unless a field states one other than new. */
export function withTitleCondition(listing: Listing): Listing {
  const condition = settledCondition(listing.condition, listing.title);
  return condition === listing.condition ? listing : { ...listing, condition };
}
