// Finds evidence that makes a listing doubtful without excluding it: signs that are right too often to hide and wrong too often
// to act on. A doubt is reported among the disagreements, and the listing still counts (D59).

import { comparePair, DISAGREES_BELOW } from '../pair/compare.ts';
import { isPreferred, type Standing } from './consistent-part.ts';
import type { Conflict, GroupConflicts } from '../pair/conflicts.ts';
import type { GroupListing } from './group-conflicts.ts';
import type { MatchModel } from '../model/model.ts';
import { otherValue, valueConflict } from '../pair/other-values.ts';
import { otherWord } from '../pair/distinguishing-differences.ts';
import type { StatedTraits } from '../traits/stated-traits.ts';
import { squeezed } from '../words/words.ts';

type Grounds = { readonly unsupported: GroupConflicts; readonly standing: Standing };

/**
 * Returns the doubt about the listing at each index. Of two that contradict each other, it concerns the one that would be
 * excluded first.
 */
export function doubtsOf(
  model: MatchModel,
  listings: readonly GroupListing[],
  part: ReadonlySet<number>,
  { unsupported, standing }: Grounds,
): ReadonlyMap<number, Conflict> {
  const doubts = new Map<number, Conflict>();
  const places = [...part].toSorted((a, b) => (isPreferred([a], [b], standing) ? -1 : 1));
  for (const [at, one] of places.entries()) {
    for (const two of places.slice(at + 1)) {
      const found = unsupported[one]?.get(two);
      if (found !== undefined && !doubts.has(two)) doubts.set(two, found);
    }
  }
  if (places.length < 2) return doubts;
  if (listings.length === 2 && doubts.size === 0) {
    const found = doubtOfTwo(model, listings[0] as GroupListing, listings[1] as GroupListing);
    if (found !== null) doubts.set(1, found);
  }
  for (const at of places) {
    if (doubts.has(at)) continue;
    const others = places
      .filter((each) => each !== at)
      .map((each) => listings[each] as GroupListing);
    const found = minorDoubt(listings[at] as GroupListing, others);
    if (found !== null) doubts.set(at, found);
  }
  return doubts;
}

/**
 * Returns the doubt for a group of only two listings: another value or word in one place, or a difference that only the model
 * finds. Too many such pairs are one product to exclude the second listing, but a very low score needs a reason.
 */
function doubtOfTwo(model: MatchModel, one: GroupListing, two: GroupListing): Conflict | null {
  const other = otherValue(one.prepared, two.prepared);
  if (other !== null) return valueConflict(other);
  const word = otherWord(one.prepared, two.prepared);
  if (word !== null) return word;
  const { similarity, reason, detail } = comparePair(model, one.prepared, two.prepared);
  if (similarity >= DISAGREES_BELOW || reason === null || detail === null) return null;
  return { reason, detail };
}

/** Returns a trait of another model that only this listing states, or a detail that differs in all others. */
function minorDoubt(listing: GroupListing, others: readonly GroupListing[]): Conflict | null {
  for (const [name, of] of ALONE) {
    const mine = of(listing.traits);
    if (mine === null || others.some(({ traits }) => isSaid(mine, traits, of))) continue;
    return { reason: 'model', detail: `${name} none stated vs ${mine}` };
  }
  if (others.length < 2) return null;
  return valueBesideAll(listing, others) ?? otherDetail(listing, others);
}

/** Returns a value that differs from every other listing's value in the same place. */
function valueBesideAll(
  { prepared }: GroupListing,
  others: readonly GroupListing[],
): Conflict | null {
  const found = others.map((other) => otherValue(other.prepared, prepared));
  const [first = null] = found;
  return first === null || found.includes(null) ? null : valueConflict(first);
}

const ALONE: readonly (readonly [name: string, of: (traits: StatedTraits) => string | null])[] = [
  ['variant', ({ variants }) => (variants.length === 0 ? null : variants.join(' '))],
  ['edition', ({ edition }) => edition],
  ['kit', ({ form }) => (form === 'kit' ? 'kit' : null)],
];

function isSaid(
  mine: string,
  traits: StatedTraits,
  of: (traits: StatedTraits) => string | null,
): boolean {
  return of(traits) !== null || traits.squeezed.includes(squeezed(mine));
}

/** The shortest word that is searched inside others; shorter ones occur there by chance. */
const LEAST_INSIDE = 4;

/** Returns a detail stated by all the others for which this listing states a different one. */
function otherDetail({ traits }: GroupListing, others: readonly GroupListing[]): Conflict | null {
  const isTheirs = (words: readonly string[]): boolean =>
    words.every((word) => !traits.has.has(word)) &&
    others.every((other) => words.every((word) => other.traits.has.has(word)));
  const details = others.map((other) => other.traits.details.find(isTheirs));
  const [theirs] = details;
  if (theirs === undefined || details.includes(undefined)) return null;
  const isKnown = (word: string): boolean =>
    others.some(
      ({ traits: { has, squeezed: text } }) =>
        has.has(word) || (word.length >= LEAST_INSIDE && text.includes(word)),
    );
  const own = traits.details.find((words) => !words.some(isKnown));
  if (own === undefined) return null;
  return { reason: 'title', detail: `detail ${theirs.join(' ')} vs ${own.join(' ')}` };
}
