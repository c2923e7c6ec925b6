// Recognizes numbers in a title that may count packs: which digits and words are a number, and which belong to a model, a
// size, a price or another product.

import {
  ABOUT_OTHERS,
  DOZENS,
  NAMED_BY_NUMBER,
  NUMBER_WORDS,
  SIZES_BY_NAME,
} from './pack-words.ts';
import type { Token } from './title-tokens.ts';

export type Tokens = readonly Token[];

const MOST_PACKED = 1_000;
const MOST_PIECES = 100_000;

/** Returns the text of the token at `index`; empty beyond both ends. */
export const tokenText = (tokens: Tokens, index: number): string => tokens[index]?.text ?? '';

function isCode(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'mark') return false;
  return token.kind === 'number' || token.isCapital || token.text.length <= 3;
}

/** Whether a number belongs to the token glued before it: `B21`, `XJ-24PK`, `#10`, `$5`, `1/2`, `8-1`. */
export function belongsToCode(tokens: Tokens, index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.isGlued !== true || before === undefined) return false;
  if (before.kind === 'word') {
    return before.text !== 'of' && (before.text !== 'x' || !isFactor(tokens, index - 1));
  }
  if (before.kind === 'number') return true;
  if ('#$€£'.includes(before.text)) return true;
  if (before.text !== '-' && before.text !== '/') return false;
  if (isAmidCode(tokens, index)) return true;
  // `UAP-PRO-5-PACK` ends in words, regardless of its start.
  if (tokenText(tokens, index + 1) === '-' && tokenText(tokens, index + 2) === 'pack') return false;
  return before.isGlued && isCode(tokens[index - 2]);
}

/** Whether the code continues after the word at the number, with further digits: `ab-cdef-28pk-r1`. */
function isAmidCode(tokens: Tokens, index: number): boolean {
  const [word, hyphen, next, last] = tokens.slice(index + 1, index + 5);
  if (word?.kind !== 'word' || !word.isGlued || hyphen?.text !== '-' || !hyphen.isGlued)
    return false;
  if (next?.isGlued !== true) return false;
  return next.kind === 'number' || (last?.kind === 'number' && last.isGlued);
}

/** Maximum factor before an `x` separated from it. */
const MOST_APART = 100;

/** Whether the x at `index` multiplies: in `6527 X5` it begins a model number. */
export function isFactor(tokens: Tokens, index: number): boolean {
  const [front, times, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (front?.kind !== 'number') return false;
  const isApart = times?.isGlued !== true && after?.isGlued === true;
  return !isApart || (times?.isCapital !== true && (front.whole ?? 0) <= MOST_APART);
}

/** A number of a title; `end` is the index after it. */
export type CountedNumber = {
  readonly value: number;
  readonly end: number;
  readonly start: number;
};

/** `(12)` and `12` alike. */
function bareNumber(tokens: Tokens, index: number): CountedNumber | null {
  const isWrapped = tokenText(tokens, index) === '(' && tokenText(tokens, index + 2) === ')';
  const at = isWrapped ? index + 1 : index;
  const token = tokens[at];
  const worded = token?.kind === 'word' ? NUMBER_WORDS.get(token.text) : undefined;
  const value = token?.whole ?? worded ?? null;
  if (value === null || value < 1 || belongsToCode(tokens, at)) return null;
  if (token?.text.startsWith('0') === true) return null;
  if (worded !== undefined && /^(?:in|all)$/.test(tokenText(tokens, index - 1))) return null;
  return { value, end: at + (isWrapped ? 2 : 1), start: index };
}

/** Returns the index after a hyphen at `index`, otherwise `index`. */
export function skipHyphen(tokens: Tokens, index: number): number {
  return tokenText(tokens, index) === '-' ? index + 1 : index;
}

/** Returns the number starting at `index`: digits or a word, in brackets or not; dozens included. */
export function countedNumberAt(tokens: Tokens, index: number): CountedNumber | null {
  if (tokenText(tokens, index) === 'half' && DOZENS.get(dozenWord(tokens, index + 1)) === 12) {
    return { value: 6, end: skipHyphen(tokens, index + 1) + 1, start: index };
  }
  const bare = bareNumber(tokens, index);
  if (bare === null) return null;
  const dozen = DOZENS.get(dozenWord(tokens, bare.end));
  // `2 gross weight`, `12 dozen` of a pack of twelve dozens.
  if (dozen === undefined) return bare;
  const end = skipHyphen(tokens, bare.end) + 1;
  return tokenText(tokens, end) === 'weight' ? null : { ...bare, value: bare.value * dozen, end };
}

function dozenWord(tokens: Tokens, index: number): string {
  return tokenText(tokens, skipHyphen(tokens, index));
}

const YEARS = { from: 1_900, to: 2_099 };

/** Whether this is a plausible count for a container of this rank. */
export function isLikely(value: number, rank: number): boolean {
  if (value > (rank >= 4 ? MOST_PIECES : MOST_PACKED)) return false;
  return !(value >= YEARS.from && value <= YEARS.to && rank < 4);
}

/** Whether the preceding words show that the number belongs to another product or to a name. */
export function isForeign(tokens: Tokens, start: number): boolean {
  const before = tokenText(tokens, start - 1);
  if (ABOUT_OTHERS.has(before) || NAMED_BY_NUMBER.has(before))
    return !endsAmount(tokens, start - 1);
  // `1/2/4 pack` and `3 or 6 pack` are choices, `3-6 pack` a range.
  if (tokens[start - 2]?.kind !== 'number') return false;
  // `2, 4, 6 pack`: a single comma may separate two statements.
  if (before === ',')
    return tokenText(tokens, start - 3) === ',' && tokens[start - 4]?.kind === 'number';
  return /^(?:or|\/|&|\|)$/.test(before) || (before === '-' && tokens[start]?.isGlued === true);
}

/**
 * Whether the word ends an amount: the `V` of "3V 2 Pack" means volts, and in "Travel Size 3 Pack" the size has its name
 * before it.
 */
function endsAmount(tokens: Tokens, index: number): boolean {
  const [word, before] = [tokenText(tokens, index), tokens[index - 1]];
  if (word === 'v') return before?.kind === 'number';
  return word === 'size' && SIZES_BY_NAME.has(before?.text ?? '');
}

/** Whether an alternative number follows the one ending at `end`: `pack of 2/4/6`, `pack of 2 | 4`. */
export function isChoice(tokens: Tokens, end: number): boolean {
  if (!/^(?:or|\/|\|)$/.test(tokenText(tokens, end))) return false;
  const next = tokens[end + 1];
  const after = tokens[end + 2];
  if (next?.kind !== 'number' || next.whole === null) return false;
  return after === undefined || after.kind === 'mark';
}
