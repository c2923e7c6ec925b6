// Determines which words two listings share, which are shared in another spelling or field, and which only one side has.
// One merge of sorted numbers. The result is overwritten by the next call.

import {
  At,
  ELSEWHERE_FIELDS,
  hasBit,
  JOINED_FIELDS,
  kindOf,
  placeIn,
} from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';

/** How a word of a title was found on the other side. */
export const FoundAs = { not: 0, title: 1, joined: 2, stem: 3, elsewhere: 4 } as const;

const MOST = 128;

export type WordSide = {
  /** For each word, how it was found on the other side. */
  readonly found: Uint8Array;
  /** Ascending indexes of the words that are not in the other title in the same spelling. */
  readonly left: Uint8Array;
  leftCount: number;
  /** For each word that both titles have in the same spelling, its index on the other side; otherwise meaningless. */
  readonly partner: Uint8Array;
};

export type Overlap = {
  readonly short: WordSide;
  readonly long: WordSide;
  /** Indexes, in the listing with less text, of the words that both titles have. */
  readonly shared: Uint8Array;
  sharedCount: number;
};

function emptySide(): WordSide {
  return {
    found: new Uint8Array(MOST),
    left: new Uint8Array(MOST),
    leftCount: 0,
    partner: new Uint8Array(MOST),
  };
}

const OVERLAP: Overlap = {
  short: emptySide(),
  long: emptySide(),
  shared: new Uint8Array(MOST),
  sharedCount: 0,
};

/** Returns the overlap of two listings, valid until the next call. */
export function overlapOf(short: Prepared, long: Prepared): Overlap {
  const overlap = OVERLAP;
  const one = short.numbers;
  const two = long.numbers;
  merge(one, two, overlap);
  join(overlap.short, one, overlap.long, two);
  join(overlap.long, two, overlap.short, one);
  if (((one[At.stemBits] as number) & (two[At.stemBits] as number)) !== 0) {
    stems(overlap, short, long);
  }
  lookElsewhere(overlap.short, one, two);
  lookElsewhere(overlap.long, two, one);
  return overlap;
}

function merge(short: Int32Array, long: Int32Array, overlap: Overlap): void {
  const { shared, short: one, long: two } = overlap;
  const endShort = At.startWords + (short[At.words] as number);
  const endLong = At.startWords + (long[At.words] as number);
  let i: number = At.startWords;
  let j: number = At.startWords;
  let both = 0;
  let leftOne = 0;
  let leftTwo = 0;
  // No branch on the outcome, which the processor would mispredict: every index is written, and counted only if it
  // applies.
  while (i < endShort && j < endLong) {
    const difference = (short[i] as number) - (long[j] as number);
    const less = difference >>> 31;
    const more = -difference >>> 31;
    const equal = 1 ^ less ^ more;
    const placeOne = i - At.startWords;
    const placeTwo = j - At.startWords;
    one.found[placeOne] = equal;
    two.found[placeTwo] = equal;
    one.partner[placeOne] = placeTwo;
    two.partner[placeTwo] = placeOne;
    shared[both] = placeOne;
    one.left[leftOne] = placeOne;
    two.left[leftTwo] = placeTwo;
    both += equal;
    leftOne += less;
    leftTwo += more;
    i += 1 ^ more;
    j += 1 ^ less;
  }
  for (; i < endShort; i += 1) leftOne = leave(one, leftOne, i - At.startWords);
  for (; j < endLong; j += 1) leftTwo = leave(two, leftTwo, j - At.startWords);
  overlap.sharedCount = both;
  one.leftCount = leftOne;
  two.leftCount = leftTwo;
}

function leave(side: WordSide, count: number, place: number): number {
  side.found[place] = FoundAs.not;
  side.left[count] = place;
  return count + 1;
}

/** Finds `videostudio` on one side as `video studio` on the other. */
function join(side: WordSide, own: Int32Array, other: WordSide, there: Int32Array): void {
  const start = there[At.startJoined] as number;
  const count = there[At.joined] as number;
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    const hash = own[At.startWords + place] as number;
    if (!hasBit(there, At.joinedBits, JOINED_FIELDS, hash)) continue;
    const found = placeIn(there, start, count, hash);
    if (found < 0) continue;
    side.found[place] = FoundAs.joined;
    const pair = there[found + count] as number;
    if (other.found[pair >> 8] === 0) other.found[pair >> 8] = FoundAs.joined;
    if (other.found[pair & 255] === 0) other.found[pair & 255] = FoundAs.joined;
  }
}

/** Finds words that begin with one another: `cartridge` and `cartridges`, `photo` and `photoshop`. */
function stems({ short: one, long: two }: Overlap, short: Prepared, long: Prepared): void {
  const mine = short.numbers;
  const theirs = long.numbers;
  const words = mine[At.words] as number;
  const others = theirs[At.words] as number;
  const bits = theirs[At.stemBits] as number;
  for (let at = 0; at < one.leftCount; at += 1) {
    const i = one.left[at] as number;
    const stem = mine[At.startWords + 2 * words + i] as number;
    if (((bits >>> (stem & 31)) & 1) === 0 || one.found[i] !== 0) continue;
    if (kindOf(mine[At.startWords + words + i] as number) !== 0) continue;
    for (let to = 0; to < two.leftCount; to += 1) {
      const j = two.left[to] as number;
      if (theirs[At.startWords + 2 * others + j] !== stem || two.found[j] !== 0) continue;
      const a = short.words[i] as string;
      const b = long.words[j] as string;
      if (!a.startsWith(b) && !b.startsWith(a)) continue;
      one.found[i] = FoundAs.stem;
      two.found[j] = FoundAs.stem;
      break;
    }
  }
}

function lookElsewhere(side: WordSide, own: Int32Array, there: Int32Array): void {
  const count = there[At.elsewhere] as number;
  if (count === 0) return;
  const start = there[At.startElsewhere] as number;
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    if (side.found[place] !== 0) continue;
    const hash = own[At.startWords + place] as number;
    if (!hasBit(there, At.elsewhereBits, ELSEWHERE_FIELDS, hash)) continue;
    if (placeIn(there, start, count, hash) >= 0) side.found[place] = FoundAs.elsewhere;
  }
}
