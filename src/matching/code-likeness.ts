// How two model numbers stand to each other. `qn65q80` and `qn55q80` are siblings, which is worse than
// being unlike: shops write the sibling's number on purpose.

import { countBits } from './layout.ts';

export const CodeRelation = {
  unlike: 0,
  /** Same beginning, other tail. */
  tail: 1,
  /** Same length, one or two characters differ. */
  sibling: 2,
  /** One begins with the other. */
  prefix: 3,
  /** One is inside the other. */
  inside: 4,
  equal: 5,
} as const;

/** The relation of two squeezed model numbers, one of `CodeRelation`. */
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

/** Which characters a text holds, by their lowest five bits. */
export function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

/**
 * Whether `codeRelation` may find more than `unlike` in two texts with other first characters: one that is inside the
 * other has no character of its own, and two that differ in two characters have at most four of their own.
 */
export function mayRelate(mine: number, theirs: number): boolean {
  if ((mine & ~theirs) === 0 || (theirs & ~mine) === 0) return true;
  return countBits(mine ^ theirs) <= 4;
}

/** Characters that both begin with. */
export function samePrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
