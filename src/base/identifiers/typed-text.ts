// Codes and amounts as people type, paste and scan them, in plain characters: invisible characters are removed, and each
// dash, digit and full-width character is the ASCII one that it stands for. Pure.

import { foldDigits } from '../listing/text/numeral.ts';

/** Characters without a glyph of their own: Unicode's default ignorable ones, and its format characters. */
const INVISIBLE = /[\p{DI}\p{Cf}]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
/**
 * Dashes, and characters typed in place of one: the minus sign, the hyphen bullet, the modifier letter, and between digits
 * Japan's sign for a long vowel.
 */
const EACH_DASH = /[\p{Pd}\u02d7\u2043\u2212]|(?<=\p{Nd})[\u30fc\uff70](?=\p{Nd})/gu;
const EACH_WIDE = /[\uff01-\uff5e]/g;
const ASCII = /^[\0-\x7f]*$/;

/** Returns a text in plain characters. An address is not such a text: its characters are its own. */
export function typedText(text: string): string {
  if (ASCII.test(text)) return text;
  const narrow = text
    .replaceAll(EACH_INVISIBLE, '')
    .replaceAll(EACH_DASH, '-')
    .replaceAll(EACH_WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  return foldDigits(narrow);
}

/** Removes blanks and invisible characters from both ends. In a loop: a pattern would restart at each of many blanks. */
export function trimmedText(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isNothing(text.charAt(from))) from += 1;
  while (to > from && isNothing(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isNothing(character: string): boolean {
  return /\s/.test(character) || INVISIBLE.test(character);
}
