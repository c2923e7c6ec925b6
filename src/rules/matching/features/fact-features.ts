// Features of facts other than words: brand, price, amounts, pack count, traits, description.

import { F } from './feature-names.ts';
import { At, countBits, most, placeIn } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { TRAIT_CLASSES } from '../words/trait-words.ts';
import { UNIT_NAMES } from '../words/unit-words.ts';

/** The result of comparing a fact of two listings. */
const Fact = { unknown: 0, oneSide: 1, equal: 2, partly: 3, conflict: 4 } as const;

/** Writes the features of facts into `row`. */
export function factFeatures(short: Prepared, long: Prepared, row: Int32Array): void {
  const { numbers: one } = short;
  const { numbers: two } = long;
  row[F.brand] = brands(short, long);
  prices(one, two, row);
  amounts(one, two, row);
  row[F.pack] = packs(one[At.packCount] as number, two[At.packCount] as number);
  traits(one, two, row);
  descriptions(one, two, row);
}

function brands(short: Prepared, long: Prepared): number {
  const one = short.brand;
  const two = long.brand;
  if (one === null && two === null) return 0;
  if (one !== null && two !== null) {
    if (one === two) return 5;
    if (one.includes(two) || two.includes(one)) return 6;
    return short.squeezed.includes(two) || long.squeezed.includes(one) ? 3 : 4;
  }
  if (one !== null) return long.squeezed.includes(one) ? 2 : 1;
  return short.squeezed.includes(two ?? '') ? 2 : 1;
}

/** Writes the ratio of two prices in twentieths of its natural logarithm, at most 100; 255 if unknown. */
function prices(one: Int32Array, two: Int32Array, row: Int32Array): void {
  const mine = one[At.logCents] as number;
  const theirs = two[At.logCents] as number;
  row[F.priceFields] = (mine > 0 ? 1 : 0) + (theirs > 0 ? 2 : 0);
  row[F.price] = 255;
  row[F.priceLevel] = 0;
  if (mine === 0 || theirs === 0 || one[At.currency] !== two[At.currency]) return;
  row[F.price] = Math.min(100, Math.round(Math.abs(mine - theirs) / 50));
  row[F.priceLevel] = Math.min(255, Math.round(Math.min(mine, theirs) / 100));
}

const GROUPS: Readonly<Record<string, number>> = {
  gb: F.capacity,
  mb: F.capacity,
  in: F.size,
  mm: F.size,
  ml: F.size,
  oz: F.size,
  g: F.size,
  lb: F.size,
  w: F.power,
  va: F.power,
  v: F.power,
  mah: F.power,
  mhz: F.power,
  page: F.pages,
};

/** The feature for each unit number; -1 for units without a feature. */
const GROUP_OF_UNIT = Int8Array.from(UNIT_NAMES, (name) => GROUPS[name] ?? -1);

/** For each group of units: one equal amount is enough to agree; a unit without an equal amount is a conflict. */
function amounts(one: Int32Array, two: Int32Array, row: Int32Array): void {
  row[F.capacity] = 0;
  row[F.size] = 0;
  row[F.power] = 0;
  row[F.pages] = 0;
  const mine = one[At.amounts] as number;
  const theirs = two[At.amounts] as number;
  const startMine = one[At.startAmounts] as number;
  const startTheirs = two[At.startAmounts] as number;
  let equal = 0;
  let other = 0;
  for (let i = startMine; i < startMine + mine; i += 1) {
    const unit = one[i] as number;
    const value = one[i + mine] as number;
    let state: number = Fact.oneSide;
    for (let j = startTheirs; j < startTheirs + theirs; j += 1) {
      if (two[j] !== unit) continue;
      if (Math.abs(value - (two[j + theirs] as number)) * 50 <= value) {
        state = Fact.equal;
        break;
      }
      state = Fact.conflict;
    }
    if (state === Fact.equal) equal += 1;
    if (state === Fact.conflict) other += 1;
    const group = GROUP_OF_UNIT[unit] as number;
    if (group < 0) continue;
    const known = row[group] as number;
    row[group] =
      (known === Fact.equal && state === Fact.conflict) ||
      (known === Fact.conflict && state === Fact.equal)
        ? Fact.partly
        : Math.max(known, state);
  }
  row[F.amountsEqual] = equal;
  row[F.amountsOther] = other;
}

