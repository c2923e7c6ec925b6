// Which of a search's hits may be the product: the matcher chooses by what is known of the barcode elsewhere, and none
// is chosen when none is good enough (D35, D40).

import type { Gtin14 } from '../identifiers/gtin.ts';
import { identityMethodOf, tie } from '../product/identity.ts';
import type { Listing } from '../listing/listing.ts';
import type { KnownSlug } from '../core/retailer.ts';
import { anchorOrder } from '../product/source-order.ts';
import type { Store } from '../store/store.ts';
import type { KnownListings, Matching } from '../matching/matcher.ts';

export type LikelyHits = {
  /** The likeliest first, without those that state another product. */
  readonly ordered: (hits: readonly Listing[]) => readonly Listing[];
  /** Whether a page that was read may stand for the product. */
  readonly isLikely: (listing: Listing) => boolean;
};

/** Where nothing is known of the barcode, every hit may be it. */
const ANY: LikelyHits = { ordered: (hits) => hits, isLikely: () => true };

export async function likelyHits(
  { store, matching }: { readonly store: Store; readonly matching: Matching },
  retailer: KnownSlug,
  gtin: Gtin14,
): Promise<LikelyHits> {
  const known = await knownListings(store, matching, gtin);
  if (known === null) return ANY;
  if (identityMethodOf(retailer) === null) {
    return {
      ordered: (hits) => matching.likeliest(known, hits),
      isLikely: (listing) => listing.gtin === gtin || matching.isLikely(known, listing),
    };
  }
  // A retailer that knows barcodes found it by the barcode, so only a listing that contradicts the product is left out. A
  // page that publishes another barcode stays: it is reported as a mismatch.
  return {
    ordered: (hits) => hits,
    isLikely: (listing) =>
      tie(gtin, retailer, listing.gtin, 0).state !== 'unconfirmed' ||
      !matching.contradicts(known, listing),
  };
}

/** The listings that publish the barcode and agree, the anchor first. */
async function knownListings(
  store: Store,
  matching: Matching,
  gtin: Gtin14,
): Promise<KnownListings | null> {
  const tied = await store.listings.findListingsTiedTo(gtin);
  const carriers = anchorOrder(tied.filter((each) => each.listing.gtin === gtin));
  const [first, ...others] = matching.agreementOf(carriers).agreeing;
  return first === undefined ? null : [first, ...others];
}
