// What the listings of one barcode contradict each other in, as a group: each pair by what both state and by the
// model, and a trait that only a minority states (a bundle, several of it, a part) against those without it.

import { countRelation } from '../../titles/counts.ts';
import { compare, DISAGREES_BELOW, similarityOf, VETOED } from '../pair/compare.ts';
import type { Conflict } from '../pair/conflicts.ts';
import type { MatchModel } from '../model/model.ts';
import { evidenceOf, mark, squareOf } from './odd-one.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { siblingAgainst } from './sibling-models.ts';
import { isNumberAt, type StatedTraits } from '../traits/stated-traits.ts';
import { commonTrigrams } from '../prepared/trigrams.ts';
import { unitOf } from '../words/unit-words.ts';
import { squeezed } from '../words/words.ts';
import { colourConflict, traitConflict, type PairConflict } from '../traits/trait-conflicts.ts';

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
  /** Contradictions of one listing with one other in a group of three or more: enough to name, not to leave out. */
  readonly unsupported: readonly Map<number, Conflict>[];
  /** What speaks for each of three or more listings being the odd one (`odd-one.ts`); empty for two. */
  readonly evidence: readonly (readonly number[])[];
  /** Pairs of two products, whatever else the group holds. */
  readonly strangers: readonly Uint8Array[];
} {
  const conflicts = listings.map(() => new Map<number, Conflict>());
  const unsupported = listings.map(() => new Map<number, Conflict>());
  const logits = listings.map(() => new Float64Array(listings.length));
  const signs = { stated: squareOf(listings.length), siblings: squareOf(listings.length) };
  const strangers = squareOf(listings.length);
  const noisy: (readonly [number, number])[] = [];
  for (const [one, a] of listings.entries()) {
    for (let two = one + 1; two < listings.length; two += 1) {
      const b = listings[two] as GroupListing;
      const similarity = groupSimilarity(model, a, b);
      const logit = logitOf(similarity);
      (logits[one] as Float64Array)[two] = logit;
      (logits[two] as Float64Array)[one] = logit;
      if (similarity === VETOED || similarity < STRANGE_BELOW) mark(strangers, one, two);
      const isPair = listings.length === 2;
      const found = pairConflict(model, a, b, isPair ? similarity : null);
      if (siblingAgainst([a.prepared], b.prepared) !== null) mark(signs.siblings, one, two);
      if (found === null) continue;
      if (found.isNoisy) mark(signs.stated, one, two);
      if (found.isNoisy) noisy.push([one, two]);
      put(
        conflicts,
        [one, two],
        found,
        pairConflict(model, b, a, isPair ? similarity : null) ?? found,
      );
    }
  }
  const evidence =
    listings.length > 2
      ? evidenceOf(
          listings.map(({ prepared }) => prepared),
          logits,
          signs,
        )
      : [];
  if (listings.length > 2) {
    const isOwnNumber = ([one, two]: readonly [number, number]): boolean =>
      nameOf(conflicts[one]?.get(two) as Conflict) === 'model' &&
      (logits[one]?.[two] as number) > LIKE_ABOVE;
    const isKept = (pair: readonly [number, number]): boolean =>
      isSupported(listings, conflicts, pair) && !isOwnNumber(pair);
    for (const [one, two] of noisy.filter((pair) => !isKept(pair))) {
      const found = conflicts[one]?.get(two) as Conflict;
      put(unsupported, [one, two], found, conflicts[two]?.get(one) ?? found);
      conflicts[one]?.delete(two);
      conflicts[two]?.delete(one);
    }
  }
  // What a group of three or more is bundled with, `other-things.ts` tells.
  const strong = TRAITS.filter(
    ({ isStrong, name }) => isStrong && (name !== 'bundle' || listings.length === 2),
  );
  for (const trait of strong) {
    for (const [one, two, conflict] of minorityConflicts(listings, trait)) {
      put(conflicts, [one, two], conflict, turned(conflict));
    }
  }
  return { conflicts, logits, unsupported, evidence, strangers };
}

function put(
  into: readonly Map<number, Conflict>[],
  [one, two]: readonly [number, number],
  found: Conflict,
  other: Conflict,
): void {
  if (!into[one]?.has(two)) into[one]?.set(two, found);
  if (!into[two]?.has(one)) into[two]?.set(one, other);
}