function packs(one: number, two: number): number {
  if (one === two) return one < 0 ? Fact.unknown : Fact.equal;
  if (one >= 0 && two >= 0) return Fact.conflict;
  return Math.max(one, two) === 1 ? Fact.oneSide : Fact.partly;
}

const CLASS_FEATURES = Int32Array.from(TRAIT_CLASSES, (name) => F[name]);

function traits(one: Int32Array, two: Int32Array, row: Int32Array): void {
  for (let at = 0; at < TRAIT_CLASSES.length; at += 1) {
    const mine = one[At.traits + at] as number;
    const theirs = two[At.traits + at] as number;
    row[CLASS_FEATURES[at] as number] = (mine | theirs) === 0 ? 0 : traitState(mine, theirs);
  }
  const edition = At.traits + TRAIT_CLASSES.indexOf('edition');
  const accessory = At.traits + TRAIT_CLASSES.indexOf('accessory');
  row[F.editionsOne] = countBits((one[edition] as number) ^ (two[edition] as number));
  row[F.accessoriesOne] = countBits((one[accessory] as number) ^ (two[accessory] as number));
}

/**
 * Compares trait values: 1 on one side only; 2 the same; 3 one side has more; 4 each side has more than the shared ones; 5
 * none shared.
 */
function traitState(one: number, two: number): number {
  if (one === 0 || two === 0) return 1;
  const shared = one & two;
  if (shared === 0) return 5;
  if (one === two) return 2;
  return shared === one || shared === two ? 3 : 4;
}

function descriptions(one: Int32Array, two: Int32Array, row: Int32Array): void {
  const mine = one[At.description] as number;
  const theirs = two[At.description] as number;
  row[F.toldFields] = (mine > 0 ? 1 : 0) + (theirs > 0 ? 2 : 0);
  row[F.category] = categories(one, two);
  row[F.told] = 255;
  row[F.toldCover] = 0;
  row[F.toldRarest] = 0;
  if (mine === 0 || theirs === 0) return;
  let i = one[At.startDescription] as number;
  let j = two[At.startDescription] as number;
  const endOne = i + mine;
  const endTwo = j + theirs;
  let shared = 0;
  let rarest = 0;
  while (i < endOne && j < endTwo) {
    const difference = (one[i] as number) - (two[j] as number);
    const less = difference >>> 31;
    const more = -difference >>> 31;
    // All bits set when the words are equal.
    const weight = (one[i + mine] as number) & ((less | more) - 1);
    shared += weight;
    rarest = most(rarest, weight);
    i += 1 ^ more;
    j += 1 ^ less;
  }
  const sumOne = one[At.descriptionTotal] as number;
  const sumTwo = two[At.descriptionTotal] as number;
  row[F.told] = Math.round((250 * shared) / Math.max(1, Math.min(sumOne, sumTwo)));
  row[F.toldCover] = Math.round((250 * shared) / Math.max(1, sumOne + sumTwo - shared));
  row[F.toldRarest] = rarest;
}

/** 0 when one side has no category, otherwise 1 to 251: the share of common words in the smaller side. */
function categories(one: Int32Array, two: Int32Array): number {
  const mine = one[At.category] as number;
  const theirs = two[At.category] as number;
  if (mine === 0 || theirs === 0) return 0;
  const start = one[At.startCategory] as number;
  let shared = 0;
  for (let i = start; i < start + mine; i += 1) {
    if (placeIn(two, two[At.startCategory] as number, theirs, one[i] as number) >= 0) shared += 1;
  }
  return 1 + Math.round((250 * shared) / Math.min(mine, theirs));
}
