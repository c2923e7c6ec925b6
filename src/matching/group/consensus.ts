// Compares the listings of one barcode. It decides which stand together, which contradict them, which title represents them, and
// how likely all are one product (D40, D59).

import { isRatherKept, largestCamp, titleRanks, type Standing } from './camps.ts';
import { comparePair } from '../pair/compare.ts';
import { doubtsOf } from './doubts.ts';
import { turned, type Conflict, type GroupConflicts, type Reason } from '../pair/conflicts.ts';
import {
  conflictOfTwo,
  groupConflicts,
  type ComparedGroup,
  type GroupListing,
} from './group-conflicts.ts';
import { WEAK_TRAITS, weakConflicts } from './minority-traits.ts';
import type { MatchModel } from '../model/model.ts';
import { oddnessOf } from './odd-one.ts';
import { otherThings } from './other-things.ts';

export type ConsensusEntry<Key> = GroupListing & { readonly retailer: Key };

export type ConsensusDisagreement<Key> = {
  readonly retailer: Key;
  readonly reason: Reason;
  readonly detail: string;
  /** The similarity to the listing with the consensus title. */
  readonly similarity: number;
  readonly theirTitle: string;
  /** Index among the entries. */
  readonly at: number;
  /** Whether the listing is named and still counts, because too little speaks against it to leave it out. */
  readonly isDoubt: boolean;
};

export type Consensus<Key> = {
  /** The title of the listing most similar to the others; null when no listing has a title. */
  readonly title: string | null;
  readonly disagreements: readonly ConsensusDisagreement<Key>[];
  /** 0 to 1, see docs/matching.md; below 0.5 when a listing is named. Null for a single listing. */
  readonly score: number | null;
};

/** The most listings compared: the cost grows with the square of their number. */
export const MOST_COMPARED = 24;

/**
 * Never throws. The result depends on the listings and their order alone: of two that contradict each other the later
 * one disagrees; of more the minority does, and of equally large parts the less alike ones, whatever the order. Compares the
 * first 24 entries with a title.
 */
export function consensusOf<Key>(
  model: MatchModel,
  entries: readonly ConsensusEntry<Key>[],
): Consensus<Key> {
  const titled = [...entries.entries()]
    .filter(([, { prepared }]) => prepared.words.length > 0)
    .slice(0, MOST_COMPARED);
  const listings = titled.map(([, entry]) => entry);
  if (listings.length < 2) {
    return { title: listings[0]?.prepared.title ?? null, disagreements: [], score: null };
  }
  const { conflicts, logits, unsupported, evidence, strangers } = groupConflicts(model, listings);
  putOtherThings(listings, conflicts);
  const standing = { likeness: logits, ranks: standingOf(listings) };
  const camp = new Set(largestCamp(conflicts, standing));
  leaveOutMinority(listings, camp, { conflicts, standing });
  const alike = camp.size;
  const odd = oddOneOf(evidence.map(oddnessOf), camp);
  if (odd !== null) camp.delete(odd);
  leaveOutStrangers(strangers, camp, standing);
  if (camp.size === 2 && alike > 2) leaveOutSecond(model, listings, camp, { conflicts, standing });
  const doubts = doubtsOf(model, listings, camp, { unsupported, standing });
  const representative = medoidOf(logits, camp);
  const speaking = listings[representative] as ConsensusEntry<Key>;
  const disagreements = listings.flatMap((entry, at): ConsensusDisagreement<Key>[] => {
    const doubt = camp.has(at) ? doubts.get(at) : null;
    if (doubt === undefined) return [];
    const compared = comparePair(model, speaking.prepared, entry.prepared);
    const stated = conflictWith(conflicts, camp, { representative, at });
    // When both model numbers and colours differ, the numbers say more.
    const conflict = stated?.reason === 'colour' && compared.reason === 'model' ? null : stated;
    const { reason, detail } = doubt ??
      conflict ?? {
        reason: compared.reason ?? 'title',
        detail: compared.detail ?? `title "${cut(speaking)}" vs "${cut(entry)}"`,
      };
    const theirTitle = entry.prepared.title;
    const place = titled[at]?.[0] ?? at;
    return [
      {
        retailer: entry.retailer,
        reason,
        detail,
        similarity: compared.similarity,
        theirTitle,
        at: place,
        isDoubt: doubt !== null,
      },
    ];
  });
  // A listing that stays alone agrees with nobody.
  const scored = camp.size > 1 ? camp : new Set(listings.keys());
  const likeness = logistic(SCORE_SLOPE * weakestMean(logits, scored) + SCORE_OFFSET);
  const agreeing = (listings.length - disagreements.length) / listings.length;
  const score = disagreements.length === 0 ? likeness : NAMED_MOST * agreeing * likeness;
  return { title: speaking.prepared.title, disagreements, score };
}

/**
 * The ranks of the listings: of two the first stays (D59); of more their titles decide, so that the order of the shops does not
 * matter.
 */
function standingOf(listings: readonly GroupListing[]): readonly number[] {
  if (listings.length === 2) return [0, 1];
  return titleRanks(listings.map(({ prepared }) => prepared.title));
}

