// What the listings of one barcode contradict each other in, as a group: each pair by what both state and by the
// model, and a trait that only a minority states (a bundle, several of it, a part) against those without it.

import { countRelation } from '../titles/counts.ts';
import { compare, DISAGREES_BELOW } from './compare.ts';
import type { Conflict } from './conflicts.ts';
import type { MatchModel } from './model.ts';
import type { Prepared } from './prepared.ts';
import { siblingAgainst } from './sibling-models.ts';
import type { StatedTraits } from './stated-traits.ts';
import { SMALL_WORDS } from './thing-words.ts';
import { colourConflict, traitConflict } from './trait-conflicts.ts';

export type GroupListing = { readonly prepared: Prepared; readonly traits: StatedTraits };

/** `conflicts[one].get(two)`: what listing `one` and listing `two` contradict each other in, said in that order. */
export type GroupConflicts = readonly ReadonlyMap<number, Conflict>[];

/** The contradictions of a group, and the log-odds of each pair. */
export function groupConflicts(
  model: MatchModel,
  listings: readonly GroupListing[],
): {
  readonly conflicts: readonly Map<number, Conflict>[];
  readonly logits: readonly Float64Array[];
} {
  const conflicts = listings.map(() => new Map<number, Conflict>());
  const logits = listings.map(() => new Float64Array(listings.length));
  const put = (one: number, two: number, found: Conflict, other: Conflict): void => {
    if (!conflicts[one]?.has(two)) conflicts[one]?.set(two, found);
    if (!conflicts[two]?.has(one)) conflicts[two]?.set(one, other);
  };
  for (const [one, a] of listings.entries()) {
    for (let two = one + 1; two < listings.length; two += 1) {
      const b = listings[two] as GroupListing;
      const { similarity } = compare(model, a.prepared, b.prepared);
      const logit = logitOf(similarity);
      (logits[one] as Float64Array)[two] = logit;
      (logits[two] as Float64Array)[one] = logit;
      const found = pairConflict(model, a, b, similarity);
      if (found !== null) put(one, two, found, pairConflict(model, b, a, similarity) ?? found);
    }
  }
  for (const trait of TRAITS.filter(({ isStrong }) => isStrong)) {
    for (const [one, two, conflict] of minorityConflicts(listings, trait)) {
      put(one, two, conflict, turned(conflict));
    }
  }
  return { conflicts, logits };
}

/** Traits that count only where most of a group is without them, in the order in which they are looked at. */
export const WEAK_TRAITS = ['part', 'kit', 'with', 'edition', 'variant'] as const;

/** The contradictions of listings that agree in everything else, by a trait that only a minority of them states. */
export function weakConflicts(
  listings: readonly GroupListing[],
  name: (typeof WEAK_TRAITS)[number],
): GroupConflicts {
  const conflicts = listings.map(() => new Map<number, Conflict>());
  for (const trait of TRAITS.filter((each) => each.name === name)) {
    for (const [one, two, conflict] of minorityConflicts(listings, trait)) {
      conflicts[one]?.set(two, conflict);
      conflicts[two]?.set(one, turned(conflict));
    }
  }
  return conflicts;
}

function turned(conflict: Conflict): Conflict {
  return { ...conflict, detail: turnedDetail(conflict.detail) };
}

/** `a vs b` to `b vs a`, behind the name of what differs. */
function turnedDetail(detail: string): string {
  const found = /^(\S+) (.+) vs (.+)$/.exec(detail);
  return found === null ? detail : `${found[1]} ${found[3]} vs ${found[2]}`;
}

/** Bounded, so that one very certain pair does not outvote the others. */
function logitOf(similarity: number): number {
  const kept = Math.max(0.002, Math.min(0.998, similarity));
  return Math.log(kept / (1 - kept));
}

function pairConflict(
  model: MatchModel,
  a: GroupListing,
  b: GroupListing,
  similarity: number,
): Conflict | null {
  const stated = traitConflict(a.traits, b.traits) ?? siblingAgainst([a.prepared], b.prepared, 1);
  if (stated !== null) return stated;
  if (similarity >= DISAGREES_BELOW) return colourConflict(a.traits, b.traits);
  const { reason, detail } = compare(model, a.prepared, b.prepared);
  return { reason: reason ?? 'title', detail: detail ?? 'title' };
}

