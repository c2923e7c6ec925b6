// Features of the changes between two titles: a word replaced between the same neighbors ("Size 3 Diapers", "Size 4 Diapers"),
// a word inserted after a shared number ("RX100", "RX100 II"), numbers that are nearly alike ("3", "3s"), and how the product
// is sold. They have the same meaning for products not seen in training.

import { isDigitAt } from '../../../base/listing/text/numeral.ts';
import { F } from './feature-names.ts';
import { At, kindOf, least, most, NO_POSITION, rarityOf, SOLD_AS } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { FoundAs } from './word-overlap.ts';
import type { Overlap, WordSide } from './word-overlap.ts';
import { WordKind } from '../words/words.ts';

/** Writes the change features into `row`. `overlap` is the overlap of the same two listings in the same order. */
export function changeFeatures(
  short: Prepared,
  long: Prepared,
  overlap: Overlap,
  row: Int32Array,
): void {
  CHANGES.fill(0);
  replaced(short, long, overlap);
  insertedIn(overlap.short, short.numbers, long.numbers);
  insertedIn(overlap.long, long.numbers, short.numbers);
  nearNumbers(short, long, overlap);
  for (let at = 0; at < CHANGES.length; at += 1) row[F.swaps + at] = CHANGES[at] as number;
  const [one, two] = [short.numbers, long.numbers];
  row[F.madeFor] = madeFor(overlap, one, two);
  const other = (one[At.soldAs] as number) ^ (two[At.soldAs] as number);
  row[F.usedOne] = other & SOLD_AS.used;
  row[F.imitationOne] = (other & SOLD_AS.imitation) >> 1;
  row[F.bundleOne] = (other & SOLD_AS.bundle) >> 2;
  row[F.shortUnknown] = one[At.unknown] as number;
  row[F.longUnknown] = two[At.unknown] as number;
  row[F.bareOne] = (other & SOLD_AS.bare) >> 3;
}

/** The features from `swaps` on, in their order. */
const Change = {
  swaps: 0,
  swapNumber: 1,
  swapPlain: 2,
  swapFramed: 3,
  putIn: 4,
  putInFramed: 5,
  putInBehindNumber: 6,
  putInBehindShort: 7,
  nearNumbers: 8,
  nearRarity: 9,
} as const;

const CHANGES = new Int32Array(10);

/** Returns the fields of one side's word. */
function infoAt(own: Int32Array, place: number): number {
  return own[At.startWords + (own[At.words] as number) + place] as number;
}

function rankAt(own: Int32Array, place: number): number {
  return own[At.startWords + 3 * (own[At.words] as number) + place] as number;
}

/** Returns the word at a position; -1 outside the title. */
function wordAt(own: Int32Array, rank: number): number {
  const words = own[At.words] as number;
  if (rank < 0 || rank >= words) return -1;
  return own[At.startWords + 4 * words + rank] as number;
}

/**
 * Returns the other side's position of the word next to a shared word, `step` before or after it; -1 if that word is not
 * shared.
 */
function across(
  side: WordSide,
  own: Int32Array,
  there: Int32Array,
  { rank, step }: { readonly rank: number; readonly step: number },
): number {
  const next = wordAt(own, rank + step);
  if (next < 0 || side.found[next] !== FoundAs.title) return -1;
  return wordAt(there, rankAt(there, side.partner[next] as number) - step);
}

const BEFORE = { rank: 0, step: -1 };
const BEHIND = { rank: 0, step: 1 };

/** Finds words of one title that are replaced by another word next to the same neighbor in the other title. */
function replaced(short: Prepared, long: Prepared, { short: side, long: other }: Overlap): void {
  const own = short.numbers;
  const there = long.numbers;
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    if (side.found[place] !== FoundAs.not) continue;
    BEFORE.rank = rankAt(own, place);
    BEHIND.rank = BEFORE.rank;
    const before = across(side, own, there, BEFORE);
    const behind = across(side, own, there, BEHIND);
    const isBefore = before >= 0 && other.found[before] === FoundAs.not;
    const isBehind = behind >= 0 && other.found[behind] === FoundAs.not;
    if (!isBefore && !isBehind) continue;
    const [mine, theirs] = [infoAt(own, place), infoAt(there, isBefore ? before : behind)];
    const weight = least(rarityOf(mine), rarityOf(theirs));
    const haveDigits = kindOf(mine) & kindOf(theirs) & WordKind.digits;
    const haveNone = ~(kindOf(mine) | kindOf(theirs)) & WordKind.digits;
    CHANGES[Change.swaps] = (CHANGES[Change.swaps] as number) + 1;
    if (haveDigits !== 0) raise(Change.swapNumber, weight);
    if (haveNone !== 0) raise(Change.swapPlain, weight);
    if (isBefore && before === behind) raise(Change.swapFramed, weight);
  }
}

