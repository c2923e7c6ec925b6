// The listings that are held of a barcode beside the anchor of an answer, and which of them agree with it (D56, D59).

import type { Gtin14 } from '../../identifiers/gtin.ts';
import type { Identifier } from '../../identifiers/parse-identifier.ts';
import type { StoredListing } from '../../listing/stored-listing.ts';
import type { MatchingLater } from '../../matching/matching-later.ts';
import { counts } from '../../product/barcode-rows.ts';
import { anchorOrder } from '../../product/source-order.ts';
import type { HeldForBarcode } from './held-for-barcode.ts';

export type BesideAnchor = {
  /** Listings that publish the barcode, in the order of anchors. */
  readonly carriers: readonly StoredListing[];
  readonly guesses: readonly StoredListing[];
};

/**
 * The listings beside the anchor. If a barcode was sent alone, a listing that only other lookups stored does not speak for a
 * retailer that was not asked for the barcode. A retailer has one listing in a record: other listings of the anchor's retailer
 * add nothing (D56).
 */
export function besideAnchor(
  { rows }: HeldForBarcode,
  identifier: Identifier,
  anchor: StoredListing,
): BesideAnchor {
  const others = rows
    .filter((row) => counts(row, 'gtin14' in identifier))
    .filter((row) => row.stored.retailer !== anchor.retailer);
  const tiedBy = (tie: 'published' | 'guess') =>
    others.filter((row) => row.tie === tie).map((row) => row.stored);
  return { carriers: anchorOrder(tiedBy('published')), guesses: tiedBy('guess') };
}

/**
 * The anchor and the carriers that agree with it. A carrier that contradicts the others says nothing about the product. If the
 * anchor contradicts them, it stands alone.
 */
export async function alikeOf(
  { agreementOf }: Pick<MatchingLater, 'agreementOf'>,
  anchor: StoredListing,
  carriers: readonly StoredListing[],
): Promise<readonly StoredListing[]> {
  const { agreeing } = await agreementOf([anchor, ...carriers]);
  return agreeing.includes(anchor) ? agreeing : [anchor];
}

/** The listings that publish the barcode. */
export function publishingOf(
  gtin: Gtin14 | null,
  listings: readonly StoredListing[],
): readonly StoredListing[] {
  return gtin === null ? [] : listings.filter(({ listing }) => listing.gtin === gtin);
}
