// Maps the words and numbers that schema.org, merchant feeds and the known retailers use for a condition to one canonical list.
// An unknown word yields null and is returned as unknown.

import type { Condition } from '../offer.ts';
import { cleanText } from '../text/text.ts';
import { wordsFor } from '../words/all-languages.ts';
import type { Meaning } from '../words/language-words.ts';
import { notUnderstood, understood } from './unknown-words.ts';
import type { Understood } from './unknown-words.ts';

/** English values as spelled in fields and pages, letters only, and the meaning for words of other languages. */
const WORDS: readonly (readonly [Condition, english: string, elsewhere?: Meaning])[] = [
  [
    'new',
    'new newcondition brandnew newwithtags newwithbox newnew newoem oem newneverused newinbox ' +
      'newsealed factorysealed newfactorysealed',
    'isNew',
  ],
  [
    'open_box',
    'openbox newother newopenbox newwithouttags newwithoutbox newwithdefects openboxexcellent ' +
      'openboxgood ' +
      'openboxfair openboxsatisfactory openboxcertified openboxlikenew',
  ],
  [
    'refurbished',
    'refurbished refurbishedcondition refurbishedrefurbished certifiedrefurbished ' +
      'manufacturerrefurbished sellerrefurbished excellentrefurbished verygoodrefurbished ' +
      'goodrefurbished refurbishedexcellent refurbishedverygood refurbishedgood ' +
      'refurbishedcertified refurbishedpremium renewed renewedpremium amazonrenewed restored ' +
      'restoredpremium restoredlikenew restoredgood restoredfair remanufactured reconditioned ' +
      'geeksquadcertifiedrefurbished refurbishedwarranty refurb factoryrefurbished',
    'isRefurbished',
  ],
  [
    'used_like_new',
    'likenew usedlikenew mint usedmint preownedlikenew graded almostnew',
    'isLikeNew',
  ],
  [
    'used_very_good',
    'verygood usedverygood preownedexcellent preownedverygood usedverygoodcondition ungraded',
    'isVeryGood',
  ],
  [
    'used_good',
    'good usedgood used usedcondition usedexcellent preowned preownedgood secondhand preloved',
    'isUsed',
  ],
  [
    'used_acceptable',
    'acceptable usedacceptable poor usedpoor fair usedfair preownedfair preownedacceptable',
    'isAcceptable',
  ],
  [
    'collectible',
    'collectible collectiblelikenew collectibleverygood collectiblegood collectibleacceptable',
  ],
  [
    'for_parts',
    'forparts forpartsornotworking damaged damagedcondition partsonly notworking forpartsonly',
    'isForParts',
  ],
];

/** Listed words that do not determine the condition: they are known, so they do not count as unknown words. */
const OPEN_WORDS: ReadonlySet<string> = new Set(
  (
    'club clubclub any other unknown warranty unspecified notspecified notapplicable na none null ' +
    'offeritemcondition itemcondition condition'
  ).split(' '),
);

function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll(/[^\p{L}]/gu, '');
}

const TABLE: ReadonlyMap<string, Condition> = new Map(
  WORDS.flatMap(([condition, english, elsewhere]) =>
    [...english.split(' '), ...(elsewhere === undefined ? [] : wordsFor(elsewhere))].map(
      (word): [string, Condition] => [fold(word), condition],
    ),
  ),
);

/** The ids in retailer_e's list that have the condition of their family. */
const FAMILY_IDS: ReadonlySet<number> = new Set([
  1000, 1500, 1750, 2000, 2010, 2020, 2030, 2500, 7000,
]);

/** The retailer_e ids whose condition differs from their family's. */
const IDS: ReadonlyMap<number, Condition> = new Map([
  [2750, 'used_like_new'],
  [2990, 'used_very_good'],
  [3000, 'used_good'],
  [3010, 'used_acceptable'],
  [4000, 'used_very_good'],
  [5000, 'used_good'],
  [6000, 'used_acceptable'],
]);

/**
 * Returns the condition of an unlisted id by its family: 1000 new, 1500 open box, 2000 refurbished, 2750 used, 7000 parts.
 */
function conditionOfId(id: number): Condition | null {
  if (id < 1000 || id > 9999) return null;
  if (id < 1500) return 'new';
  if (id < 2000) return 'open_box';
  if (id < 2750) return 'refurbished';
  return id < 7000 ? (IDS.get(id) ?? 'used_good') : 'for_parts';
}

/** First words that decide the condition when the words after them are unknown: "Collectible - Mint". */
const FAMILIES: readonly (readonly [string, Condition])[] = [
  ['collectible', 'collectible'],
  ['certifiedrefurbished', 'refurbished'],
  ['refurbished', 'refurbished'],
  ['renewed', 'refurbished'],
  ['restored', 'refurbished'],
  ['openbox', 'open_box'],
];

function conditionOfWords(text: string): Condition | null {
  const exact = TABLE.get(fold(text));
  if (exact !== undefined) return exact;
  // "New with tags: A brand-new, unused item ...", "Used (good)", "Condition: New".
  for (const part of [...text.split(/[:(;,|]|\.\s/, 2), text.slice(text.indexOf(':') + 1)]) {
    const known = TABLE.get(fold(part));
    if (known !== undefined) return known;
  }
  const folded = fold(text);
  return FAMILIES.find(([opening]) => folded.startsWith(opening))?.[1] ?? null;
}

function conditionOf(line: string): Understood<Condition> {
  if (/^\d{1,6}$/.test(line)) {
    const id = Number(line);
    const condition = conditionOfId(id);
    // A new id gets the condition of its family but still counts as unknown.
    const isListed = FAMILY_IDS.has(id) || IDS.has(id);
    return isListed ? understood(condition) : notUnderstood('condition', line, condition);
  }
  const path = line.replace(/\/+$/, '');
  const isAddress = /^(?:https?:)?\/\//i.test(path);
  const name = isAddress
    ? path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('#')) + 1)
    : path;
  const word = name.replace(/^schema(?:\.org)?[:/]/i, '');
  const condition = conditionOfWords(word);
  const isKnown = condition !== null || OPEN_WORDS.has(fold(word));
  return isKnown ? understood(condition) : notUnderstood('condition', line);
}

/**
 * Returns the canonical condition for a word, a schema.org address in any spelling, or a retailer_e id ("3000"). Null if it
 * is unknown, and for words that leave it open, such as "Club".
 */
export function readCondition(text: string | number): Understood<Condition> {
  return conditionOf(cleanText(String(text), 200));
}