/** Notes the listings that are another thing than all the others, if these are a minority. */
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
      // A contradiction that the pair itself states counts more.
      if (!conflicts[at]?.has(two)) conflicts[at]?.set(two, conflict);
      if (!conflicts[two]?.has(at)) conflicts[two]?.set(at, turned(conflict));
    }
  }
}

type Judged = Pick<ComparedGroup, 'conflicts'> & { readonly standing: Standing };

/** If the two last listings of a camp contradict each other as a group of two, takes one out and notes in what they do. */
function leaveOutSecond(
  model: MatchModel,
  listings: readonly GroupListing[],
  camp: Set<number>,
  { conflicts, standing }: Judged,
): void {
  const [one = 0, two = 0] = camp;
  const [first, second] = isRatherKept([one], [two], standing) ? [one, two] : [two, one];
  const found = conflictOfTwo(
    model,
    listings[first] as GroupListing,
    listings[second] as GroupListing,
  );
  if (found === null) return;
  conflicts[first]?.set(second, found);
  camp.delete(second);
}

/** Takes listings out of the camp whose titles state something that most of the camp does not, and notes what that is. */
function leaveOutMinority(
  listings: readonly GroupListing[],
  camp: Set<number>,
  { conflicts, standing: { likeness, ranks } }: Judged,
): void {
  for (const trait of WEAK_TRAITS) {
    const places = [...camp].toSorted((a, b) => a - b);
    const weak = weakConflicts(
      places.map((at) => (listings[at] as GroupListing).traits),
      trait,
    );
    if (weak.every(({ size }) => size === 0)) continue;
    const among = {
      likeness: places.map((one) => places.map((two) => likeness[one]?.[two] ?? 0)),
      ranks: places.map((at) => ranks[at] as number),
    };
    const kept = largestCamp(weak, among);
    for (const [one, found] of weak.entries()) {
      for (const [two, conflict] of found)
        conflicts[places[one] ?? 0]?.set(places[two] ?? 0, conflict);
      if (!kept.has(one)) camp.delete(places[one] ?? 0);
    }
  }
}

function cut({ prepared }: GroupListing): string {
  return prepared.title.slice(0, 80);
}

/** In what a listing contradicts the camp: first the representative, then the others in their order. */
function conflictWith(
  conflicts: GroupConflicts,
  camp: ReadonlySet<number>,
  { representative, at }: { readonly representative: number; readonly at: number },
): Conflict | null {
  for (const one of [representative, ...[...camp].toSorted((a, b) => a - b)]) {
    const found = conflicts[one]?.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The oddness above which one of three or more listings is another product. It was fitted where every second group holds a wrong
 * listing. Listings of one barcode are mostly of one product, so it is above even odds.
 */
const ODD_ABOVE = 0.75;
/**
 * The score of a group with a named listing (D59) is at most this, times the share of the listings that are not named, times the
 * likeness of those that stay. One wrong row of seven thus gives 0.43 and not 0.01: the record is made from the listings that
 * stay, and the row is named.
 */
const NAMED_MOST = 0.5;
/** Maps the lowest mean logit to the score; fitted on groups with and without a listing of another product. */
const SCORE_SLOPE = 1.4;
const SCORE_OFFSET = 2;

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/**
 * The oddest of three or more listings if it is another product and still in the camp; null when no further listing is left out.
 */
function oddOneOf(oddness: readonly number[], camp: ReadonlySet<number>): number | null {
  if (camp.size < 3) return null;
  const most = Math.max(...oddness);
  const at = oddness.indexOf(most);
  return most > ODD_ABOVE && camp.has(at) ? at : null;
}

/**
 * Takes out of the camp the listings that are strangers to all of its largest part: two listings of another product are like each
 * other and like no other. Of equally large parts the most alike one stays.
 */
function leaveOutStrangers(
  strangers: readonly Uint8Array[],
  camp: Set<number>,
  standing: Standing,
): void {
  let left = [...camp].toSorted((a, b) => a - b);
  let kept: readonly number[] = [];
  while (left.length > 0 && left.length >= kept.length) {
    const part = left.splice(0, 1);
    for (const at of part) {
      part.push(...left.filter((other) => strangers[at]?.[other] === 0));
      left = left.filter((other) => strangers[at]?.[other] !== 0);
    }
    if (isRatherKept(part, kept, standing)) kept = part;
  }
  for (const at of camp) if (!kept.includes(at)) camp.delete(at);
}

/** The mean logit of the listing of `among` that is least similar to the others. */
function weakestMean(logits: readonly Float64Array[], among: ReadonlySet<number>): number {
  let weakest = Infinity;
  for (const [at, row] of logits.entries()) {
    if (!among.has(at)) continue;
    const sum = row.reduce((total, logit, to) => (among.has(to) ? total + logit : total), 0);
    weakest = Math.min(weakest, sum / (among.size - 1));
  }
  return weakest;
}

function medoidOf(logits: readonly Float64Array[], camp: ReadonlySet<number>): number {
  let best = { at: 0, sum: -Infinity };
  for (const [at, row] of logits.entries()) {
    if (!camp.has(at)) continue;
    const sum = row.reduce((total, logit, to) => (camp.has(to) ? total + logit : total), 0);
    if (sum > best.sum) best = { at, sum };
  }
  return best.at;
}
