// Determines how two model numbers are related. `qn65q80` and `qn55q80` are siblings, which is worse than unlike: shops
// write a sibling's number on purpose.

import { countBits } from './layout.ts';

export const CodeRelation = {
  unlike: 0,
  /** Same beginning, different end. */
  tail: 1,
  /** Same length, one or two characters differ. */
  sibling: 2,
  /** One begins with the other. */
  prefix: 3,
  /** One contains the other. */
  inside: 4,
  equal: 5,
} as const;

/** Returns the `CodeRelation` of two model numbers of only letters and digits. */
export function codeRelation(a: string, b: string): number {
  if (a === b) return CodeRelation.equal;
  const short = a.length <= b.length ? a : b;
  const long = a.length <= b.length ? b : a;
  if (short.length >= 4 && long.startsWith(short)) return CodeRelation.prefix;
  if (short.length >= 5 && long.includes(short)) return CodeRelation.inside;
  const same = samePrefix(a, b);
  if (a.length === b.length && a.length >= 4) {
    let differ = 0;
    for (let at = same; at < a.length && differ < 3; at += 1) {
      if (a.charCodeAt(at) !== b.charCodeAt(at)) differ += 1;
    }
    if (differ <= 2) return CodeRelation.sibling;
  }
  return same >= 3 && same * 2 >= long.length ? CodeRelation.tail : CodeRelation.unlike;
}

/** Returns the pattern of letters and digits in a model number: `TA800225` and `TA600226` have the same shape. */
export function shapeOf(text: string): string {
  return text.replaceAll(/\D/g, 'a').replaceAll(/\d/g, '9');
}

/** Returns the set of characters in a text as bits, by the lowest five bits of each character. */
export function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

/**
 * Returns whether two texts with different first characters may be more than `unlike`, based on their `lettersOf`: a
 * contained text has no character of its own, and two that differ in two characters have at most four.
 */
export function mayRelate(mine: number, theirs: number): boolean {
  if ((mine & ~theirs) === 0 || (theirs & ~mine) === 0) return true;
  return countBits(mine ^ theirs) <= 4;
}

/** Returns the length of the common prefix. */
export function samePrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
