// Determines how many packs a listing sells (D41): from a structured field, otherwise from the title. It counts the units
// sold together, not the pieces inside one of them.

import type { Listing, Spec } from '../../base/listing/listing.ts';
import { mirroredPhrase, multiplierPhrase } from './pack-multipliers.ts';
import type { Tokens } from './pack-number.ts';
import {
  foldPhrase,
  headedPhrase,
  ofPhrase,
  packPhrase,
  quantityPhrase,
  reversedPhrase,
  slashPhrase,
  type PackPhrase,
} from './pack-phrases.ts';
import { piecePhrase } from './pack-pieces.ts';
import { CONTAINERS, FOLD_WORDS, NUMBER_WORDS } from './pack-words.ts';
import { tokensOf, type Token } from './title-tokens.ts';

/** Names that shops use for pack count fields, most reliable first. */
const FIELDS: readonly string[] = [
  'item package quantity',
  'package quantity',
  'pack quantity',
  'multipack quantity',
  'multi pack quantity',
  'number of packs',
  'pack count',
  'lot size',
  'items per lot',
  'pack size',
  'number in pack',
  'number in package',
  'number of items',
];

/** Fields that shops set to 1 for every product: they only count above 1. */
const ABOVE_ONE: ReadonlySet<string> = new Set(['number of items', 'quantity']);

/** Maximum pack count; a larger number counts something else. */
const MOST_PACKS = 10_000;

const NAME_LENGTH = 60;

