// The result of comparing the listings of one barcode (D35, D40).

import type { Slug } from '../../base/retailer.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Reason } from './pair/conflicts.ts';

/**
 * Which cluster the record is made from (D80). `barcode`: the cluster with more than half of the listings, otherwise that of
 * the first listing. `first`: the first listing's cluster, because that listing itself was requested.
 */
export type AskedFor = 'barcode' | 'first';

export type Agreement = {
  /** The listings of the record's cluster, in input order. */
  readonly agreeing: readonly StoredListing[];
  readonly disagreements: readonly Disagreement[];
  /** The probability that all are one product, 0 to 1; below 0.5 if a listing is reported, null for a single listing. */
  readonly score: number | null;
};

/** A listing of the barcode that shows another product (D40). */
export type Disagreement = {
  readonly retailer: Slug;
  readonly reason: Reason;
  /** In words, such as "model qn65 vs qn55". */
  readonly detail: string;
  /** The similarity to the listing with the consensus title, 0 to 1. */
  readonly similarity: number;
  readonly theirTitle: string;
  readonly consensusTitle: string;
  /** Whether the listing is reported as doubtful but still counts as agreeing. */
  readonly isDoubt: boolean;
};

/**
 * Returns the agreement for a single listing, which cannot be contradicted. Null if there are several, which must be
 * compared.
 */
export function withoutComparing(listings: readonly StoredListing[]): Agreement | null {
  return listings.length < 2 ? { agreeing: listings, disagreements: [], score: null } : null;
}

/**
 * Returns the retailers whose listing the others contradict, so that it contributes nothing. A doubtful listing is reported
 * but still counts (D59).
 */
export function disputedRetailers(disagreements: Agreement['disagreements']): ReadonlySet<Slug> {
  return new Set(disagreements.filter(({ isDoubt }) => !isDoubt).map(({ retailer }) => retailer));
}
