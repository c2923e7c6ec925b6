// Compares the listings of one barcode. Decides which belong together, which contradict them, which title represents them, and
// how likely all are one product (D40, D59).

import type { AskedFor } from '../agreement.ts';
import { clusterOf } from './clusters.ts';
import { comparePair } from '../pair/compare.ts';
import { doubtsOf } from './doubts.ts';
import type { Conflict, GroupConflicts, Reason } from '../pair/conflicts.ts';
import type { GroupListing } from './group-conflicts.ts';
import { LEAST_ALIKE, likenessAmong } from './likeness.ts';
import type { MatchModel } from '../model/model.ts';

export type ConsensusEntry<Key> = GroupListing & { readonly retailer: Key };

type ConsensusDisagreement<Key> = {
  readonly retailer: Key;
  readonly reason: Reason;
  readonly detail: string;
  /** The similarity to the listing with the consensus title. */
  readonly similarity: number;
  readonly theirTitle: string;
  /** Index in the list of entries. */
  readonly at: number;
  /** Whether the listing is reported but still counts, because the evidence is too weak to exclude it. */
  readonly isDoubt: boolean;
};

type Consensus<Key> = {
  /** The title of the listing most similar to the others; null when no listing has a title. */
  readonly title: string | null;
  readonly disagreements: readonly ConsensusDisagreement<Key>[];
  /** 0 to 1, see docs/how/matching.md; below 0.5 if a listing is reported. Null for a single listing. */
  readonly score: number | null;
};

/** The most listings compared: the cost grows with the square of their number. */
export const MOST_COMPARED = 24;

/**
 * Never throws. The result depends only on the listings and their order: of two that contradict each other the later one
 * disagrees; of more, the minority does, and among equally large parts the less similar ones, whatever the order. Compares
 * the first 24 entries with a title.
 */
export function consensusOf<Key>(
  model: MatchModel,
  entries: readonly ConsensusEntry<Key>[],
  askedFor: AskedFor = 'barcode',
): Consensus<Key> {
  const titled = [...entries.entries()]
    .filter(([, { prepared }]) => prepared.words.length > 0)
    .slice(0, MOST_COMPARED);
  const listings = titled.map(([, entry]) => entry);
  if (listings.length < 2) {
    return { title: listings[0]?.prepared.title ?? null, disagreements: [], score: null };
  }
  const isFirstAsked = askedFor === 'first' && titled[0]?.[0] === 0;
  const cluster = clusterOf(model, listings, isFirstAsked ? 'first' : 'barcode');
  const { members: part, standing, compared: group } = cluster;
  const { conflicts, logits, unsupported } = group;
  // A listing that remains alone agrees with none.
  const scored = part.size > 1 ? part : new Set(listings.keys());
  const likeness = likenessAmong(logits, scored);
  const found = doubtsOf(model, listings, part, { unsupported, standing });
  const isUnnamed = part.size === listings.length && found.size === 0;
  const doubts = isUnnamed && likeness < LEAST_ALIKE ? leastLikeFirst(listings, logits) : found;
  const representative = medoidOf(logits, part);
  const speaking = listings[representative] as ConsensusEntry<Key>;
  const disagreements = listings.flatMap((entry, at): ConsensusDisagreement<Key>[] => {
    const doubt = part.has(at) ? doubts.get(at) : null;
    if (doubt === undefined) return [];
    const compared = comparePair(model, speaking.prepared, entry.prepared);
    const stated = conflictWith(conflicts, part, { representative, at });
    // If both model numbers and colours differ, the numbers are more informative.
    const conflict = stated?.reason === 'colour' && compared.reason === 'model' ? null : stated;
    const { reason, detail } = doubt ??
      conflict ?? {
        reason: compared.reason ?? 'title',
        detail: compared.detail ?? titleDetail(speaking, entry),
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
  const agreeing = (listings.length - disagreements.length) / listings.length;
  const score = disagreements.length === 0 ? likeness : NAMED_MOST * agreeing * likeness;
  return { title: speaking.prepared.title, disagreements, score };
}

/** Marks as doubtful the listing least similar to the first one, the anchor. */
function leastLikeFirst(
  listings: readonly GroupListing[],
  logits: readonly Float64Array[],
): ReadonlyMap<number, Conflict> {
  const [first, ...others] = listings as readonly [GroupListing, ...GroupListing[]];
  const likeness = others.map((_, at) => logits[0]?.[at + 1] as number);
  const at = likeness.indexOf(Math.min(...likeness));
  const detail = titleDetail(first, others[at] as GroupListing);
  return new Map([[at + 1, { reason: 'title', detail }]]);
}

function titleDetail(one: GroupListing, two: GroupListing): string {
  return `title "${cut(one)}" vs "${cut(two)}"`;
}

function cut({ prepared }: GroupListing): string {
  return prepared.title.slice(0, 80);
}

/** Returns how a listing contradicts the cluster: checks the representative first, then the others in order. */
function conflictWith(
  conflicts: GroupConflicts,
  part: ReadonlySet<number>,
  { representative, at }: { readonly representative: number; readonly at: number },
): Conflict | null {
  for (const one of [representative, ...[...part].toSorted((a, b) => a - b)]) {
    const found = conflicts[one]?.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The maximum score of a group with a reported listing (D59), multiplied by the share of listings that are not reported and the
 * likeness of those that remain. One wrong row of seven thus gives 0.43 instead of 0.01: the record is made from the remaining
 * listings, and the row is reported.
 */
const NAMED_MOST = 0.5;
function medoidOf(logits: readonly Float64Array[], part: ReadonlySet<number>): number {
  let best = { at: 0, sum: -Infinity };
  for (const [at, row] of logits.entries()) {
    if (!part.has(at)) continue;
    const sum = row.reduce((total, logit, to) => (part.has(to) ? total + logit : total), 0);
    if (sum > best.sum) best = { at, sum };
  }
  return best.at;
}
