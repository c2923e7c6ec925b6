// Which words two listings share, which are shared in another spelling or place, and which stand on one
// side only. One merge of sorted numbers; the lists are reused, so a result is read before the next pair.

import { holds, placeIn } from './word-hash.ts';
import type { Prepared } from './prepared.ts';

/** How a word of a title was found on the other side. */
export const Found = { not: 0, title: 1, joined: 2, stem: 3, elsewhere: 4 } as const;

const MOST = 128;

export type Side = {
  /** By place in `Prepared.hashes`: how it was found on the other side. */
  readonly found: Uint8Array;
  /** Places of words that are not in the other title as they are, in ascending order. */
  readonly left: Uint8Array;
  leftCount: number;
};

export type Overlap = {
  readonly short: Side;
  readonly long: Side;
  /** Places in the shorter listing of the words both titles have. */
  readonly shared: Uint8Array;
  sharedCount: number;
};

function emptySide(): Side {
  return { found: new Uint8Array(MOST), left: new Uint8Array(MOST), leftCount: 0 };
}

const OVERLAP: Overlap = {
  short: emptySide(),
  long: emptySide(),
  shared: new Uint8Array(MOST),
  sharedCount: 0,
};

/** The overlap of two listings, valid until the next call. */
export function overlapOf(short: Prepared, long: Prepared): Overlap {
  const overlap = OVERLAP;
  merge(short.hashes, long.hashes, overlap);
  join(overlap.short, short, overlap.long, long);
  join(overlap.long, long, overlap.short, short);
  stems(overlap, short, long);
  lookElsewhere(overlap.short, short, long);
  lookElsewhere(overlap.long, long, short);
  return overlap;
}

function merge(short: Int32Array, long: Int32Array, overlap: Overlap): void {
  const { shared, short: one, long: two } = overlap;
  let i = 0;
  let j = 0;
  let both = 0;
  let leftOne = 0;
  let leftTwo = 0;
  while (i < short.length && j < long.length) {
    const a = short[i] as number;
    const b = long[j] as number;
    if (a === b) {
      one.found[i] = 1;
      two.found[j] = 1;
      shared[both] = i;
      both += 1;
      i += 1;
      j += 1;
    } else if (a < b) {
      one.found[i] = 0;
      one.left[leftOne] = i;
      leftOne += 1;
      i += 1;
    } else {
      two.found[j] = 0;
      two.left[leftTwo] = j;
      leftTwo += 1;
      j += 1;
    }
  }
  for (; i < short.length; i += 1, leftOne += 1) {
    one.found[i] = 0;
    one.left[leftOne] = i;
  }
  for (; j < long.length; j += 1, leftTwo += 1) {
    two.found[j] = 0;
    two.left[leftTwo] = j;
  }
  overlap.sharedCount = both;
  one.leftCount = leftOne;
  two.leftCount = leftTwo;
}

/** `videostudio` here is `video studio` there. */
function join(side: Side, own: Prepared, other: Side, there: Prepared): void {
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    const found = placeIn(there.joined, own.hashes[place] as number);
    if (found < 0) continue;
    side.found[place] = Found.joined;
    const pair = there.joinedOf[found] as number;
    if (other.found[pair >> 8] === 0) other.found[pair >> 8] = Found.joined;
    if (other.found[pair & 255] === 0) other.found[pair & 255] = Found.joined;
  }
}

/** `pro` and `professional`, `cartridge` and `cartridges`: one begins with the other. */
function stems({ short: one, long: two }: Overlap, short: Prepared, long: Prepared): void {
  for (let at = 0; at < one.leftCount; at += 1) {
    const i = one.left[at] as number;
    if (one.found[i] !== 0) continue;
    const stem = short.stems[i] as number;
    for (let to = 0; to < two.leftCount; to += 1) {
      const j = two.left[to] as number;
      if (long.stems[j] !== stem || two.found[j] !== 0) continue;
      const a = short.words[i] as string;
      const b = long.words[j] as string;
      if (((short.kinds[i] as number) | (long.kinds[j] as number)) !== 0) continue;
      if (!a.startsWith(b) && !b.startsWith(a)) continue;
      one.found[i] = Found.stem;
      two.found[j] = Found.stem;
      break;
    }
  }
}

function lookElsewhere(side: Side, own: Prepared, there: Prepared): void {
  if (there.elsewhere.length === 0) return;
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    if (side.found[place] !== 0) continue;
    if (holds(there.elsewhere, own.hashes[place] as number)) side.found[place] = Found.elsewhere;
  }
}
