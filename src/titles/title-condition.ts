// The condition that a title states ("Restored ...", "(Refurbished)"). It wins over a field that says "new": a whole
// listing may be of renewed goods while its offers call themselves new.

import type { Condition } from '../listing/condition.ts';

const WORDS: readonly (readonly [Condition, string])[] = [
  ['refurbished', '(?:certified |manufacturer |seller |factory )?(?:refurbished|restored|renewed)'],
  ['open_box', 'open[ -]box(?! of)'],
  ['used_good', 'pre-?owned'],
];

/** A word at the start, or one that opens a bracket or ends the title behind a dash. */
const PLACES = WORDS.map(([condition, word]): readonly [Condition, RegExp] => [
  condition,
  new RegExp(
    `^\\W{0,2}${word}(?![\\p{L}])|[([]\\s?${word}(?![\\p{L}])|\\s[-–—|]\\s${word}\\s*$`,
    'iu',
  ),
]);

/** Null: the title states none. */
export function titleCondition(title: string | null): Condition | null {
  if (title === null) return null;
  return PLACES.find(([, place]) => place.test(title))?.[0] ?? null;
}

/** The condition of a listing: the title's where the field is silent or says new, else the field's. */
export function settledCondition(stated: Condition | null, title: string | null): Condition | null {
  return stated === null || stated === 'new' ? (titleCondition(title) ?? stated) : stated;
}
