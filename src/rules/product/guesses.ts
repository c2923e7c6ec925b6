// Decides whether a listing found for a barcode that its record does not state may be the product. It is judged only by the
// listings that other retailers confirmed when queried (D56): anything else in the store depends on earlier lookups.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Listing } from '../../base/listing/listing.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { KnownListings, Matching } from '../matching/matcher.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import { identityMethodOf, tie } from './identity.ts';
import { anchorOrder } from './source-order.ts';

/** Returns the confirmed listings that agree, in anchor order; null if nothing is confirmed. */
export function judgesOf(
  matching: Pick<Matching, 'agreementOf'>,
  references: readonly StoredListing[],
): KnownListings | null {
  const [first, ...others] = matching.agreementOf(anchorOrder(references)).agreeing;
  return first === undefined ? null : [first, ...others];
}

/**
 * Returns whether the listing is accepted. A retailer that supports barcodes found the listing by the barcode, so it is
 * refused only if it contradicts the product. One that states another barcode stays, and is reported as a mismatch. At a
 * retailer that is searched by words, the listing must state the barcode or look like the product. If nothing is confirmed,
 * every listing may be the product.
 */
export function isAccepted(
  matching: Pick<Matching, 'isLikely' | 'contradicts'>,
  judges: KnownListings | null,
  { retailer, gtin, listing }: { retailer: KnownSlug; gtin: Gtin14; listing: Listing },
): boolean {
  if (judges === null) return true;
  if (identityMethodOf(retailer) === null) {
    return listing.gtin === gtin || matching.isLikely(judges, listing);
  }
  const { state } = tie(gtin, { retailer, listing, fetchedAtMs: 0 }, true);
  return state !== 'unconfirmed' || !matching.contradicts(judges, listing);
}
