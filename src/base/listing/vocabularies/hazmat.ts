// Reads dangerous goods from the words that declare them: regulations stated by a supplier, UN numbers, schema.org terms. A
// strong sign yields true, a plain "no" false, silence null: words of a title ("spray", "battery") declare nothing.

import type { Listing, Spec } from '../listing.ts';
import { notUnderstood, understood } from './unknown-words.ts';
import type { Understood, UnknownWords } from './unknown-words.ts';

/** A supplier's declaration of which regulations apply to the goods. `unknown` means that the field was left empty. */
const REGULATIONS: ReadonlyMap<string, boolean> = new Map([
  ['ghs', true],
  ['storage', true],
  ['transportation', true],
  ['waste', true],
  ['other', true],
  ['not_applicable', false],
]);

/** Combines all declared regulations: true if one applies, false if none does, null if no word is known. */
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
 * Reads a retailer_l code: "N" is no, "Y" is dangerous. No public source explains its other letters, so they are unknown
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

/** Returns whether a text contains a UN number of dangerous goods that shops sell. */
export function namesUnNumber(text: string): boolean {
  return UN_NUMBER.test(text);
}

const FIELD = /^(?:is )?(?:hazmat|hazardous(?: materials?| goods)?|dangerous goods?)$/;

/** Reads a field that asks the question directly ("Hazardous Material: No"); null for another field or answer. */
function hazmatField(name: string, value: string): Understood<boolean> {
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

/** How carriers and shops label a parcel as dangerous goods. "Limited quantity" is also used for offers. */
const CARRIAGE =
  /\bORM-?D\b|\bships? (?:by |via )?ground only\b|\bcan ?not (?:be )?ship(?:ped)? by air\b/i;

/**
 * Returns the declaration in a specification table, by a field that asks the question, a UN number or a carriage rule;
 * otherwise null.
 */
export function hazmatInSpecs(specs: readonly Spec[]): Understood<boolean> {
  const fields = specs.map(({ name, value }) => hazmatField(name, value));
  const unknown = fields.flatMap((each) => each.unknown);
  const answer = fields.find(({ meaning }) => meaning !== null)?.meaning ?? null;
  if (answer !== null) return { meaning: answer, unknown };
  const isSign = ({ value }: Spec) => namesUnNumber(value) || CARRIAGE.test(value.slice(0, 300));
  return { meaning: specs.some(isSign) ? true : null, unknown };
}

/** Returns the listing with the declaration from its specifications, if its reader found none. */
export function withHazmat(listing: Listing, words: UnknownWords): Listing {
  if (listing.hazmat !== null || listing.specs.length === 0) return listing;
  const hazmat = words.note(hazmatInSpecs(listing.specs));
  return hazmat === null ? listing : { ...listing, hazmat };
}

/** Checks for `DangerousGoodConsideration` of schema.org's `hasAdultConsideration`, in any spelling. */
export function isDangerousGood(word: string): boolean {
  return /(?:^|[/#:])DangerousGoodConsideration\/?$/i.test(word.slice(0, 200).trim());
}
