// What comparing the listings of one barcode gives (D35, D40).

import type { Slug } from '../../base/retailer.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Reason } from './pair/conflicts.ts';

/**
 * Whose record is made (D80). `barcode`: that of the cluster with more than half of the listings, else of the first listing's.
 * `first`: that of the first listing's cluster, because the first listing itself was asked for.
 */
export type AskedFor = 'barcode' | 'first';

export type Agreement = {
  /** The listings of the record's cluster, in the given order. */
  readonly agreeing: readonly StoredListing[];
  readonly disagreements: readonly Disagreement[];
  /** How likely all are one product, 0 to 1, and below 0.5 when one is named; null for a single listing. */
  readonly score: number | null;
};

/** A listing of the barcode that is of another product (D40). */
export type Disagreement = {
  readonly retailer: Slug;
  readonly reason: Reason;
  /** In words, such as "model qn65 vs qn55". */
  readonly detail: string;
  /** The similarity to the listing with the consensus title, 0 to 1. */
  readonly similarity: number;
  readonly theirTitle: string;
  readonly consensusTitle: string;
  /** Whether the listing is named as doubtful and still counts among those that agree. */
  readonly isDoubt: boolean;
};

/** The agreement of a single listing, which contradicts nobody. Null when there are several, which must be compared. */
export function withoutComparing(listings: readonly StoredListing[]): Agreement | null {
  return listings.length < 2 ? { agreeing: listings, disagreements: [], score: null } : null;
}

/**
 * The retailers whose listing the others contradict, so that it supplies nothing. A doubtful listing is named but still counts
 * (D59).
 */
export function disputedRetailers(disagreements: Agreement['disagreements']): ReadonlySet<Slug> {
  return new Set(disagreements.filter(({ isDoubt }) => !isDoubt).map(({ retailer }) => retailer));
}
