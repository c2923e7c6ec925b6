// Finds the cluster of listings that makes a barcode's record (D59, D80): the largest part of the group in which no two
// contradict each other. It does not grow from pair to pair, because an uninformative title contradicts neither of two products
// and would join them. A listing that fits two parts goes to the larger one, then to the more similar one
// (`consistent-part.ts`).

import type { AskedFor } from '../agreement.ts';
import {
  isPreferred,
  largestConsistentPart,
  titleRanks,
  type Standing,
} from './consistent-part.ts';
import { turned, type Conflict } from '../pair/conflicts.ts';
import {
  conflictOfTwo,
  groupConflicts,
  type ComparedGroup,
  type GroupListing,
} from './group-conflicts.ts';
import { WEAK_TRAITS, weakConflicts } from './minority-traits.ts';
import { LEAST_ALIKE, likenessAmong } from './likeness.ts';
import type { MatchModel } from '../model/model.ts';
import { oddnessOf } from './outlier.ts';
import { otherThings } from './other-things.ts';
import { putUnlikeParts } from './unlike-parts.ts';

type Cluster = {
  /** Indexes in the list of listings. */
  readonly members: ReadonlySet<number>;
  readonly compared: ComparedGroup;
  readonly standing: Standing;
};

/**
 * Returns the cluster of two or more listings that makes the record (D80). Depends only on the listings and their order.
 */
export function clusterOf(
  model: MatchModel,
  listings: readonly GroupListing[],
  askedFor: AskedFor,
): Cluster {
  const compared = groupConflicts(model, listings);
  putOtherThings(listings, compared.conflicts);
  putUnlikeParts(model, listings, compared);
  const standing = { likeness: compared.logits, ranks: standingOf(listings), favoured: null };
  const group = { model, listings, compared };
  const largest = partOf(group, standing);
  const isRecords = askedFor === 'barcode' && largest.size * 2 > listings.length;
  const members = isRecords || largest.has(FIRST) ? largest : partOfFirst(group, standing);
  return { members, compared, standing };
}

const FIRST = 0;

type Group = {
  readonly model: MatchModel;
  readonly listings: readonly GroupListing[];
  readonly compared: ComparedGroup;
};

/**
 * Returns the first listing's cluster: among equally large parts the one that contains it; if none does, the one found in the
 * rest of the group after the other clusters are removed.
 */
function partOfFirst(group: Group, standing: Standing): ReadonlySet<number> {
  const part = partOf(group, { ...standing, favoured: FIRST });
  if (part.has(FIRST)) return part;
  const left = [...group.listings.keys()].filter((at) => !part.has(at));
  if (left.length < 2) return new Set(left);
  const listings = left.map((at) => group.listings[at] as GroupListing);
  const { members } = clusterOf(group.model, listings, 'first');
  return new Set([...members].map((at) => left[at] as number));
}

/** Returns the largest part of the group without a contradiction, excluding the outlier, strangers and other things. */
function partOf({ model, listings, compared }: Group, standing: Standing): ReadonlySet<number> {
  const { conflicts, evidence, strangers } = compared;
  const side = new Set(largestConsistentPart(conflicts, standing));
  leaveOutMinority(listings, side, { conflicts, standing });
  const alike = side.size;
  const outlier = outlierOf(evidence.map(oddnessOf), side);
  if (outlier !== null) side.delete(outlier);
  leaveOutStrangers(strangers, side, standing);
  if (side.size === 2 && alike > 2) leaveOutSecond(model, listings, side, { conflicts, standing });
  if (listings.length > 2) leaveOutUnlike(model, listings, side, standing);
  return side;
}

/**
 * Ranks the listings: of two, the first stays (D59); of more, their titles decide, so that the order of the shops does not
 * matter.
 */
function standingOf(listings: readonly GroupListing[]): readonly number[] {
  if (listings.length === 2) return [0, 1];
  return titleRanks(listings.map(({ prepared }) => prepared.title));
}

/** Records a conflict for listings that are a different thing than all the others, if these are a minority. */
function putOtherThings(
  listings: readonly GroupListing[],
  conflicts: readonly Map<number, Conflict>[],
): void {
  if (listings.length < 3) return;
  const found = otherThings(listings);
  const most = Math.max(0, ...found.map((each) => each?.plainness ?? 0));
  const others = found.map((each) => (each?.plainness === most ? each.conflict : null));
  if (others.filter((each) => each !== null).length * 2 >= listings.length) return;
  for (const [at, conflict] of others.entries()) {
    for (const two of listings.keys()) {
      if (conflict === null || others[two] !== null) continue;
      // A contradiction that the pair itself states takes precedence.
      if (!conflicts[at]?.has(two)) conflicts[at]?.set(two, conflict);
      if (!conflicts[two]?.has(at)) conflicts[two]?.set(at, turned(conflict));
    }
  }
}

