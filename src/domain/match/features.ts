// What the model sees of two listings: small integers, each between 0 and 255. Order does not matter: the
// listing that says less is always the first of the two. Adding a feature means training again.

import { codeFeatures } from './code-features.ts';
import { common } from './grams.ts';
import { F, FEATURE_COUNT } from './feature-names.ts';
import type { Prepared } from './prepared.ts';
import { factFeatures } from './fact-features.ts';
import { SWAY_STEPS } from './vocabulary.ts';
import { Found, overlapOf } from './word-overlap.ts';
import type { Overlap, Side } from './word-overlap.ts';
import { WordKind } from './words.ts';

/** True when `a` says less than `b`; a total order, so that a pair is always looked at the same way. */
export function saysLess(a: Prepared, b: Prepared): boolean {
  if (a.totalRarity !== b.totalRarity) return a.totalRarity < b.totalRarity;
  if (a.hashes.length !== b.hashes.length) return a.hashes.length < b.hashes.length;
  if (a.squeezed !== b.squeezed) return a.squeezed < b.squeezed;
  if (a.elsewhere.length !== b.elsewhere.length) return a.elsewhere.length < b.elsewhere.length;
  return (a.cents ?? 0) <= (b.cents ?? 0);
}

/** Room for the features of one pair. */
export function featureRow(): Int32Array {
  return new Int32Array(FEATURE_COUNT);
}

/** The features of a pair into `row`; the overlap they were read from, valid until the next pair. */
export function measurePair(a: Prepared, b: Prepared, row: Int32Array): Overlap {
  const first = saysLess(a, b);
  const short = first ? a : b;
  const long = first ? b : a;
  const overlap = overlapOf(short, long);
  wordFeatures(short, long, overlap, row);
  swayFeatures(short, long, overlap, row);
  codeFeatures(short, long, row);
  factFeatures(short, long, row);
  return overlap;
}

/** A share as 0 to 250. */
function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((250 * part) / whole);
}

function capped(value: number): number {
  return value > 255 ? 255 : value;
}

/** Sums over the words of one title that the other does not have as they are. */
const REST = {
  soft: 0,
  told: 0,
  rarest: 0,
  second: 0,
  count: 0,
  sum: 0,
  rarestDigits: 0,
  rarestPlain: 0,
  numbers: 0,
  quantities: 0,
};

function restOf(side: Side, own: Prepared): void {
  const rest = REST;
  rest.soft = rest.told = rest.rarest = rest.second = rest.count = rest.sum = 0;
  rest.rarestDigits = rest.rarestPlain = rest.numbers = rest.quantities = 0;
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    const weight = own.rarities[place] as number;
    const found = side.found[place] as number;
    if (found === Found.joined || found === Found.stem) {
      rest.soft += weight;
      continue;
    }
    if (found === Found.elsewhere) {
      rest.told += weight;
      continue;
    }
    const kind = own.kinds[place] as number;
    rest.count += 1;
    rest.sum += weight;
    if (weight > rest.rarest) {
      rest.second = rest.rarest;
      rest.rarest = weight;
    } else if (weight > rest.second) rest.second = weight;
    if ((kind & WordKind.digits) === 0) {
      if (weight > rest.rarestPlain) rest.rarestPlain = weight;
      continue;
    }
    if (weight > rest.rarestDigits) rest.rarestDigits = weight;
    if ((kind & WordKind.number) !== 0) rest.numbers += 1;
    if ((kind & WordKind.quantity) !== 0) rest.quantities += 1;
  }
}

