// Features of words: how much of each title the other has, and the rarest words that both or only one side has. The
// rarest words say more than any average.

import { F } from './feature-names.ts';
import { commonTrigrams } from '../prepared/trigrams.ts';
import { At, kindOf, least, most, orderWeight, rarityOf } from '../prepared/layout.ts';
import { FoundAs } from './word-overlap.ts';
import type { Overlap, WordSide } from './word-overlap.ts';
import { WordKind } from '../words/words.ts';

/** Sums over a set of words; rarities are 0 to 255. */
type WordSum = {
  count: number;
  all: number;
  rarest: number;
  second: number;
  /** The rarest word with digits, and without. */
  digits: number;
  plain: number;
  numbers: number;
  quantities: number;
  /** Sums over the words that the other side contains in another spelling (`soft`) or in another field (`described`). */
  soft: number;
  described: number;
  /** Sum of `orderWeight`; number of words among the first four and eight; the first word and its rarity. */
  lost: number;
  four: number;
  eight: number;
  first: number;
  firstRarity: number;
};

/** A position after every word. */
const NOWHERE = 999;

function emptySum(): WordSum {
  return {
    count: 0,
    all: 0,
    rarest: 0,
    second: 0,
    digits: 0,
    plain: 0,
    numbers: 0,
    quantities: 0,
    soft: 0,
    described: 0,
    lost: 0,
    four: 0,
    eight: 0,
    first: NOWHERE,
    firstRarity: 0,
  };
}

const SHARED = emptySum();
const SHORT = emptySum();
const LONG = emptySum();

/** Writes the features of words into `row`. */
export function wordFeatures(
  short: Int32Array,
  long: Int32Array,
  overlap: Overlap,
  row: Int32Array,
): void {
  sumShared(overlap, short);
  sumRest(overlap.short, short, SHORT);
  sumRest(overlap.long, long, LONG);
  sharedFeatures(short, long, row);
  restFeatures(short, long, row);
  const grams = commonTrigrams(short, long);
  const one = short[At.grams] as number;
  const two = long[At.grams] as number;
  row[F.grams] = share(2 * grams, one + two);
  row[F.gramCover] = share(grams, Math.min(one, two));
  row[F.firstWord] = firstWord(short, long, overlap);
  orderFeatures(SHORT, short, row, F.shortLead);
  orderFeatures(LONG, long, row, F.longLead);
  row[F.firstNumber] = firstNumber(short[At.firstNumber] as number, long[At.firstNumber] as number);
}

function clear(sum: WordSum): void {
  sum.count = 0;
  sum.all = 0;
  sum.rarest = 0;
  sum.second = 0;
  sum.digits = 0;
  sum.plain = 0;
  sum.numbers = 0;
  sum.quantities = 0;
  sum.soft = 0;
  sum.described = 0;
  sum.lost = 0;
  sum.four = 0;
  sum.eight = 0;
  sum.first = NOWHERE;
  sum.firstRarity = 0;
}

function add(sum: WordSum, info: number): void {
  const rarity = rarityOf(info);
  const kind = kindOf(info);
  // All bits set when the word has digits: avoids a branch that the processor would mispredict.
  const hasDigits = -(kind & WordKind.digits);
  sum.count += 1;
  sum.all += rarity;
  sum.second = most(sum.second, least(sum.rarest, rarity));
  sum.rarest = most(sum.rarest, rarity);
  sum.digits = most(sum.digits, rarity & hasDigits);
  sum.plain = most(sum.plain, rarity & ~hasDigits);
  sum.numbers += (kind & WordKind.number) >> 1;
  sum.quantities += (kind & WordKind.quantity) >> 3;
}

function sumShared({ shared, sharedCount }: Overlap, short: Int32Array): void {
  const infos = At.startWords + (short[At.words] as number);
  clear(SHARED);
  for (let at = 0; at < sharedCount; at += 1) {
    const info = short[infos + (shared[at] as number)] as number;
    add(SHARED, info);
  }
}

function sumRest(side: WordSide, own: Int32Array, sum: WordSum): void {
  const words = own[At.words] as number;
  const infos = At.startWords + words;
  const ranks = infos + 2 * words;
  clear(sum);
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    const info = own[infos + place] as number;
    const found = side.found[place] as number;
    if (found === FoundAs.not) {
      add(sum, info);
      addPlace(sum, rarityOf(info), own[ranks + place] as number);
    } else if (found === FoundAs.elsewhere) sum.described += rarityOf(info);
    else sum.soft += rarityOf(info);
  }
}

