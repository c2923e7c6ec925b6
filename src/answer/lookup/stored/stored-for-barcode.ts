// The data stored under a barcode, read once for an answer. The anchor, the other listings' contributions, the cells and
// the background jobs are all decided from the same rows.

import { isKnownSlug } from '../../../base/retailer.ts';
import { isAccepted, judgesOf } from '../../../rules/product/guesses.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { Matching } from '../../../rules/matching/matcher.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import {
  barcodeRows,
  type AcceptsGuess,
  type BarcodeRow,
  type IsTrusted,
} from '../../../rules/product/barcode-rows.ts';
import type { Reads } from '../cache/read-session.ts';

export type StoredForBarcode = {
  /** Null without a barcode; then nothing is stored under it. */
  readonly gtin: Gtin14 | null;
  readonly rows: readonly BarcodeRow[];
  /** Listings that publish the barcode, and those named in the answers: more than the rows show. */
  readonly listings: readonly StoredListing[];
};

export const NOTHING_STORED: StoredForBarcode = { gtin: null, rows: [], listings: [] };

export type StoredForBarcodeParts = {
  readonly store: Pick<Reads, 'barcodeAnswers' | 'listings'>;
  readonly matching: MatchingLater;
  readonly isTrustedShop: IsTrusted;
};

export async function readStoredForBarcode(
  { store, matching, isTrustedShop }: StoredForBarcodeParts,
  gtin: Gtin14 | null,
): Promise<StoredForBarcode> {
  if (gtin === null) return NOTHING_STORED;
  const answers = await store.barcodeAnswers.findAnswers(gtin);
  const listings = await store.listings.findListingsTiedTo(gtin);
  // A single listing has no others to judge it.
  const accepts = listings.length < 2 ? () => true : acceptedBy(await matching.load(), gtin);
  return {
    gtin,
    rows: barcodeRows(gtin, answers, listings, { isTrusted: isTrustedShop, accepts }),
    listings,
  };
}

function acceptedBy(matching: Matching, gtin: Gtin14): AcceptsGuess {
  return ({ retailer, listing }, references) => {
    if (!isKnownSlug(retailer)) return false;
    return isAccepted(matching, judgesOf(matching, references), { retailer, gtin, listing });
  };
}
