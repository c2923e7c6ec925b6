// Features of what is known beside words: brand, price, amounts, pack count, traits, description.

import { F } from './feature-names.ts';
import type { Prepared } from './prepared.ts';
import { TRAIT_CLASSES } from './trait-words.ts';
import { holds } from './word-hash.ts';

/** How a fact of two listings compares. */
export const Fact = { unknown: 0, oneSide: 1, equal: 2, partly: 3, conflict: 4 } as const;

export function factFeatures(short: Prepared, long: Prepared, row: Int32Array): void {
  row[F.brand] = brands(short, long);
  prices(short, long, row);
  amounts(short, long, row);
  row[F.pack] = packs(short.packCount, long.packCount);
  traits(short, long, row);
  descriptions(short, long, row);
  row[F.barcode] = equality(short.gtin, long.gtin);
}

function equality(one: string | null, two: string | null): number {
  if (one === null && two === null) return Fact.unknown;
  if (one === null || two === null) return Fact.oneSide;
  return one === two ? Fact.equal : Fact.conflict;
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

/** Twentieths of a natural logarithm of the ratio, at most 100; 255 where it cannot be told. */
function prices(short: Prepared, long: Prepared, row: Int32Array): void {
  const one = short.cents ?? 0;
  const two = long.cents ?? 0;
  row[F.priceFields] = (one > 0 ? 1 : 0) + (two > 0 ? 2 : 0);
  row[F.price] = 255;
  row[F.priceLevel] = 0;
  if (one <= 0 || two <= 0 || short.currency !== long.currency) return;
  row[F.price] = Math.min(100, Math.round(20 * Math.abs(Math.log(one / two))));
  row[F.priceLevel] = Math.min(255, Math.round(10 * Math.log(Math.min(one, two))));
}

const GROUPS: Readonly<Record<string, number>> = {
  gb: F.capacity,
  mb: F.capacity,
  in: F.size,
  mm: F.size,
  ml: F.size,
  oz: F.size,
  w: F.power,
  va: F.power,
  v: F.power,
  mah: F.power,
  mhz: F.power,
  page: F.pages,
};

/** Per group: one amount alike is enough to agree; every unit without any alike is a conflict. */
function amounts(short: Prepared, long: Prepared, row: Int32Array): void {
  row[F.capacity] = row[F.size] = row[F.power] = row[F.pages] = 0;
  let equal = 0;
  let other = 0;
  for (const one of short.amounts) {
    const group = GROUPS[one.unit];
    let state: number = Fact.oneSide;
    for (const two of long.amounts) {
      if (two.unit !== one.unit) continue;
      if (Math.abs(one.value - two.value) <= 0.02 * one.value) {
        state = Fact.equal;
        break;
      }
      state = Fact.conflict;
    }
    if (state === Fact.equal) equal += 1;
    if (state === Fact.conflict) other += 1;
    if (group === undefined) continue;
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

function packs(one: number | null, two: number | null): number {
  if (one === null && two === null) return Fact.unknown;
  if (one === two) return Fact.equal;
  if (one !== null && two !== null) return Fact.conflict;
  return (one ?? two) === 1 ? Fact.oneSide : Fact.partly;
}

const CLASS_FEATURES = TRAIT_CLASSES.map((name) => F[name]);

function traits(short: Prepared, long: Prepared, row: Int32Array): void {
  for (let at = 0; at < CLASS_FEATURES.length; at += 1) {
    const one = short.traits[at] as Int32Array;
    const two = long.traits[at] as Int32Array;
    let shared = 0;
    for (let i = 0; i < one.length; i += 1) if (two.includes(one[i] as number)) shared += 1;
    row[CLASS_FEATURES[at] as number] = traitState(one.length, two.length, shared);
    if (at === 2) row[F.editionsOne] = one.length + two.length - 2 * shared;
    if (at === 4) row[F.accessoriesOne] = one.length + two.length - 2 * shared;
  }
}

/** 0 none; 1 one side only; 2 all shared; 3 one has more; 4 each has its own beside shared; 5 none shared. */
function traitState(one: number, two: number, shared: number): number {
  if (one === 0 && two === 0) return 0;
  if (one === 0 || two === 0) return 1;
  if (shared === 0) return 5;
  if (shared === one && shared === two) return 2;
  return shared === one || shared === two ? 3 : 4;
}

function descriptions(short: Prepared, long: Prepared, row: Int32Array): void {
  row[F.toldFields] = (short.told.length > 0 ? 1 : 0) + (long.told.length > 0 ? 2 : 0);
  row[F.category] = overlap(short.category, long.category);
  row[F.told] = 255;
  row[F.toldCover] = 0;
  row[F.shortInTold] = 0;
  if (short.told.length === 0 || long.told.length === 0) return;
  let i = 0;
  let j = 0;
  let shared = 0;
  let one = 0;
  let two = 0;
  let rarest = 0;
  while (i < short.told.length && j < long.told.length) {
    const a = short.told[i] as number;
    const b = long.told[j] as number;
    if (a === b) {
      const weight = short.toldRarities[i] as number;
      shared += weight;
      if (weight > rarest) rarest = weight;
    }
    if (a <= b) {
      one += short.toldRarities[i] as number;
      i += 1;
    }
    if (b <= a) {
      two += long.toldRarities[j] as number;
      j += 1;
    }
  }
  for (; i < short.told.length; i += 1) one += short.toldRarities[i] as number;
  for (; j < long.told.length; j += 1) two += long.toldRarities[j] as number;
  row[F.told] = Math.round((250 * shared) / Math.max(1, Math.min(one, two)));
  row[F.toldCover] = Math.round((250 * shared) / Math.max(1, one + two - shared));
  row[F.shortInTold] = rarest;
}

/** 0 none on one side, else 1 to 251: shared words of both, as a share of the fewer. */
function overlap(one: Int32Array, two: Int32Array): number {
  if (one.length === 0 || two.length === 0) return 0;
  let shared = 0;
  for (const hash of one) if (holds(two, hash)) shared += 1;
  return 1 + Math.round((250 * shared) / Math.min(one.length, two.length));
}