/** Whether one of the two contradicts a third listing in the same, which for model numbers is the same number. */
function isSupported(
  listings: readonly GroupListing[],
  conflicts: GroupConflicts,
  [one, two]: readonly [number, number],
): boolean {
  const isSame = (at: number, other: number): boolean => {
    const conflict = conflicts[at]?.get(other) as Conflict;
    return [...(conflicts[at] ?? [])].some(([third, found]) => {
      if (third === other) return false;
      if (nameOf(found) !== nameOf(conflict)) return false;
      if (nameOf(found) !== 'model') return true;
      // Three numbers are three products.
      const between = conflicts[other]?.get(third);
      if (between !== undefined && nameOf(between) === 'model') return true;
      return holdsNumber(listings[third], conflict) || holdsNumber(listings[other], found);
    });
  };
  return isSame(one, two) || isSame(two, one) || isSharedByThird(listings, conflicts, [one, two]);
}

/** Differences whose words stand in a title wherever a shop puts them: what a third title has of it is no accident. */
const SAID_ANYWHERE = new Set(['size', 'variant', 'edition', 'flavour']);

/** Whether a third title has the words of one of the two, and not those of the other. */
function isSharedByThird(
  listings: readonly GroupListing[],
  conflicts: GroupConflicts,
  [one, two]: readonly [number, number],
): boolean {
  const conflict = conflicts[one]?.get(two) as Conflict;
  if (!SAID_ANYWHERE.has(nameOf(conflict))) return false;
  const [mine = '', theirs = ''] = conflict.detail.slice(nameOf(conflict).length + 1).split(' vs ');
  return listings.some(({ traits: { has } }, third) => {
    if (third === one || third === two) return false;
    const [hasMine, hasTheirs] = [mine, theirs].map((value) =>
      value.split(' ').every((word) => has.has(word)),
    );
    return hasMine !== hasTheirs;
  });
}

/** What differs: `model` of `model 12 vs 13`. */
function nameOf({ detail }: Conflict): string {
  return detail.slice(0, detail.indexOf(' '));
}

/** Whether the listing has the number that the second of two states, which a word may stand before: `series 8`. */
function holdsNumber(listing: GroupListing | undefined, { detail }: Conflict): boolean {
  const words = detail.slice(detail.lastIndexOf(' vs ') + 4).split(' ');
  return listing?.traits.squeezed.includes(squeezed(words.at(-1) ?? '')) === true;
}

/** Traits that count only where most of a group is without them, in the order in which they are looked at. */
export const WEAK_TRAITS = ['kit', 'edition', 'variant'] as const;

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

export function turned(conflict: Conflict): Conflict {
  return { ...conflict, detail: turnedDetail(conflict.detail) };
}

/** `a vs b` to `b vs a`, behind the name of what differs. */
function turnedDetail(detail: string): string {
  const found = /^(\S+) (.+) vs (.+)$/.exec(detail);
  return found === null ? detail : `${found[1]} ${found[3]} vs ${found[2]}`;
}

/** Of titles that differ only in spaces, marks and a word or two the model may say too little. */
function groupSimilarity(model: MatchModel, a: GroupListing, b: GroupListing): number {
  const similarity = similarityOf(model, a.prepared, b.prepared);
  return similarity < DISAGREES_BELOW && areNearlyEqual(a.prepared, b.prepared) ? EVEN : similarity;
}

/**
 * Listings of one barcode are mostly of one product, and the trees alone speak against it only below. In 240 groups of a
 * dataset that no pair of the training came from, 0.011 leaves out one and a half times as many sound listings.
 */
const UNLIKE_BELOW = 0.003;

/**
 * Log-odds from which on a number that differs is most often a shop's own, for the model has seen that it does. In groups of
 * watches with a wrong listing fewer sound ones are left out, 3.4 instead of 5.0 %, and as many wrong ones are found.
 */
const LIKE_ABOVE = 2;

/** The least that the log-odds of a pair tell apart. */
const STRANGE_BELOW = 0.002;

const EVEN = 0.5;
const NEARLY = 0.8;

/** The same digits in the same order, and nearly the same letters. */
function areNearlyEqual(a: Prepared, b: Prepared): boolean {
  // Behind the title stands the model field.
  const [one = '', two = ''] = [a, b].map(({ squeezed: text }) => text.split(' ')[0] ?? '');
  if (commonTrigrams(a.numbers, b.numbers) < NEARLY * Math.min(one.length, two.length))
    return false;
  return one.replaceAll(/\D/g, '') === two.replaceAll(/\D/g, '');
}

