// Reads how many packs a title states: the outermost count of its phrases (D41, docs/use/sheets.md).

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

/** Removes phrases about the content of each thing counted by another phrase, such as "50/pack" in "2 packs (50/pack)". */
function outer(phrases: readonly PackPhrase[]): readonly PackPhrase[] {
  return phrases.filter(
    (each) =>
      !each.isShare || phrases.every((other) => other === each || other.counted !== each.holder),
  );
}

/** Removes phrases that state the total of another: `500/pack` next to "5 pads of 100" is the sum of the pads. */
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
 * Returns the pack count stated in a title; null when it states none, or two without an order between them. Returns 1 only
 * if the title says 1 ("1 pack", "single pack").
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
