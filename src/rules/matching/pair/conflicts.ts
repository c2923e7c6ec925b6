// Finds the contradictions between two listings. Some contradictions veto a match regardless of all agreements
// (`isVetoed`); the others give the reason when the model finds two listings unlike.

import { CodeRelation, codeRelation } from '../prepared/code-likeness.ts';
import { At, SINGLE_UNITS } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { countRelation } from '../../../read/titles/counts.ts';
import { TRAIT_CLASSES, traitOf } from '../words/trait-words.ts';
import type { TraitClass } from '../words/trait-words.ts';
import type { Amount } from '../words/words.ts';

/** Reasons as they appear in the JSON (D40). */
export type Reason =
  | 'title'
  | 'brand'
  | 'model'
  | 'capacity'
  | 'size'
  | 'pack_count'
  | 'colour'
  | 'platform'
  | 'barcode';

export type Conflict = {
  readonly reason: Reason;
  /** Such as `capacity 64gb vs 128gb`: the first listing, then the second. */
  readonly detail: string;
};

/** `conflicts[one].get(two)`: the contradiction between listings `one` and `two` of a group, worded in that order. */
export type GroupConflicts = readonly ReadonlyMap<number, Conflict>[];

/** Returns the same contradiction with the second listing first. */
export function turned(conflict: Conflict): Conflict {
  const [, name, one, two] = /^(\S+) (.+) vs (.+)$/.exec(conflict.detail) ?? [];
  return name === undefined ? conflict : { ...conflict, detail: `${name} ${two} vs ${one}` };
}

/**
 * Returns whether a match is ruled out: different barcodes, different pack counts, or a single amount of a kind (capacity,
 * inches, weight, volume) on each side that rounding does not explain. Two amounts of a kind in a title are ambiguous and
 * never veto.
 */
export function isVetoed(a: Prepared, b: Prepared): boolean {
  if (a.gtin !== null && b.gtin !== null) return a.gtin !== b.gtin;
  const one = a.numbers;
  const two = b.numbers;
  const pack = one[At.packCount] as number;
  const otherPack = two[At.packCount] as number;
  if (pack >= 0 && otherPack >= 0 && pack !== otherPack && !isSameCount(a, b)) return true;
  for (let at = At.singles; at < At.singles + SINGLE_UNITS.length; at += 1) {
    const mine = one[at] as number;
    const theirs = two[at] as number;
    if (mine === 0 || theirs === 0 || !isFar(mine, theirs, ROUNDED)) continue;
    if (at < CONTENTS || !areOneWhole(mine, a, theirs, b)) return true;
  }
  return false;
}

/** From this index on, the single amounts are pack contents, which titles state per piece or for the whole. */
const CONTENTS = At.singles + SINGLE_UNITS.indexOf('ml');

/** Returns whether one amount is the content of each piece and the other that of all pieces: "6 x 1.5 l" and "9 l". */
function areOneWhole(mine: number, a: Prepared, theirs: number, b: Prepared): boolean {
  const [less, more, each, all] = mine < theirs ? [mine, theirs, a, b] : [theirs, mine, b, a];
  const times = Math.round(more / less);
  if (times < 2 || isFar(less * times, more, WHOLE)) return false;
  const { packs, pieces } = each.counts;
  // "250 ml (Pack of 2)" and "500 ml (Pack of 2)" are two.
  if (pieces === times || (packs === times && all.counts.packs === 1)) return true;
  return each.words.includes('x') && each.words.includes(String(times));
}

const WHOLE = 0.04;

/** Allowed rounding: 1 TB is 1,000 or 1,024 GB, 26.5 inches are sold as 27, a drive of 146.8 GB as 146. */
const ROUNDED = 0.12;

/**
 * Returns whether two values differ by more than this share of the larger one: more than rounding and conversion explain.
 */
export function isFar(one: number, two: number, most: number): boolean {
  return Math.abs(one - two) > most * Math.max(one, two);
}

