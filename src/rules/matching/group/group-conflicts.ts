// Finds the contradictions in a group of listings of one barcode. Each pair is compared by what both state and by the model.
// Listings with a trait that only a minority states contradict those without it (`minority-traits.ts`).

import { comparePair, DISAGREES_BELOW, similarityOf, VETOED } from '../pair/compare.ts';
import { turned, type Conflict, type GroupConflicts } from '../pair/conflicts.ts';
import type { MatchModel } from '../model/model.ts';
import { strongConflicts } from './minority-traits.ts';
import { evidenceOf, mark, squareOf, type PairSigns } from './outlier.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { siblingAgainst } from './sibling-models.ts';
import type { StatedTraits } from '../traits/stated-traits.ts';
import { commonTrigrams } from '../prepared/trigrams.ts';
import { squeezed } from '../words/words.ts';
import { colourConflict, traitConflict, type PairConflict } from '../traits/trait-conflicts.ts';

export type GroupListing = { readonly prepared: Prepared; readonly traits: StatedTraits };

/** The result of comparing all pairs of a group. */
type ComparedPairs = {
  readonly conflicts: readonly Map<number, Conflict>[];
  /** The log-odds of each pair. */
  readonly logits: readonly Float64Array[];
  readonly signs: PairSigns;
  /** Pairs that are two products, regardless of the rest of the group. */
  readonly strangers: readonly Uint8Array[];
};

export type ComparedGroup = Pick<ComparedPairs, 'conflicts' | 'logits' | 'strangers'> & {
  /** Contradictions of a single pair in a group of three or more: enough to report a listing but not to exclude it. */
  readonly unsupported: GroupConflicts;
  /** The evidence for each of three or more listings being the outlier (`outlier.ts`); empty for two. */
  readonly evidence: readonly (readonly number[])[];
};

/** Returns the contradictions of a group, and the model's results for its pairs. */
export function groupConflicts(
  model: MatchModel,
  listings: readonly GroupListing[],
): ComparedGroup {
  const { conflicts, logits, signs, strangers } = comparePairs(model, listings);
  const isPair = listings.length === 2;
  const prepared = listings.map((listing) => listing.prepared);
  const evidence = isPair ? [] : evidenceOf(prepared, logits, signs);
  const unsupported = isPair ? [] : takeUnsupported(listings, { conflicts, logits, signs });
  for (const [one, two, conflict] of strongConflicts(listings.map(({ traits }) => traits))) {
    put(conflicts, [one, two], conflict, turned(conflict));
  }
  return { conflicts, logits, unsupported, evidence, strangers };
}

function comparePairs(model: MatchModel, listings: readonly GroupListing[]): ComparedPairs {
  const size = listings.length;
  const conflicts = listings.map(() => new Map<number, Conflict>());
  const logits = listings.map(() => new Float64Array(size));
  const signs = { stated: squareOf(size), siblings: squareOf(size) };
  const strangers = squareOf(size);
  for (const [one, two] of pairsOf(size)) {
    const [a, b] = [listings[one] as GroupListing, listings[two] as GroupListing];
    const similarity = groupSimilarity(model, a, b);
    const logit = logitOf(similarity);
    (logits[one] as Float64Array)[two] = logit;
    (logits[two] as Float64Array)[one] = logit;
    if (similarity === VETOED || similarity < STRANGE_BELOW) mark(strangers, one, two);
    if (siblingAgainst([a.prepared], b.prepared) !== null) mark(signs.siblings, one, two);
    const weighed = size === 2 ? similarity : null;
    const found = pairConflict(model, a, b, weighed);
    if (found === null) continue;
    if (found.isNoisy) mark(signs.stated, one, two);
    put(conflicts, [one, two], found, pairConflict(model, b, a, weighed) ?? found);
  }
  return { conflicts, logits, signs, strangers };
}

function pairsOf(size: number): readonly (readonly [one: number, two: number])[] {
  const places = [...Array(size).keys()];
  return places.flatMap((one) => places.slice(one + 1).map((two) => [one, two] as const));
}

