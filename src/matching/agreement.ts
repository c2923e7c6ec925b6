// What the listings of one barcode say together, and which of them tell another product.

import type { Reason } from './conflicts.ts';
import type { Slug } from '../core/retailer.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** A listing of the barcode that tells another product (D40). */
export type Disagreement = {
  readonly retailer: Slug;
  readonly reason: Reason;
  /** In words: "model qn65 vs qn55". */
  readonly detail: string;
  /** To the listing whose title speaks for the others, 0 to 1. */
  readonly similarity: number;
  readonly theirTitle: string;
  readonly consensusTitle: string;
};

/** What the listings of one barcode say together. */
export type Agreement = {
  /** Those that do not contradict the others, in the order given. */
  readonly agreeing: readonly StoredListing[];
  readonly disagreements: readonly Disagreement[];
  /** How sure it is that all are one product, 0 to 1; null for one listing. */
  readonly score: number | null;
};