type MinorityTrait = {
  /** What the listing states; null: nothing. */
  readonly of: (traits: StatedTraits) => string | null;
  readonly reason: Conflict['reason'];
  readonly name: string;
  /** Enough by itself between two listings: it changes what is sold. */
  readonly isStrong: boolean;
  /** The two state the same in other words. */
  /** Where most state it, the others are of another product too. */
  readonly isEitherWay?: boolean;
  readonly isSame?: (a: StatedTraits, b: StatedTraits) => boolean;
  /** The others must have a word in common that the listing lacks: the name of the whole thing. */
  readonly needsName?: boolean;
};

const TRAITS: readonly MinorityTrait[] = [
  {
    of: ({ counts }) => (counts.isInTitle && counts.packs > 1 ? String(counts.packs) : null),
    reason: 'pack_count',
    name: 'pack_count',
    isStrong: true,
    isEitherWay: true,
    isSame: (a, b) => countRelation(a.counts, b.counts) === 'same',
  },
  {
    of: ({ bundle }) => bundle,
    reason: 'title',
    name: 'bundle',
    isStrong: true,
    isSame: hasExtras,
  },
  {
    of: ({ form }) => (form === 'kit' ? 'kit' : null),
    reason: 'title',
    name: 'kit',
    isStrong: false,
  },
  { of: ({ extra }) => extra, reason: 'title', name: 'with', isStrong: false, isSame: hasExtras },
  { of: ({ part }) => part, reason: 'title', name: 'part', isStrong: false, needsName: true },
  { of: ({ edition }) => edition, reason: 'model', name: 'edition', isStrong: false },
  {
    of: ({ variants }) => (variants.length === 0 ? null : variants.join(' ')),
    reason: 'model',
    name: 'variant',
    isStrong: false,
  },
];

/** The things that one title states as extras are named by the other too. */
function hasExtras(a: StatedTraits, b: StatedTraits): boolean {
  return a.extraThings.length > 0 && a.extraThings.every((thing) => b.has.has(thing));
}

/** Those who state a trait against those who do not, where fewer do; `one` comes before `two`. */
function minorityConflicts(
  listings: readonly GroupListing[],
  trait: MinorityTrait,
): (readonly [number, number, Conflict])[] {
  const values = listings.map(({ traits }) => trait.of(traits));
  const stating = [...values.keys()].filter((at) => values[at] !== null);
  const silent = [...values.keys()].filter(
    (at) => values[at] === null && !saysOtherwise(listings, at, values),
  );
  const isMinority = trait.isStrong
    ? trait.isEitherWay === true || stating.length <= silent.length
    : stating.length < silent.length && silent.length > 1;
  if (stating.length === 0 || !isMinority) return [];
  return stating.flatMap((at) => {
    if (trait.needsName === true && !lacksName(listings, at, silent)) return [];
    const others = silent.filter((other) => {
      const [one, two] = [listings[at] as GroupListing, listings[other] as GroupListing];
      return trait.isSame?.(one.traits, two.traits) !== true;
    });
    return others.map((other): readonly [number, number, Conflict] => {
      const value = values[at] ?? '';
      const detail =
        at < other
          ? `${trait.name} ${value} vs none stated`
          : `${trait.name} none stated vs ${value}`;
      return [Math.min(at, other), Math.max(at, other), { reason: trait.reason, detail }];
    });
  });
}

/** The listing has the word of every stating one somewhere: `Kit` in the description of a set, `Pro` glued to a number. */
function saysOtherwise(
  listings: readonly GroupListing[],
  at: number,
  values: readonly (string | null)[],
): boolean {
  const { squeezed } = (listings[at] as GroupListing).traits;
  const stated = values.filter((value) => value !== null);
  return (
    stated.length > 0 &&
    stated.every((value) => /^[a-z]{3,}$/.test(value) && squeezed.includes(value))
  );
}

/** Whether the silent ones share a word that the listing lacks, or it is called a replacement. */
function lacksName(
  listings: readonly GroupListing[],
  at: number,
  silent: readonly number[],
): boolean {
  const { traits } = listings[at] as GroupListing;
  if (traits.isReplacement) return true;
  const [first, ...others] = silent.map((each) => (listings[each] as GroupListing).traits);
  if (first === undefined) return false;
  return first.words.some(
    (word) =>
      word.length >= 4 &&
      !/\d/.test(word) &&
      !SMALL_WORDS.has(word) &&
      !traits.has.has(word) &&
      !traits.squeezed.includes(word) &&
      others.every(({ has }) => has.has(word)),
  );
}