function fieldOf(name: string): string {
  return name
    .slice(0, NAME_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Parses `6`, `12-Pack`, `4 units`, `Pack of 3`, `single`. */
function countIn(value: string): number | null {
  const text = value.slice(0, NAME_LENGTH).trim().toLowerCase();
  const bare =
    /^(\d{1,5})(?:[\s-]*(?:packs?|pks?|pieces?|pcs|units?|items?|ct|count|each|ea))?\.?$/.exec(
      text,
    );
  const count = bare === null ? titlePackCount(text) : Number(bare[1]);
  return count !== null && count >= 1 && count <= MOST_PACKS ? count : null;
}

/**
 * Returns the pack count stated by a specification; null when none does. "Number of Items" and "Quantity" only count above
 * 1. `own` lists further fields that count packs only at this retailer, in lower case.
 */
export function statedPackCount(
  specs: readonly Spec[],
  own: readonly string[] = [],
): number | null {
  if (specs.length === 0) return null;
  const fields = specs.map(({ name }) => fieldOf(name));
  for (const field of [...FIELDS, ...own]) {
    for (let at = fields.indexOf(field); at >= 0; at = fields.indexOf(field, at + 1)) {
      const count = countIn(specs[at]?.value ?? '');
      if (count !== null && (count > 1 || !ABOVE_ONE.has(field))) return count;
    }
  }
  return null;
}

/** Titles that state several of something. With such a title, a field of 1 counts something else. */
const SEVERAL =
  /\b(?:packs?|pk|sets?|case|lot|bundle|box|carton|count|pcs|pieces)\b.{0,4}\d|\d.{0,2}\b(?:packs?|pk|ct|count|pcs|pieces|sets?)\b/i;

const TITLE_LENGTH = 1_000;

/** Weighs a field's count against the title, because shops also leave the field at 1 for two-packs. */
function settled(stated: number | null, title: string | null): number | null {
  if (stated !== null && stated > 1) return stated;
  const said = title === null ? null : titlePackCount(title);
  if (said !== null || stated === null) return said;
  return SEVERAL.test((title ?? '').slice(0, TITLE_LENGTH)) ? null : stated;
}

type PackFacts = { readonly specs: readonly Spec[]; readonly title: string | null };

/**
 * Returns the outermost multiplier stated by a specification or the title (D41): a field above 1, else the title, else a
 * field of 1 that the title does not contradict. Null when nothing states one.
 */
export function packCountOf({ specs, title }: PackFacts): number | null {
  return settled(statedPackCount(specs), title);
}

/** Returns the listing with the pack count stated by its specifications or title, if its reader found none or only 1. */
export function withPackCount(listing: Listing): Listing {
  const { packCount, specs, title } = listing;
  const stated = packCount ?? statedPackCount(specs);
  const count = settled(stated, title);
  return count === packCount ? listing : { ...listing, packCount: count };
}

/** The finders in the order in which they are tried at one token: longer phrases before shorter ones. */
const FINDERS = [
  multiplierPhrase,
  slashPhrase,
  packPhrase,
  ofPhrase,
  reversedPhrase,
  foldPhrase,
  headedPhrase,
  quantityPhrase,
  mirroredPhrase,
  piecePhrase,
];

/** The words that can start a phrase. */
const OPENINGS: ReadonlySet<string> = new Set([
  ...NUMBER_WORDS.keys(),
  ...CONTAINERS.keys(),
  ...FOLD_WORDS.keys(),
  ...'half dozen dz doz dutzend qty quantity anzahl cantidad x'.split(' '),
]);

/**
 * For each first letter, by its code, the lengths of the openings: bit `n` stands for `n` letters. Checked first, because a set
 * lookup costs a hash of the word.
 */
const OPENING_LENGTHS = new Uint32Array(128);
for (const word of OPENINGS) OPENING_LENGTHS[word.charCodeAt(0)]! |= 1 << Math.min(word.length, 31);

/** Whether a phrase can start with this token. Fewer than one in ten of a title's tokens can. */
function mayOpen(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'number') return token !== undefined;
  const { kind, text } = token;
  if (kind === 'mark') return text === '(';
  const lengths = OPENING_LENGTHS[text.charCodeAt(0)] ?? ~0;
  return (lengths & (1 << Math.min(text.length, 31))) !== 0 && OPENINGS.has(text);
}

/** Returns the first phrase starting at `index`; null if there is none. */
function phraseAt(tokens: Tokens, index: number): PackPhrase | null {
  if (!mayOpen(tokens[index])) return null;
  for (const find of FINDERS) {
    const phrase = find(tokens, index);
    if (phrase !== null) return phrase;
  }
  return null;
}

function phrasesOf(tokens: Tokens): readonly PackPhrase[] {
  const found: PackPhrase[] = [];
  let index = 0;
  while (index < tokens.length) {
    const phrase = phraseAt(tokens, index);
    if (phrase !== null && !isTotal(tokens, index, phrase.end)) found.push(phrase);
    index = Math.max(phrase?.end ?? 0, index + 1);
  }
  return found;
}

/**
 * Whether the phrase is a sum of all packs, which is not a pack count: "(24 count total)", "total of 12", "= 48 regular
 * rolls".
 */
function isTotal(tokens: Tokens, from: number, to: number): boolean {
  if (tokens[from - 1]?.text === '=') return true;
  const near = [...tokens.slice(Math.max(0, from - 2), from), ...tokens.slice(to, to + 2)];
  return near.some(({ text }) => text === 'total' || text === 'insgesamt');
}

/** Removes phrases about the content of each item that another phrase counts, such as "50/pack" in "2 packs (50/pack)". */
function outer(phrases: readonly PackPhrase[]): readonly PackPhrase[] {
  return phrases.filter(
    (each) =>
      !each.isShare || phrases.every((other) => other === each || other.counted !== each.holder),
  );
}

/** Removes phrases that state the total of another phrase: with "5 pads of 100", `500/pack` is the sum of the pads. */
function withoutTotals(phrases: readonly PackPhrase[]): readonly PackPhrase[] {
  const totals = new Set(phrases.map(({ total }) => total));
  return phrases.filter(({ count, total }) => total !== null || !totals.has(count));
}

function agreed(phrases: readonly PackPhrase[]): number | null {
  const [first] = phrases;
  if (first === undefined) return null;
  return phrases.every(({ count }) => count === first.count) ? first.count : null;
}

/**
 * Returns the pack count stated in a title; null if it states none, or two of which neither takes precedence. Returns 1
 * only if the title says 1 ("1 pack", "single pack").
 */
export function titlePackCount(title: string): number | null {
  const all = withoutTotals(phrasesOf(tokensOf(title)));
  const strongest = Math.max(0, ...all.map(({ tier }) => tier));
  const phrases = outer(all.filter(({ tier }) => tier === strongest));
  const same = agreed(phrases);
  if (same !== null) return same;
  // "12 Pack (Pack of 2)": a bracket refers to the whole listing.
  const last = phrases.findLast(({ bracket }) => bracket > 0);
  if (last !== undefined) return agreed(phrases.filter(({ bracket }) => bracket === last.bracket));
  const outermost = Math.max(0, ...phrases.map(({ rank }) => rank));
  return agreed(phrases.filter(({ rank }) => rank === outermost));
}