function wordFeatures(short: Prepared, long: Prepared, overlap: Overlap, row: Int32Array): void {
  let sum = 0;
  let rarest = 0;
  let second = 0;
  let digits = 0;
  let plain = 0;
  let numbers = 0;
  for (let at = 0; at < overlap.sharedCount; at += 1) {
    const place = overlap.shared[at] as number;
    const weight = short.rarities[place] as number;
    sum += weight;
    if (weight > rarest) {
      second = rarest;
      rarest = weight;
    } else if (weight > second) second = weight;
    const kind = short.kinds[place] as number;
    if ((kind & WordKind.digits) === 0) {
      if (weight > plain) plain = weight;
    } else if (weight > digits) digits = weight;
    if ((kind & WordKind.number) !== 0) numbers += 1;
  }
  const both = overlap.sharedCount;
  const words = short.hashes.length + long.hashes.length;
  row[F.jaccard] = share(both, words - both);
  row[F.sharedCount] = capped(both);
  row[F.sharedSum] = capped(sum >> 3);
  row[F.sharedRarest] = rarest;
  row[F.sharedSecond] = second;
  row[F.sharedDigits] = digits;
  row[F.sharedPlain] = plain;
  row[F.sharedNumbers] = numbers;
  restOf(overlap.short, short);
  const rest = REST;
  row[F.shortCover] = share(sum + rest.soft, short.totalRarity);
  row[F.shortCoverTold] = share(sum + rest.soft + rest.told, short.totalRarity);
  row[F.shortRarest] = rest.rarest;
  row[F.shortSecond] = rest.second;
  row[F.shortCount] = capped(rest.count);
  row[F.shortDigits] = rest.rarestDigits;
  row[F.shortPlain] = rest.rarestPlain;
  row[F.shortNumbers] = rest.numbers;
  row[F.shortQuantities] = rest.quantities;
  const softShort = rest.soft;
  const leftShort = rest.sum;
  const rarestShort = rest.rarest;
  restOf(overlap.long, long);
  row[F.longCover] = share(sum + rest.soft, long.totalRarity);
  row[F.longCoverTold] = share(sum + rest.soft + rest.told, long.totalRarity);
  row[F.longRarest] = rest.rarest;
  row[F.longSecond] = rest.second;
  row[F.longCount] = capped(rest.count);
  row[F.longDigits] = rest.rarestDigits;
  row[F.longPlain] = rest.rarestPlain;
  row[F.longNumbers] = rest.numbers;
  row[F.longQuantities] = rest.quantities;
  const soft = sum + Math.max(softShort, rest.soft);
  row[F.weighted] = share(soft, soft + leftShort + rest.sum);
  row[F.balance] = 128 + ((rarest - Math.max(rarestShort, rest.rarest)) >> 1);
  const grams = common(short.grams, long.grams);
  row[F.grams] = share(2 * grams, short.gramCount + long.gramCount);
  row[F.gramCover] = share(grams, Math.min(short.gramCount, long.gramCount));
  row[F.shortWords] = short.hashes.length;
  row[F.longWords] = long.hashes.length;
  row[F.firstWord] = firstWord(short, long);
}

/** What training found the words of the overlap to say; 128 is nothing. */
function swayFeatures(short: Prepared, long: Prepared, overlap: Overlap, row: Int32Array): void {
  let shared = 0;
  let alone = 0;
  let worst = 0;
  for (let at = 0; at < overlap.sharedCount; at += 1) {
    const sway = short.swayShared[overlap.shared[at] as number] as number;
    shared += sway;
    if (sway < worst) worst = sway;
  }
  for (let at = 0; at < overlap.short.leftCount; at += 1) {
    const place = overlap.short.left[at] as number;
    if (overlap.short.found[place] !== Found.not) continue;
    const sway = short.swayAlone[place] as number;
    alone += sway;
    if (sway < worst) worst = sway;
  }
  for (let at = 0; at < overlap.long.leftCount; at += 1) {
    const place = overlap.long.left[at] as number;
    if (overlap.long.found[place] !== Found.not) continue;
    const sway = long.swayAlone[place] as number;
    alone += sway;
    if (sway < worst) worst = sway;
  }
  SWAYS.shared = shared;
  SWAYS.alone = alone;
  SWAYS.worst = worst;
  swayValues(SWAYS, row);
}

const SWAYS = { shared: 0, alone: 0, worst: 0 };

/** The features of summed word weights, all in 1/`SWAY_STEPS` of a logit. */
export function swayValues(
  { shared, alone, worst }: { shared: number; alone: number; worst: number },
  row: Int32Array,
): void {
  row[F.swaySum] = around((shared + alone) * SWAY_SUM);
  row[F.swayShared] = around(shared * SWAY_SUM);
  row[F.swayAlone] = around(alone * SWAY_SUM);
  row[F.swayWorst] = around(worst * SWAY_WORST);
}

const SWAY_SUM = 20 / SWAY_STEPS;
const SWAY_WORST = 40 / SWAY_STEPS;

function around(value: number): number {
  return Math.max(0, Math.min(255, 128 + Math.round(value)));
}

/** 2: both titles begin with the same word; 1: one begins with a word of the other. */
function firstWord(short: Prepared, long: Prepared): number {
  if (short.first === long.first) return 3;
  let found = 0;
  for (let at = 0; at < long.hashes.length; at += 1) {
    if (long.hashes[at] === short.first) found |= 1;
  }
  for (let at = 0; at < short.hashes.length; at += 1) {
    if (short.hashes[at] === long.first) found |= 2;
  }
  return found === 3 ? 2 : found === 0 ? 0 : 1;
}