/** Returns the strongest contradiction of two listings; null if no known facts contradict each other. */
export function conflictOf(a: Prepared, b: Prepared): Conflict | null {
  return (
    barcodes(a, b) ??
    packs(a, b) ??
    amounts(a, b, 'capacity') ??
    models(a, b) ??
    amounts(a, b, 'size') ??
    traits(a, b, 'platform') ??
    traits(a, b, 'colour') ??
    brands(a, b)
  );
}

function conflict(reason: Reason, one: string, two: string): Conflict {
  return { reason, detail: `${reason} ${one} vs ${two}` };
}

function barcodes(a: Prepared, b: Prepared): Conflict | null {
  if (a.gtin === null || b.gtin === null || a.gtin === b.gtin) return null;
  return conflict('barcode', a.gtin, b.gtin);
}

function packs(a: Prepared, b: Prepared): Conflict | null {
  if (a.packCount === null || b.packCount === null || a.packCount === b.packCount) return null;
  if (isSameCount(a, b)) return null;
  return conflict('pack_count', String(a.packCount), String(b.packCount));
}

/** "24 Pack" and "2 x 12 Pack". */
function isSameCount(a: Prepared, b: Prepared): boolean {
  return countRelation(a.counts, b.counts) === 'same';
}

/** Only gigabytes: megabytes are speeds and caches as often as capacities. */
const UNITS: Readonly<Record<'capacity' | 'size', readonly string[]>> = {
  capacity: SINGLE_UNITS.slice(0, 1),
  size: SINGLE_UNITS.slice(1),
};

function amounts(a: Prepared, b: Prepared, reason: 'capacity' | 'size'): Conflict | null {
  for (const unit of UNITS[reason]) {
    const one = a.amounts.filter((amount) => amount.unit === unit);
    const two = b.amounts.filter((amount) => amount.unit === unit);
    const [mine, theirs] = [one[0], two[0]];
    if (mine === undefined || theirs === undefined) continue;
    const alike = (left: Amount, right: Amount): boolean => !isFar(left.value, right.value, 0.03);
    if (one.some((left) => two.some((right) => alike(left, right)))) continue;
    return conflict(reason, `${mine.value}${unit}`, `${theirs.value}${unit}`);
  }
  return null;
}

/** Returns the two most similar model numbers, if both listings have some and neither contains one of the other. */
function models(a: Prepared, b: Prepared): Conflict | null {
  const isIn = (code: string, { squeezed }: Prepared): boolean =>
    code.length >= 4 && squeezed.includes(code);
  if (a.codes.some((code) => isIn(code, b)) || b.codes.some((code) => isIn(code, a))) return null;
  let closest: { one: string; two: string; relation: number } | null = null;
  for (const one of a.codes) {
    for (const two of b.codes) {
      const relation = codeRelation(one, two);
      if (relation >= CodeRelation.prefix) return null;
      if (closest === null || relation > closest.relation) closest = { one, two, relation };
    }
  }
  return closest === null ? null : conflict('model', closest.one, closest.two);
}

function traits(a: Prepared, b: Prepared, name: TraitClass & Reason): Conflict | null {
  const at = At.traits + TRAIT_CLASSES.indexOf(name);
  const one = a.numbers[at] as number;
  const two = b.numbers[at] as number;
  if (one === 0 || two === 0 || (one & two) !== 0) return null;
  return conflict(name, valuesOf(a, name), valuesOf(b, name));
}

function valuesOf({ words }: Prepared, name: TraitClass): string {
  return words.filter((word) => traitOf(word)?.class === name).join('/');
}

function brands(a: Prepared, b: Prepared): Conflict | null {
  if (a.brand === null || b.brand === null) return null;
  if (a.squeezed.includes(b.brand) || b.squeezed.includes(a.brand)) return null;
  if (a.brand.includes(b.brand) || b.brand.includes(a.brand)) return null;
  return conflict('brand', a.brand, b.brand);
}