type Judged = Pick<ComparedGroup, 'conflicts'> & { readonly standing: Standing };

/**
 * If the two remaining listings of a cluster contradict each other as a group of two, removes one and records the conflict.
 */
function leaveOutSecond(
  model: MatchModel,
  listings: readonly GroupListing[],
  side: Set<number>,
  { conflicts, standing }: Judged,
): void {
  const [one = 0, two = 0] = side;
  const [first, second] = isPreferred([one], [two], standing) ? [one, two] : [two, one];
  const found = conflictOfTwo(
    model,
    listings[first] as GroupListing,
    listings[second] as GroupListing,
  );
  if (found === null) return;
  conflicts[first]?.set(second, found);
  side.delete(second);
}

/**
 * Removes listings from the cluster whose titles state something that most of the cluster does not, and records the
 * conflict.
 */
function leaveOutMinority(
  listings: readonly GroupListing[],
  side: Set<number>,
  { conflicts, standing: { likeness, ranks, favoured } }: Judged,
): void {
  for (const trait of WEAK_TRAITS) {
    const places = [...side].toSorted((a, b) => a - b);
    const weak = weakConflicts(
      places.map((at) => (listings[at] as GroupListing).traits),
      trait,
    );
    if (weak.every(({ size }) => size === 0)) continue;
    const among = {
      likeness: places.map((one) => places.map((two) => likeness[one]?.[two] ?? 0)),
      ranks: places.map((at) => ranks[at] as number),
      favoured: favoured === null ? null : places.indexOf(favoured),
    };
    const kept = largestConsistentPart(weak, among);
    for (const [one, found] of weak.entries()) {
      for (const [two, conflict] of found)
        conflicts[places[one] ?? 0]?.set(places[two] ?? 0, conflict);
      if (!kept.has(one)) side.delete(places[one] ?? 0);
    }
  }
}

/**
 * The oddness above which one of three or more listings is another product. It was fitted on data in which every second group
 * has a wrong listing. Listings of one barcode are mostly one product, so it is above even odds.
 */
const OUTLIER_ABOVE = 0.75;

/**
 * Returns the oddest of three or more listings if it is another product and still in the cluster; null if no further listing is
 * excluded.
 */
function outlierOf(oddness: readonly number[], side: ReadonlySet<number>): number | null {
  if (side.size < 3) return null;
  const most = Math.max(...oddness);
  const at = oddness.indexOf(most);
  return most > OUTLIER_ABOVE && side.has(at) ? at : null;
}

/**
 * Removes listings that are strangers to all of the cluster's largest part: two listings of another product resemble each other
 * and no other. Among equally large parts the most similar one stays.
 */
function leaveOutStrangers(
  strangers: readonly Uint8Array[],
  side: Set<number>,
  standing: Standing,
): void {
  let left = [...side].toSorted((a, b) => a - b);
  let kept: readonly number[] = [];
  while (left.length > 0 && left.length >= kept.length) {
    const part = left.splice(0, 1);
    for (const at of part) {
      part.push(...left.filter((other) => strangers[at]?.[other] === 0));
      left = left.filter((other) => strangers[at]?.[other] !== 0);
    }
    if (isPreferred(part, kept, standing)) kept = part;
  }
  for (const at of side) if (!kept.includes(at)) side.delete(at);
}

/**
 * Keeps only one listing of a cluster in which all contradict each other as groups of two and whose score would be below 0.2:
 * none of them is supported by another. The favoured listing stays, otherwise the one with the first rank.
 */
function leaveOutUnlike(
  model: MatchModel,
  listings: readonly GroupListing[],
  side: Set<number>,
  { likeness, ranks, favoured }: Standing,
): void {
  if (side.size < 2 || likenessAmong(likeness, side) >= LEAST_ALIKE) return;
  const places = [...side];
  const areOthers = places.every((one, at) =>
    places
      .slice(at + 1)
      .every(
        (two) =>
          conflictOfTwo(model, listings[one] as GroupListing, listings[two] as GroupListing) !==
          null,
      ),
  );
  if (!areOthers) return;
  const [first = 0] = places.toSorted((a, b) => (ranks[a] as number) - (ranks[b] as number));
  const kept = favoured !== null && side.has(favoured) ? favoured : first;
  for (const at of places) if (at !== kept) side.delete(at);
}
