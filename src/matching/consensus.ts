// Compares the listings of one barcode: which title represents them, which listings contradict it, and how likely all
// are one product (D40). An odd listing is left out before the others choose the title.

import { compare, DISAGREES_BELOW } from './compare.ts';
import type { Conflict, Reason } from './conflicts.ts';
import type { MatchModel } from './model.ts';
import type { Prepared } from './prepared.ts';
import { siblingAgainst } from './sibling-models.ts';

export type ConsensusEntry<Key> = { readonly retailer: Key; readonly listing: Prepared };

export type ConsensusDisagreement<Key> = {
  readonly retailer: Key;
  readonly reason: Reason;
  readonly detail: string;
  /** To the listing with the consensus title. */
  readonly similarity: number;
  readonly theirTitle: string;
};

export type Consensus<Key> = {
  /** The title of the listing most similar to the others; null when no listing has a title. */
  readonly title: string | null;
  readonly disagreements: readonly ConsensusDisagreement<Key>[];
  /**
   * 0 to 1, calibrated on groups of which half hold another product: of groups with 0.9, nine of ten are one product.
   * Null for a single listing.
   */
  readonly score: number | null;
  /** Index of the listing that was left out as another product; null when none was. */
  readonly oddOne: number | null;
};

/** The most listings compared: the cost grows with the square of their number. */
const MOST = 24;

/**
 * Never throws. The order of entries decides only ties, which the earlier entry wins. Compares the first 24 entries
 * with a title.
 */
export function consensusOf<Key>(
  model: MatchModel,
  entries: readonly ConsensusEntry<Key>[],
): Consensus<Key> {
  const titled = entries.filter(({ listing }) => listing.words.length > 0).slice(0, MOST);
  if (titled.length < 2) {
    return {
      title: titled[0]?.listing.title ?? null,
      disagreements: [],
      score: null,
      oddOne: null,
    };
  }
  const logits = pairLogits(model, titled);
  const weakest = weakestOf(logits);
  const isOdd = weakest.mean < ODD_BELOW && titled.length > 2;
  const siblings = siblingsOf(titled);
  const left = new Set(siblings.keys());
  if (isOdd) left.add(weakest.at);
  const representative = medoidOf(logits, left);
  const consensus = titled[representative] as ConsensusEntry<Key>;
  const mean = siblings.size > 0 ? Math.min(weakest.mean, ODD_BELOW) : weakest.mean;
  const odd = isOdd ? weakest.at : [...siblings.keys()][0];
  const disagreements = titled.flatMap((entry, at): ConsensusDisagreement<Key>[] => {
    if (at === representative) return [];
    const compared = compare(model, consensus.listing, entry.listing);
    const { similarity } = compared;
    // With two listings there is no majority, but different model numbers of one shape still are a disagreement.
    const sibling =
      siblings.get(at) ?? siblingAgainst([consensus.listing], entry.listing, 1) ?? undefined;
    if (similarity >= DISAGREES_BELOW && !left.has(at) && sibling === undefined) return [];
    const reason = sibling?.reason ?? compared.reason ?? 'title';
    const detail =
      sibling?.detail ??
      compared.detail ??
      `title "${consensus.listing.title}" vs "${entry.listing.title}"`;
    const theirTitle = entry.listing.title;
    return [{ retailer: entry.retailer, reason, detail, similarity, theirTitle }];
  });
  return {
    title: consensus.listing.title,
    disagreements,
    score: logistic(SCORE_SLOPE * mean + SCORE_OFFSET),
    oddOne: odd === undefined ? null : entries.indexOf(titled[odd] as ConsensusEntry<Key>),
  };
}

/**
 * A listing whose mean logit to the others is lower is another product. Well below zero, because listings of one
 * barcode are mostly of one product.
 */
const ODD_BELOW = -1.75;
/** Maps the lowest mean logit to the score; fitted on groups with and without a listing of another product. */
const SCORE_SLOPE = 1.4;
const SCORE_OFFSET = 2;

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Bounded, so that one very certain pair does not outvote the others. */
function logitOf(similarity: number): number {
  const kept = Math.max(0.002, Math.min(0.998, similarity));
  return Math.log(kept / (1 - kept));
}

function pairLogits<Key>(
  model: MatchModel,
  entries: readonly ConsensusEntry<Key>[],
): readonly Float64Array[] {
  const logits = entries.map(() => new Float64Array(entries.length));
  for (const [one, { listing }] of entries.entries()) {
    for (let two = one + 1; two < entries.length; two += 1) {
      const other = entries[two] as ConsensusEntry<Key>;
      const logit = logitOf(compare(model, listing, other.listing).similarity);
      (logits[one] as Float64Array)[two] = logit;
      (logits[two] as Float64Array)[one] = logit;
    }
  }
  return logits;
}

type Weakest = { readonly at: number; readonly mean: number };

/** The listing least similar to the others, with its mean logit to them. */
function weakestOf(logits: readonly Float64Array[]): Weakest {
  let weakest: Weakest = { at: 0, mean: Infinity };
  for (const [at, row] of logits.entries()) {
    const mean = row.reduce((sum, logit) => sum + logit, 0) / (logits.length - 1);
    if (mean < weakest.mean) weakest = { at, mean };
  }
  return weakest;
}

/** Listings that must share a model number to overrule one that has another. */
const MAJORITY = 2;

/** Listings of another model of the same line, by index, with the contradiction. */
function siblingsOf<Key>(entries: readonly ConsensusEntry<Key>[]): ReadonlyMap<number, Conflict> {
  const found = new Map<number, Conflict>();
  for (const [at, { listing }] of entries.entries()) {
    const others = entries.filter((_, place) => place !== at).map((entry) => entry.listing);
    const conflict = siblingAgainst(others, listing, MAJORITY);
    if (conflict !== null) found.set(at, conflict);
  }
  return found;
}

function medoidOf(logits: readonly Float64Array[], left: ReadonlySet<number>): number {
  let best = { at: 0, sum: -Infinity };
  for (const [at, row] of logits.entries()) {
    if (left.has(at)) continue;
    const sum = row.reduce((total, logit, to) => (left.has(to) ? total : total + logit), 0);
    if (sum > best.sum) best = { at, sum };
  }
  return best.at;
}