function raise(change: number, weight: number): void {
  // A change of a common word counts too.
  CHANGES[change] = most(CHANGES[change] as number, most(weight, 1));
}

/** Maximum length of a mark such as "II", "S" or "Pro". */
const SHORT_MARK = 4;

/** Finds words of one title between two words that are adjacent in the other, and words directly after a shared number. */
function insertedIn(side: WordSide, own: Int32Array, there: Int32Array): void {
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    if (side.found[place] !== FoundAs.not) continue;
    const rank = rankAt(own, place);
    const info = infoAt(own, place);
    const before = wordAt(own, rank - 1);
    if (before < 0 || side.found[before] !== FoundAs.title) continue;
    const onward = wordAt(there, rankAt(there, side.partner[before] as number) + 1);
    const behind = wordAt(own, rank + 1);
    const isFramed =
      behind >= 0 && side.found[behind] === FoundAs.title && side.partner[behind] === onward;
    CHANGES[Change.putIn] = (CHANGES[Change.putIn] as number) + 1;
    if (isFramed) raise(Change.putInFramed, rarityOf(info));
    if ((kindOf(infoAt(own, before)) & WordKind.digits) === 0) continue;
    raise(Change.putInBehindNumber, rarityOf(info));
    if (isShortMark(own, place)) raise(Change.putInBehindShort, rarityOf(info));
  }
}

function isShortMark(own: Int32Array, place: number): boolean {
  return (own[At.startWords + 5 * (own[At.words] as number) + place] as number) <= SHORT_MARK;
}

/** How similar two words with digits are. */
export const Near = { no: 0, shape: 1, sibling: 2, longer: 3 } as const;

/** Finds the most similar two of the words with digits that only one side has. */
function nearNumbers(short: Prepared, long: Prepared, { short: one, long: two }: Overlap): void {
  for (let at = 0; at < one.leftCount; at += 1) {
    const i = one.left[at] as number;
    const mine = infoAt(short.numbers, i);
    if ((kindOf(mine) & WordKind.digits) === 0 || one.found[i] !== FoundAs.not) continue;
    for (let to = 0; to < two.leftCount; to += 1) {
      const j = two.left[to] as number;
      const theirs = infoAt(long.numbers, j);
      if ((kindOf(theirs) & WordKind.digits) === 0 || two.found[j] !== FoundAs.not) continue;
      const near = nearness(short.words[i] as string, long.words[j] as string);
      if (near === Near.no) continue;
      raise(Change.nearNumbers, near);
      raise(Change.nearRarity, least(rarityOf(mine), rarityOf(theirs)));
    }
  }
}

/** `3` and `3s` are longer, `xm4` and `xm5` siblings, `55` and `65` have the same shape. */
export function nearness(a: string, b: string): number {
  const short = a.length <= b.length ? a : b;
  const long = a.length <= b.length ? b : a;
  if (long.length > short.length) {
    if (long.length - short.length > 2 || !long.startsWith(short)) return Near.no;
    // `3` and `32` are two numbers, `3` and `3s` are similar.
    return isDigitAt(long, short.length) && isDigitAt(short, short.length - 1)
      ? Near.no
      : Near.longer;
  }
  let other = 0;
  for (let at = 0; at < a.length; at += 1) {
    if (isDigitAt(a, at) !== isDigitAt(b, at))
      return other === 0 && at === a.length - 1 && at > 0 ? Near.sibling : Near.no;
    if (a.charCodeAt(at) !== b.charCodeAt(at)) other += 1;
  }
  return other === 1 && a.length > 1 ? Near.sibling : Near.shape;
}

/** The minimum rarity of a word that names the product or its maker. */
const NAMING = 60;

/**
 * "For" in titles: 0 neither has it; 1 both; 2 one has it after a rare word that both have; 3 one has it before all such
 * words, so its product is made for the other's.
 */
function madeFor(
  { short: side, shared, sharedCount }: Overlap,
  one: Int32Array,
  two: Int32Array,
): number {
  const mine = one[At.forRank] as number;
  const theirs = two[At.forRank] as number;
  if (mine === NO_POSITION && theirs === NO_POSITION) return 0;
  if (mine !== NO_POSITION && theirs !== NO_POSITION) return 1;
  for (let at = 0; at < sharedCount; at += 1) {
    const place = shared[at] as number;
    if (rarityOf(infoAt(one, place)) < NAMING) continue;
    const rank =
      mine === NO_POSITION ? rankAt(two, side.partner[place] as number) : rankAt(one, place);
    if (rank < least(mine, theirs)) return 2;
  }
  return 3;
}
