// What two listings contradict each other in, in words. Some contradictions settle the matter whatever the
// rest says (`isVeto`); the others name the reason when the model finds two listings unlike.

import { CodeRelation, codeRelation } from './code-likeness.ts';
import type { Code, Prepared } from './prepared.ts';
import { TRAIT_CLASSES } from './trait-words.ts';
import type { TraitClass } from './trait-words.ts';
import type { Amount } from './words.ts';

/** Reasons as the wire spells them (D40). */
export const REASONS = [
  'title',
  'brand',
  'model',
  'capacity',
  'size',
  'pack_count',
  'colour',
  'platform',
  'barcode',
] as const;
export type Reason = (typeof REASONS)[number];

export type Conflict = {
  readonly reason: Reason;
  /** `capacity 64gb vs 128gb`: the first listing's, then the second's. */
  readonly detail: string;
  readonly isVeto: boolean;
};

/** The strongest contradiction of two listings; null when they contradict each other in nothing that is known. */
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

function conflict(reason: Reason, one: string, two: string, isVeto: boolean): Conflict {
  return { reason, detail: `${reason} ${one} vs ${two}`, isVeto };
}

function barcodes(a: Prepared, b: Prepared): Conflict | null {
  if (a.gtin === null || b.gtin === null || a.gtin === b.gtin) return null;
  return conflict('barcode', a.gtin, b.gtin, true);
}

function packs(a: Prepared, b: Prepared): Conflict | null {
  if (a.packCount === null || b.packCount === null || a.packCount === b.packCount) return null;
  return conflict('pack_count', String(a.packCount), String(b.packCount), true);
}

/** Megabytes are speeds and caches as often as capacities. */
const UNITS = { capacity: ['gb'], size: ['in'] } as const;

/** One amount of this kind on each side, and not the same: with two, nobody knows which is meant. */
function amounts(a: Prepared, b: Prepared, reason: 'capacity' | 'size'): Conflict | null {
  const units: readonly string[] = UNITS[reason];
  const one = a.amounts.filter(({ unit }) => units.includes(unit));
  const two = b.amounts.filter(({ unit }) => units.includes(unit));
  const [mine, theirs] = [one[0], two[0]];
  if (mine === undefined || theirs === undefined) return null;
  if (one.some((left) => two.some((right) => isAlike(left, right)))) return null;
  const isVeto = one.length === 1 && two.length === 1 && isFar(mine, theirs);
  return conflict(reason, spelled(mine), spelled(theirs), isVeto);
}

function isAlike(one: Amount, two: Amount): boolean {
  return Math.abs(one.value - two.value) <= 0.03 * Math.max(one.value, two.value);
}

/** Sizes are rounded by their shops: 27 and 26.5 inches are one screen. */
function isFar(one: Amount, two: Amount): boolean {
  return Math.abs(one.value - two.value) > 0.12 * Math.max(one.value, two.value);
}

function spelled({ unit, value }: Amount): string {
  return `${value}${unit}`;
}

/** Both have model numbers, none alike; a veto when the rarest of each are siblings in the same place. */
function models(a: Prepared, b: Prepared): Conflict | null {
  const [mine, theirs] = [a.codes[0], b.codes[0]];
  if (mine === undefined || theirs === undefined) return null;
  let closest: { one: Code; two: Code; relation: number } | null = null;
  for (const one of a.codes) {
    if (one.text.length >= 4 && b.squeezed.includes(one.text)) return null;
    for (const two of b.codes) {
      const relation = codeRelation(one.text, two.text);
      if (relation >= CodeRelation.prefix) return null;
      if (closest === null || relation > closest.relation) closest = { one, two, relation };
    }
  }
  if (b.codes.some(({ text }) => text.length >= 4 && a.squeezed.includes(text))) return null;
  if (closest === null) return null;
  return conflict('model', closest.one.text, closest.two.text, false);
}

function traits(a: Prepared, b: Prepared, name: TraitClass & Reason): Conflict | null {
  const at = TRAIT_CLASSES.indexOf(name);
  const one = a.traitWords[at] ?? [];
  const two = b.traitWords[at] ?? [];
  if (one.length === 0 || two.length === 0 || one.some((value) => two.includes(value))) return null;
  return conflict(name, one.join('/'), two.join('/'), false);
}

function brands(a: Prepared, b: Prepared): Conflict | null {
  if (a.brand === null || b.brand === null) return null;
  if (a.squeezed.includes(b.brand) || b.squeezed.includes(a.brand)) return null;
  if (a.brand.includes(b.brand) || b.brand.includes(a.brand)) return null;
  return conflict('brand', a.brand, b.brand, false);
}