/** A title names the product first; accessories and the seller come later. */
function addPlace(sum: WordSum, rarity: number, rank: number): void {
  sum.lost += orderWeight(rarity, rank);
  sum.four += (rank - 4) >>> 31;
  sum.eight += (rank - 8) >>> 31;
  if (rank < sum.first) {
    sum.first = rank;
    sum.firstRarity = rarity;
  }
}

function sharedFeatures(short: Int32Array, long: Int32Array, row: Int32Array): void {
  const one = short[At.words] as number;
  const two = long[At.words] as number;
  row[F.jaccard] = share(SHARED.count, one + two - SHARED.count);
  row[F.sharedCount] = SHARED.count;
  row[F.sharedSum] = Math.min(255, SHARED.all >> 3);
  row[F.sharedRarest] = SHARED.rarest;
  row[F.sharedSecond] = SHARED.second;
  row[F.sharedDigits] = SHARED.digits;
  row[F.sharedPlain] = SHARED.plain;
  row[F.sharedNumbers] = SHARED.numbers;
  row[F.shortWords] = one;
  row[F.longWords] = two;
  const both = SHARED.all + Math.max(SHORT.soft, LONG.soft);
  row[F.weighted] = share(both, both + SHORT.all + LONG.all);
  row[F.balance] = 128 + ((SHARED.rarest - Math.max(SHORT.rarest, LONG.rarest)) >> 1);
}

function restFeatures(short: Int32Array, long: Int32Array, row: Int32Array): void {
  const one = short[At.totalRarity] as number;
  const two = long[At.totalRarity] as number;
  row[F.shortCover] = share(SHARED.all + SHORT.soft, one);
  row[F.shortCoverTold] = share(SHARED.all + SHORT.soft + SHORT.described, one);
  row[F.shortRarest] = SHORT.rarest;
  row[F.shortSecond] = SHORT.second;
  row[F.shortCount] = SHORT.count;
  row[F.shortDigits] = SHORT.digits;
  row[F.shortPlain] = SHORT.plain;
  row[F.shortNumbers] = SHORT.numbers;
  row[F.shortQuantities] = SHORT.quantities;
  row[F.longCover] = share(SHARED.all + LONG.soft, two);
  row[F.longCoverTold] = share(SHARED.all + LONG.soft + LONG.described, two);
  row[F.longRarest] = LONG.rarest;
  row[F.longSecond] = LONG.second;
  row[F.longCount] = LONG.count;
  row[F.longDigits] = LONG.digits;
  row[F.longPlain] = LONG.plain;
  row[F.longNumbers] = LONG.numbers;
  row[F.longQuantities] = LONG.quantities;
}

/** A share from 0 to 250. */
function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((250 * part) / whole);
}

/** Returns 3 if both titles begin with the same word, 2 if each begins with a word of the other, 1 if one does. */
function firstWord(short: Int32Array, long: Int32Array, overlap: Overlap): number {
  if (short[At.firstWord] === long[At.firstWord]) return 3;
  return beginsShared(overlap.short, short) + beginsShared(overlap.long, long);
}

function beginsShared({ found }: WordSide, own: Int32Array): number {
  if (own[At.words] === 0) return 0;
  return found[own[At.firstPlace] as number] === FoundAs.title ? 1 : 0;
}

/**
 * Writes five features from `feature` on: how many of the first four and of the first eight words the other side has;
 * the position and rarity of the first word that it lacks; and the share of words that it has, weighted by position.
 */
function orderFeatures(rest: WordSum, own: Int32Array, row: Int32Array, feature: number): void {
  const words = own[At.words] as number;
  const all = own[At.orderTotal] as number;
  row[feature] = Math.min(4, words) - rest.four;
  row[feature + 1] = Math.min(8, words) - rest.eight;
  row[feature + 2] = Math.min(words, rest.first);
  row[feature + 3] = rest.firstRarity;
  row[feature + 4] = share(all - rest.lost, all);
}

/** Compares the first numbers of the titles: 0 one side has none, 1 different, 2 equal. */
function firstNumber(one: number, two: number): number {
  if (one === 0 || two === 0) return 0;
  return one === two ? 2 : 1;
}