/** Bounded, so that one very certain pair does not outvote the others. */
function logitOf(similarity: number): number {
  const kept = Math.max(0.002, Math.min(0.998, similarity));
  return Math.log(kept / (1 - kept));
}

/**
 * What two listings that are left of a group contradict each other in; null: nothing, or a number that differs between
 * titles that the model finds alike.
 */
export function conflictOfTwo(
  model: MatchModel,
  a: GroupListing,
  b: GroupListing,
): Conflict | null {
  const similarity = groupSimilarity(model, a, b);
  const found = pairConflict(model, a, b, similarity);
  return found?.reason === 'model' && logitOf(similarity) > LIKE_ABOVE ? null : found;
}

/** `similarity`: null where what the model says is weighed by `odd-one.ts`. */
function pairConflict(
  model: MatchModel,
  a: GroupListing,
  b: GroupListing,
  similarity: number | null,
): PairConflict | null {
  const stated = traitConflict(a.traits, b.traits);
  if (stated !== null) return stated;
  if (similarity !== null) {
    const sibling = siblingAgainst([a.prepared], b.prepared);
    if (sibling !== null) return { ...sibling, isNoisy: true };
  }
  if (similarity === null || (similarity >= UNLIKE_BELOW && similarity !== VETOED)) {
    const colours = colourConflict(a.traits, b.traits);
    return colours === null ? null : { ...colours, isNoisy: true };
  }
  const { reason, detail } = compare(model, a.prepared, b.prepared);
  return { reason: reason ?? 'title', detail: detail ?? 'title', isNoisy: true };
}

type MinorityTrait = {
  /** What the listing states; null: nothing. */
  readonly of: (traits: StatedTraits) => string | null;
  readonly reason: Conflict['reason'];
  readonly name: string;
  /** Enough by itself between two listings: it changes what is sold. */
  readonly isStrong: boolean;
  /** A listing without it says the same in other words. */
  readonly isSaid?: (value: string, traits: StatedTraits) => boolean;
  /** Where most state it, the others are of another product too. */
  readonly isEitherWay?: boolean;
  /** The two state the same in other words. */
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

/** "V8 Plus" and "Plus V8", but neither "4K Ultra HD" nor "Max 8 Cameras". */
function variantOfNumber({ variants, words }: StatedTraits): string | null {
  const found = variants.filter((variant) => {
    const at = words.indexOf(variant);
    const [before = '', behind = ''] = [words[at - 1], words[at + 1]];
    const isBehind = /\d/.test(before) && !isAmount(before) && !/^(?:hd|uhd|\d+)$/.test(behind);
    return isBehind || isNumberAt(words, at + 1);
  });
  return found.length === 0 ? null : found.join(' ');
}

/** `4k`, `10th`, `64gb`, and no model number such as `23c`. */
function isAmount(word: string): boolean {
  const [, unit = ''] = /^\d+([a-z]{1,3})$/.exec(word) ?? [];
  return unit !== '' && (/^(?:k|d|g|hz|st|nd|rd|th)$/.test(unit) || unitOf(unit) !== null);
}

/** "10 Photos" and "10's" are a pack of ten, too. */
function hasNumber(value: string, { numbers, counted }: StatedTraits): boolean {
  return (
    numbers.some(({ text }) => text === value || text === `${value}s`) ||
    [...counted.values()].flat().includes(Number(value))
  );
}

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
  if (values.every((value) => value === null)) return [];
  const stating = [...values.keys()].filter((at) => values[at] !== null);
  const silent = [...values.keys()].filter(
    (at) => values[at] === null && !saysOtherwise(listings, at, values),
  );
  const unsaid = silent.filter((at) =>
    stating.some(
      (other) =>
        trait.isSaid?.(values[other] ?? '', (listings[at] as GroupListing).traits) !== true,
    ),
  );
  // One against one beside others that say it in other words is no majority.
  const isDecided = listings.length === 2 || Math.max(stating.length, unsaid.length) > 1;
  const isMinority = trait.isStrong
    ? isDecided && (trait.isEitherWay === true || stating.length <= silent.length)
    : stating.length < silent.length && silent.length > 1;
  if (stating.length === 0 || !isMinority) return [];
  return stating.flatMap((at) => {
    const others = silent.filter((other) => {
      const [one, two] = [listings[at] as GroupListing, listings[other] as GroupListing];
      const value = values[at] ?? '';
      return (
        trait.isSame?.(one.traits, two.traits) !== true &&
        trait.isSaid?.(value, two.traits) !== true
      );
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