/** Removes conflicts that titles of one product may have too, unless a third listing supports them. */
function takeUnsupported(
  listings: readonly GroupListing[],
  { conflicts, logits, signs }: Omit<ComparedPairs, 'strangers'>,
): GroupConflicts {
  const unsupported = listings.map(() => new Map<number, Conflict>());
  const isOwnNumber = ([one, two]: readonly [number, number]): boolean =>
    nameOf(conflicts[one]?.get(two) as Conflict) === 'model' &&
    (logits[one]?.[two] as number) > LIKE_ABOVE;
  const taken = pairsOf(listings.length).filter(
    ([one, two]) =>
      signs.stated[one]?.[two] === 1 &&
      (!isSupported(listings, conflicts, [one, two]) || isOwnNumber([one, two])),
  );
  for (const [one, two] of taken) {
    const found = conflicts[one]?.get(two) as Conflict;
    put(unsupported, [one, two], found, conflicts[two]?.get(one) ?? found);
    conflicts[one]?.delete(two);
    conflicts[two]?.delete(one);
  }
  return unsupported;
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

/**
 * Returns whether one of the two contradicts a third listing in the same trait; for model numbers, with the same number.
 */
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
      // Three different numbers mean three products, so they do not support the conflict.
      const between = conflicts[other]?.get(third);
      if (between !== undefined && nameOf(between) === 'model') return true;
      return holdsNumber(listings[third], conflict) || holdsNumber(listings[other], found);
    });
  };
  return isSame(one, two) || isSame(two, one) || isSharedByThird(listings, conflicts, [one, two]);
}

/**
 * Differences whose words may appear anywhere in a title. If a third title has one of the words, that is not a coincidence.
 */
const SAID_ANYWHERE = new Set(['size', 'variant', 'edition', 'flavour']);

/** Returns whether a third title has the words of one of the two, but not those of the other. */
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

/** Returns the trait that differs: `model` for `model 12 vs 13`. */
function nameOf({ detail }: Conflict): string {
  return detail.slice(0, detail.indexOf(' '));
}

/** Returns whether the listing has the second of the two stated numbers, which may follow a word: `series 8`. */
function holdsNumber(listing: GroupListing | undefined, { detail }: Conflict): boolean {
  const words = detail.slice(detail.lastIndexOf(' vs ') + 4).split(' ');
  return listing?.traits.squeezed.includes(squeezed(words.at(-1) ?? '')) === true;
}

/**
 * Returns the similarity of two listings in a group. For titles that differ only in spaces, marks and a word or two, the
 * model's similarity may be too low.
 */
function groupSimilarity(model: MatchModel, a: GroupListing, b: GroupListing): number {
  const similarity = similarityOf(model, a.prepared, b.prepared);
  return similarity < DISAGREES_BELOW && areNearlyEqual(a.prepared, b.prepared) ? EVEN : similarity;
}

/**
 * The similarity below which the trees alone contradict a pair. It is low, because listings of one barcode are mostly one
 * product. On pairs of goods excluded from training, 0.011 would find 68 instead of 56 % of the wrong ones and exclude 10.1
 * instead of 8.9 % of the right ones. The gain is too small: we assume that one group in ten has a wrong listing, and that
 * an agreeing wrong one costs as much as three excluded right ones.
 */
const UNLIKE_BELOW = 0.003;

/**
 * The log-odds from which a differing number is usually a shop's own, because the model has already taken it into account.
 * Without this limit, 6.0 instead of 5.7 % of the correct watches next to a wrong one are excluded, while as many wrong ones
 * are found.
 */
const LIKE_ABOVE = 2;

/** The similarity below which the two listings of a pair are strangers. */
const STRANGE_BELOW = 0.002;

const EVEN = 0.5;
const NEARLY = 0.8;

/** Returns whether two titles have the same digits in the same order and nearly the same letters. */
function areNearlyEqual(a: Prepared, b: Prepared): boolean {
  // The model field follows the title.
  const [one = '', two = ''] = [a, b].map(({ squeezed: text }) => text.split(' ')[0] ?? '');
  if (commonTrigrams(a.numbers, b.numbers) < NEARLY * Math.min(one.length, two.length))
    return false;
  return one.replaceAll(/\D/g, '') === two.replaceAll(/\D/g, '');
}

/** Bounded, so that one very certain pair does not outvote the others. */
function logitOf(similarity: number): number {
  const bounded = Math.max(0.002, Math.min(0.998, similarity));
  return Math.log(bounded / (1 - bounded));
}

/**
 * Returns the contradiction of the two remaining listings of a group. Null if there is none, or if only a number differs
 * between titles that the model finds similar.
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

/** Returns the contradiction of a pair. `similarity` is null if `outlier.ts` weighs the model's result. */
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
  const { reason, detail } = comparePair(model, a.prepared, b.prepared);
  return { reason: reason ?? 'title', detail: detail ?? 'title', isNoisy: true };
}
