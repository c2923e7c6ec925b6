// Decides whether a listing that was found for a barcode, and whose record does not state it, may be the product. It is judged
// only by the listings that other retailers confirmed when they were asked (D56): anything else that is stored depends on which
// lookups came before.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Listing } from '../../base/listing/listing.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { KnownListings, Matching } from '../matching/matcher.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import { identityMethodOf, tie } from './identity.ts';
import { anchorOrder } from './source-order.ts';

/** The confirmed listings that agree, in the order of anchors; null if nothing is confirmed. */
export function judgesOf(
  matching: Pick<Matching, 'agreementOf'>,
  references: readonly StoredListing[],
): KnownListings | null {
  const [first, ...others] = matching.agreementOf(anchorOrder(references)).agreeing;
  return first === undefined ? null : [first, ...others];
}

/**
 * A retailer that knows barcodes found the listing by the barcode, so only a listing that contradicts the product is refused.
 * One that states another barcode stays, and is reported as a mismatch. At a retailer that is searched by words, the listing
 * has to state the barcode or look like the product. If nothing is confirmed, every listing may be the product.
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
