// Dangerous goods, from the words that declare them: regulations that a supplier names, UN numbers, what schema.org
// calls them. A strong sign is true, a plain "no" false, silence null: words of a title ("spray", "battery") declare
// nothing.

import type { Listing, Spec } from '../listing.ts';
import { notUnderstood, understood } from './unknown-words.ts';
import type { Understood, UnknownWords } from './unknown-words.ts';

/** What a supplier declares: which rules the goods fall under. `unknown` means that the field was left empty. */
const REGULATIONS: ReadonlyMap<string, boolean> = new Map([
  ['ghs', true],
  ['storage', true],
  ['transportation', true],
  ['waste', true],
  ['other', true],
  ['not_applicable', false],
]);

/** What all declared regulations say together: true when one applies, false when none does, null when no word is known. */
export function declaredHazmat(words: readonly string[]): Understood<boolean> {
  const read = words.map(regulationOf);
  const known = read.map(({ meaning }) => meaning).filter((value) => value !== null);
  return {
    meaning: known.length === 0 ? null : known.includes(true),
    unknown: read.flatMap(({ unknown }) => unknown),
  };
}

function regulationOf(text: string): Understood<boolean> {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const known = REGULATIONS.get(word) ?? null;
  return known !== null || word === 'unknown' ? understood(known) : notUnderstood('hazmat', text);
}

/**
 * A code of retailer_l: "N" is no, "Y" is dangerous. No public source explains its other letters: they are unknown
 * words.
 */
export function hazmatCode(text: string): Understood<boolean> {
  const letter = text.slice(0, 40).trim().toUpperCase();
  if (letter === 'N' || letter === 'NO') return understood(false);
  if (letter === 'Y' || letter === 'YES') return understood(true);
  return notUnderstood('hazmat', text);
}

/**
 * Lithium cells, aerosols, paint, perfume, flammable and corrosive liquids, gases, cartridges, and what is
 * hazardous to water.
 */
const UN_NUMBER =
  /\bUN[ -]?(?:0012|0014|1013|1075|1263|1266|1791|1950|1993|2037|3082|3090|3091|3480|3481)\b/i;

/** Whether a text names a UN number of dangerous goods that shops sell. */
export function namesUnNumber(text: string): boolean {
  return UN_NUMBER.test(text);
}

const FIELD = /^(?:is )?(?:hazmat|hazardous(?: materials?| goods)?|dangerous goods?)$/;

/** A field that asks the question itself ("Hazardous Material: No"); null for another field or another answer. */
export function hazmatField(name: string, value: string): Understood<boolean> {
  const field = name
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  if (!FIELD.test(field)) return understood<boolean>(null);
  const answer = value.slice(0, 20).trim().toLowerCase();
  if (/^(?:yes|true|y)$/.test(answer)) return understood(true);
  if (/^(?:no|false|n|none|not applicable)$/.test(answer)) return understood(false);
  return notUnderstood('hazmat', value);
}

/** How carriers and shops write that a parcel is dangerous goods. "Limited quantity" is said of offers too. */
const CARRIAGE =
  /\bORM-?D\b|\bships? (?:by |via )?ground only\b|\bcan ?not (?:be )?ship(?:ped)? by air\b/i;

/** What a table of details declares by a field that asks the question, a UN number or a rule of carriage; else null. */
export function hazmatInSpecs(specs: readonly Spec[]): Understood<boolean> {
  const fields = specs.map(({ name, value }) => hazmatField(name, value));
  const unknown = fields.flatMap((each) => each.unknown);
  const answer = fields.find(({ meaning }) => meaning !== null)?.meaning ?? null;
  if (answer !== null) return { meaning: answer, unknown };
  const isSign = ({ value }: Spec) => namesUnNumber(value) || CARRIAGE.test(value.slice(0, 300));
  return { meaning: specs.some(isSign) ? true : null, unknown };
}

/** The listing with what its details declare, where its reader found no declaration. */
export function withHazmat(listing: Listing, words: UnknownWords): Listing {
  if (listing.hazmat !== null || listing.specs.length === 0) return listing;
  const hazmat = words.note(hazmatInSpecs(listing.specs));
  return hazmat === null ? listing : { ...listing, hazmat };
}

/** `hasAdultConsideration` of schema.org: `DangerousGoodConsideration` in any of its spellings. */
export function isDangerousGood(word: string): boolean {
  return /(?:^|[/#:])DangerousGoodConsideration\/?$/i.test(word.slice(0, 200).trim());
}
