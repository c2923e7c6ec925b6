// What is held of a barcode beside the listing that anchors an answer, and what of it agrees with that one (D56, D59).

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
 * What other lookups stored does not speak for a retailer that was not asked for a barcode that was sent alone. And a retailer
 * has one listing in a record: where the anchor is its, what else it lists adds nothing (D56).
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
 * The anchor and the carriers that agree with it. What contradicts the others says nothing about the product; when that is the
 * anchor, it stands alone.
 */
export async function alikeOf(
  { agreementOf }: Pick<MatchingLater, 'agreementOf'>,
  anchor: StoredListing,
  carriers: readonly StoredListing[],
): Promise<readonly StoredListing[]> {
  const { agreeing } = await agreementOf([anchor, ...carriers]);
  return agreeing.includes(anchor) ? agreeing : [anchor];
}

/** Those of the listings that publish the barcode. */
export function publishingOf(
  gtin: Gtin14 | null,
  listings: readonly StoredListing[],
): readonly StoredListing[] {
  return gtin === null ? [] : listings.filter(({ listing }) => listing.gtin === gtin);
}
