// What comparing the listings of one barcode gives (D35, D40).

import type { Slug } from '../core/retailer.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Reason } from './pair/conflicts.ts';

export type Agreement = {
  /** Listings that do not contradict the others, in the given order. */
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
  /** To the listing with the consensus title, 0 to 1. */
  readonly similarity: number;
  readonly theirTitle: string;
  readonly consensusTitle: string;
  /** Named, and among those that agree all the same. */
  readonly isDoubt: boolean;
};

/** Alone a listing contradicts nobody. Null: there are several, and they must be compared. */
export function withoutComparing(listings: readonly StoredListing[]): Agreement | null {
  return listings.length < 2 ? { agreeing: listings, disagreements: [], score: null } : null;
}

/** Retailers whose listing the others contradict: it supplies nothing. A doubt is named, and counts (D59). */
export function disputedRetailers(disagreements: Agreement['disagreements']): ReadonlySet<Slug> {
  return new Set(disagreements.filter(({ isDoubt }) => !isDoubt).map(({ retailer }) => retailer));
}
