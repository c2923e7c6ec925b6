// Decides which search hits may be the product. The matcher chooses by what is known of the barcode elsewhere, and chooses
// none if none is good enough (D35, D40).

import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { isAccepted, judgesOf } from '../../../rules/product/guesses.ts';
import { identityMethodOf } from '../../../rules/product/identity.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import { referenceName, referencesOf } from '../../../rules/product/barcode-rows.ts';
import type { Store } from '../../../data/store.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';

export type LikelyHits = {
  /** Returns the hits except those that state another product, the likeliest first. */
  readonly ordered: (hits: readonly Listing[]) => readonly Listing[];
  /** Checks whether a page that was read may be the product's. */
  readonly isLikely: (listing: Listing) => boolean;
  /** Names the listings that the hits were compared with. */
  readonly judgedBy: string;
};

/**
 * Judges only by the listings that other retailers confirmed when they were asked for the barcode (D56). Anything else stored
 * depends on earlier lookups.
 */
export async function likelyHits(
  parts: { readonly store: Store; readonly matching: Pick<MatchingLater, 'load'> },
  retailer: KnownSlug,
  gtin: Gtin14,
): Promise<LikelyHits> {
  const { store } = parts;
  const matching = await parts.matching.load();
  const answers = await store.barcodeAnswers.findAnswers(gtin);
  const references = referencesOf(gtin, answers, await store.listings.findListingsTiedTo(gtin));
  const judgedBy = referenceName(references, retailer);
  const others = references.filter((each) => each.retailer !== retailer);
  const judges = judgesOf(matching, others);
  const isOrdered = judges !== null && identityMethodOf(retailer) === null;
  return {
    ordered: (hits) => (isOrdered ? matching.likeliest(judges, hits) : hits),
    isLikely: (listing) => isAccepted(matching, judges, { retailer, gtin, listing }),
    judgedBy,
  };
}
