// The condition that a title states ("Restored ...", "(Refurbished)", "... generalüberholt"). It wins over a field that
// says "new": a whole listing may be of renewed goods while its offers call themselves new.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import type { Condition } from '../../base/listing/vocabularies/condition.ts';
import type { Listing } from '../../base/listing/listing.ts';

/** What must follow a word that could otherwise begin a name: "Used: Phone" states a condition, "Used-Car Guide" does not. */
const END = String.raw`(?=\s?[)\]:]|\s[-–—|]\s|\s*$)`;

/** Words that a title may also use in another meaning, so that they state the condition only in certain places. */
const WORDS: readonly (readonly [Condition, string])[] = [
  ['refurbished', '(?:certified |manufacturer |seller |factory )?(?:refurbished|restored|renewed)'],
  ['open_box', 'open[ -]box(?! of)'],
  ['used_good', `(?:certified )?pre-?owned|(?:used|occasion)${END}`],
  ['for_parts', `not working${END}`],
];

/** A word at the start, or one that opens a bracket or ends the title after a dash. */
const PLACES = WORDS.map(([condition, word]): readonly [Condition, RegExp] => [
  condition,
  new RegExp(
    `^\\W{0,2}(?:${word})(?![\\p{L}])|[([]\\s?(?:${word})(?![\\p{L}])|\\s[-–—|]\\s(?:${word})\\s*$`,
    'iu',
  ),
]);

/**
 * Words of the shops' languages that state the condition anywhere in a title, without accents. With the flag `u` each of these
 * patterns takes six times as long.
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

/** All patterns in one. A single test shows for nearly every title that it states no condition. */
const anyOf = (rows: readonly (readonly [Condition, RegExp])[], flags: string): RegExp =>
  new RegExp(rows.map(([, { source }]) => source).join('|'), flags);
const ANY_PLACE = anyOf(PLACES, 'iu');
const ANY_SURE = anyOf(SURE, 'i');

/** Null: the title states none. */
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

/** The condition of a listing: the title's where the field is silent or says new, else the field's. */
export function settledCondition(stated: Condition | null, title: string | null): Condition | null {
  return stated === null || stated === 'new' ? (titleCondition(title) ?? stated) : stated;
}

/** The listing with the condition that its title states, where no field states another than new. */
export function withTitleCondition(listing: Listing): Listing {
  const condition = settledCondition(listing.condition, listing.title);
  return condition === listing.condition ? listing : { ...listing, condition };
}
