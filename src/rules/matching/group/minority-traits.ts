// Finds traits that only a minority of a group states, such as a bundle, several pieces or another edition, and that contradict
// the listings without them. Titles omit what everybody knows, but rarely something that changes the item that is sold.

import { countRelation } from '../../../read/titles/counts.ts';
import { turned, type Conflict, type GroupConflicts } from '../pair/conflicts.ts';
import { isNumberAt, type StatedTraits } from '../traits/stated-traits.ts';
import { unitOf } from '../words/unit-words.ts';

/** Two listings of a group, the earlier first, and their contradiction, worded in that order. */
type ConflictOfPair = readonly [one: number, two: number, conflict: Conflict];

/** Returns contradictions by a trait that only a minority states, of listings that agree in everything else. */
export function weakConflicts(
  listings: readonly StatedTraits[],
  trait: MinorityTrait,
): GroupConflicts {
  const conflicts = listings.map(() => new Map<number, Conflict>());
  for (const [one, two, conflict] of minorityConflicts(listings, trait)) {
    conflicts[one]?.set(two, conflict);
    conflicts[two]?.set(one, turned(conflict));
  }
  return conflicts;
}

/**
 * Returns contradictions by traits that are sufficient on their own, regardless of other agreements between the listings.
 */
export function strongConflicts(listings: readonly StatedTraits[]): readonly ConflictOfPair[] {
  // For groups of three or more, `other-things.ts` finds the bundles.
  const isAsked = ({ isStrong, name }: MinorityTrait): boolean =>
    isStrong && (name !== 'bundle' || listings.length === 2);
  return TRAITS.filter(isAsked).flatMap((trait) => minorityConflicts(listings, trait));
}

type MinorityTrait = {
  /** Returns the value that the listing states; null if it states none. */
  readonly of: (traits: StatedTraits) => string | null;
  readonly reason: Conflict['reason'];
  readonly name: string;
  /** Whether the trait alone is enough between two listings, because it changes the item that is sold. */
  readonly isStrong: boolean;
  /** Returns whether a listing without the trait says the same in other words. */
  readonly isSaid?: (value: string, traits: StatedTraits) => boolean;
  /** Whether listings without the trait are also another product if most state it. */
  readonly isEitherWay?: boolean;
  /** Returns whether the two state the same in other words. */
  readonly isSame?: (a: StatedTraits, b: StatedTraits) => boolean;
};

const TRAITS: readonly MinorityTrait[] = [
  {
    of: ({ counts }) => (counts.isInTitle && counts.packs > 1 ? String(counts.packs) : null),
    isSaid: hasNumber,
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
  { of: ({ edition }) => edition, reason: 'model', name: 'edition', isStrong: false },
  {
    of: variantOfNumber,
    isSaid: (value, { has }) => value.split(' ').every((word) => has.has(word)),
    reason: 'model',
    name: 'variant',
    isStrong: false,
  },
];

/** Traits that count only if most of a group lacks them, in the order in which they are checked. */
export const WEAK_TRAITS = TRAITS.filter(({ isStrong }) => !isStrong);

/** "V8 Plus" and "Plus V8", but neither "4K Ultra HD" nor "Max 8 Cameras". */
function variantOfNumber({ variants, words }: StatedTraits): string | null {
  const found = variants.filter((variant) => {
    const at = words.indexOf(variant);
    const [before = '', after = ''] = [words[at - 1], words[at + 1]];
    const isBehind = /\d/.test(before) && !isAmount(before) && !/^(?:hd|uhd|\d+)$/.test(after);
    return isBehind || isNumberAt(words, at + 1);
  });
  return found.length === 0 ? null : found.join(' ');
}

/** `4k`, `10th`, `64gb`, but not a model number such as `23c`. */
function isAmount(word: string): boolean {
  const [, unit = ''] = /^\d+([a-z]{1,3})$/.exec(word) ?? [];
  return unit !== '' && (/^(?:k|d|g|hz|st|nd|rd|th)$/.test(unit) || unitOf(unit) !== null);
}

/** "10 Photos" and "10's" are also a pack of ten. */
function hasNumber(value: string, { numbers, counted }: StatedTraits): boolean {
  return (
    numbers.some(({ text }) => text === value || text === `${value}s`) ||
    [...counted.values()].flat().includes(Number(value))
  );
}

/** Returns whether the other title also has the things that one title states as extras. */
function hasExtras(a: StatedTraits, b: StatedTraits): boolean {
  return a.extraThings.length > 0 && a.extraThings.every((thing) => b.has.has(thing));
}

/**
 * Returns the conflicts between the listings that state a trait and those that do not, if the former are fewer; `one` comes
 * before `two`.
 */
function minorityConflicts(
  listings: readonly StatedTraits[],
  trait: MinorityTrait,
): readonly ConflictOfPair[] {
  const values = listings.map(trait.of);
  const stating = [...values.keys()].filter((at) => values[at] !== null);
  if (stating.length === 0) return [];
  const silent = [...values.keys()].filter(
    (at) => values[at] === null && !saysOtherwise(listings, at, values),
  );
  const unsaid = silent.filter((at) =>
    stating.some(
      (other) => trait.isSaid?.(values[other] ?? '', listings[at] as StatedTraits) !== true,
    ),
  );
  // One listing against one is not a majority if the others state the trait in other words.
  const isDecided = listings.length === 2 || Math.max(stating.length, unsaid.length) > 1;
  const isMinority = trait.isStrong
    ? isDecided && (trait.isEitherWay === true || stating.length <= silent.length)
    : stating.length < silent.length && silent.length > 1;
  if (!isMinority) return [];
  return stating.flatMap((at) => {
    const others = silent.filter((other) => {
      const [one, two] = [listings[at] as StatedTraits, listings[other] as StatedTraits];
      const value = values[at] ?? '';
      return trait.isSame?.(one, two) !== true && trait.isSaid?.(value, two) !== true;
    });
    return others.map((other): ConflictOfPair => {
      const value = values[at] ?? '';
      const detail =
        at < other
          ? `${trait.name} ${value} vs none stated`
          : `${trait.name} none stated vs ${value}`;
      return [Math.min(at, other), Math.max(at, other), { reason: trait.reason, detail }];
    });
  });
}

/**
 * Returns whether the listing contains the word of every stating one somewhere: `Kit` in the description of a set, `Pro`
 * attached to a number.
 */
function saysOtherwise(
  listings: readonly StatedTraits[],
  at: number,
  values: readonly (string | null)[],
): boolean {
  const { squeezed } = listings[at] as StatedTraits;
  const stated = values.filter((value) => value !== null);
  return (
    stated.length > 0 &&
    stated.every((value) => /^[a-z]{3,}$/.test(value) && squeezed.includes(value))
  );
}
