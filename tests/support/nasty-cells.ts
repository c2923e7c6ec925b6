// Texts of hostile shops, composed of what ends a cell somewhere, what starts a formula, and what may be between them.

import { integerBelow, pick } from './random.ts';

const PARTS = `= + - @ ＝ ＋ － ＠ \ufe66 1 5 . % é ; , | " "" ' tea =1+1 -1 ;-2 ,"= |""@`
  .split(' ')
  .concat(' ', '\t', '\n', '\r', '\r\n', '\v', '\0', '\x1f', '\u00a0', '\ufeff', '\u200b', '\u2028')
  .concat("cmd|' /C calc'!A0");

/** Returns a text of up to eight such parts. */
export function nastyText(random: () => number): string {
  return Array.from({ length: integerBelow(random, 9) }, () => pick(random, PARTS)).join('');
}
