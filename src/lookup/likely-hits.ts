// Which of a search's hits may be the product, at a retailer whose answers can never be confirmed: the matcher
// chooses by what is known of the barcode elsewhere, and none is chosen when none is good enough (D35, D40).

import type { Gtin14 } from '../domain/gtin.ts';
import { identityMethodOf } from '../domain/identity.ts';
import type { Listing } from '../domain/listing.ts';
import type { StoredListing } from '../domain/product.ts';
import type { KnownSlug } from '../domain/retailer.ts';
import { anchorOrder } from '../domain/source-order.ts';
import type { Store } from '../store/store.ts';
import type { Matching } from './matching.ts';

export type LikelyHits = {
  /** The likeliest first; those that tell another product are gone. */
  readonly ordered: (hits: readonly Listing[]) => readonly Listing[];
  /** Whether a page that was read may stand for the product. */
  readonly isLikely: (listing: Listing) => boolean;
};

/** Where nothing is known of the barcode, or its retailer's own record can confirm it, every hit may be it. */
const ANY: LikelyHits = { ordered: (hits) => hits, isLikely: () => true };

export async function likelyHits(
  { store, matching }: { readonly store: Store; readonly matching: Matching },
  retailer: KnownSlug,
  gtin: Gtin14,
): Promise<LikelyHits> {
  if (identityMethodOf(retailer) !== null) return ANY;
  const known = await knownListing(store, matching, gtin);
  if (known === null) return ANY;
  return {
    ordered: (hits) => matching.likeliest(known, hits),
    isLikely: (listing) => listing.gtin === gtin || matching.isLikely(known, listing),
  };
}

/** The listing that speaks for the barcode among those that publish it. */
async function knownListing(
  store: Store,
  matching: Matching,
  gtin: Gtin14,
): Promise<StoredListing | null> {
  const tied = await store.catalog.findListingsTiedTo(gtin);
  const carriers = anchorOrder(tied.filter((each) => each.listing.gtin === gtin));
  return matching.agreementOf(carriers).agreeing[0] ?? null;
}
