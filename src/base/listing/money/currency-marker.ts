// Reads the sign, code or name of a currency next to an amount. Looks at spellings and word boundaries; amounts are found
// elsewhere.

import { currencyCodeOf, isCurrencyCode, WORD_CODES } from './currencies.ts';
import { AFTER_ONLY, BEFORE_ONLY, LONGEST_SIGN, NAMES, SIGNS } from './currency-signs.ts';
import type { Money } from './minor-units.ts';

/** A marker and the currencies it may mean: one if it is unambiguous, several if only a hint can decide. */
export type Marker = {
  readonly start: number;
  readonly end: number;
  readonly codes: readonly string[];
};

const LETTER = /\p{L}/u;

/** Blanks between an amount and its marker: `1 299 Kč`, `EUR  12`. */
const MAX_BLANKS = 3;

export function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false;
  const code = character.charCodeAt(0);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return LETTER.test(character);
}

export function isBlank(character: string | undefined): boolean {
  return character === ' ' || (character !== undefined && /\s/.test(character));
}

/** Maps each character to a bit mask of the lengths of spellings that begin or end with it. */
function lengthsBy(characterOf: (spelling: string) => string): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const spelling of SIGNS.keys()) {
    const character = characterOf(spelling);
    lengths.set(character, (lengths.get(character) ?? 0) | (1 << spelling.length));
  }
  return lengths;
}

const LENGTHS_BY_FIRST = lengthsBy((spelling) => spelling.charAt(0));
const LENGTHS_BY_LAST = lengthsBy((spelling) => spelling.charAt(spelling.length - 1));
const CODE_LENGTH = 3;

/**
 * Returns the lengths of markers that begin or end with this character. For most texts next to an amount there are none.
 */
function possibleLengths(lengths: ReadonlyMap<string, number>, character: string): number {
  const ofSigns = lengths.get(character) ?? 0;
  const mayBeOfCode = isLetter(character) || character.charCodeAt(0) >= 128;
  return mayBeOfCode ? ofSigns | (1 << CODE_LENGTH) : ofSigns;
}

function codesOf(spelling: string, side: 'before' | 'after'): readonly string[] | undefined {
  if ((side === 'before' ? AFTER_ONLY : BEFORE_ONLY).has(spelling)) return undefined;
  const signs = SIGNS.get(spelling);
  if (signs !== undefined) return signs;
  if (spelling.length !== CODE_LENGTH) return undefined;
  const code = spelling.toUpperCase();
  const spelled = spelling === code || !WORD_CODES.has(code);
  const known = spelled ? currencyCodeOf(code) : null;
  return known === null || !isCurrencyCode(known) ? undefined : [known];
}

/** Returns the marker directly before the amount at `start`, skipping blanks between them. */
export function markerBefore(text: string, start: number): Marker | null {
  let end = start;
  while (start - end < MAX_BLANKS && isBlank(text[end - 1])) end -= 1;
  const lengths = end === 0 ? 0 : possibleLengths(LENGTHS_BY_LAST, text.charAt(end - 1));
  if (lengths === 0) return null;
  for (let length = Math.min(LONGEST_SIGN, end); length > 0; length -= 1) {
    if ((lengths & (1 << length)) === 0) continue;
    const from = end - length;
    // Part of a longer word.
    if (isLetter(text[from]) && isLetter(text[from - 1])) continue;
    const codes = codesOf(text.slice(from, end), 'before');
    if (codes !== undefined) return { start: from, end, codes };
  }
  return null;
}

/** Returns the marker directly after the amount that ends at `end`, skipping blanks between them. */
export function markerAfter(text: string, end: number): Marker | null {
  let start = end;
  while (start - end < MAX_BLANKS && isBlank(text[start])) start += 1;
  const lengths = start >= text.length ? 0 : possibleLengths(LENGTHS_BY_FIRST, text.charAt(start));
  if (lengths === 0) return null;
  for (let length = LONGEST_SIGN; length > 0; length -= 1) {
    const to = start + length;
    if ((lengths & (1 << length)) === 0 || to > text.length) continue;
    // Part of a longer word.
    if (isLetter(text[to - 1]) && isLetter(text[to])) continue;
    const codes = codesOf(text.slice(start, to), 'after');
    if (codes !== undefined) return { start, end: to, codes };
  }
  return null;
}

/** Returns the currencies of a text that consists only of a code, a sign or a name, in any case. */
export function wholeTextCodes(text: string): readonly string[] | undefined {
  const bare = text.trim();
  if (bare.length > 40) return undefined;
  const code = currencyCodeOf(bare.toUpperCase());
  if (code !== null) return [code];
  return SIGNS.get(bare) ?? NAMES.get(bare.toLowerCase());
}

/**
 * Returns the currencies mentioned anywhere in a text: by a code in capitals that is not a word, otherwise by the first
 * sign.
 */
export function codesAnywhere(text: string): readonly string[] | undefined {
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])[A-Z]{3}(?![\p{L}\p{N}])/gu)) {
    const code = match[0];
    if (isCurrencyCode(code) && !WORD_CODES.has(code)) return [code];
  }
  for (const character of text) {
    const codes = isLetter(character) ? undefined : SIGNS.get(character);
    if (codes !== undefined) return codes;
  }
  return undefined;
}

/** The code that shop systems use for the toman. It is never exposed outside the money readers. */
export const TOMAN = 'IRT';
const RIAL = 'IRR';
const RIALS = 10;

/** Converts an amount in tomans to rials, both counted in hundredths; leaves other amounts unchanged. */
export function inRials<T extends Money>(money: T): T {
  if (money.currency !== TOMAN) return money;
  const cents = money.cents * RIALS;
  return Number.isSafeInteger(cents)
    ? { ...money, cents, currency: RIAL }
    : { ...money, currency: null };
}
