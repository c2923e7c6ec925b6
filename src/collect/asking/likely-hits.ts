// Which of a search's hits may be the product: the matcher chooses by what is known of the barcode elsewhere, and none
// is chosen when none is good enough (D35, D40).

import type { Gtin14 } from '../../identifiers/gtin.ts';
import { isAccepted, judgesOf } from '../../product/guesses.ts';
import { identityMethodOf } from '../../product/identity.ts';
import type { Listing } from '../../listing/listing.ts';
import type { KnownSlug } from '../../core/retailer.ts';
import { referenceName, referencesOf } from '../../product/barcode-rows.ts';
import type { Store } from '../../store/store.ts';
import type { MatchingLater } from '../../matching/matching-later.ts';

export type LikelyHits = {
  /** The likeliest first, without those that state another product. */
  readonly ordered: (hits: readonly Listing[]) => readonly Listing[];
  /** Whether a page that was read may stand for the product. */
  readonly isLikely: (listing: Listing) => boolean;
  /** Names the listings that this was judged by. */
  readonly judgedBy: string;
};

/**
 * Judges by nothing but the listings that other retailers confirmed when they were asked for the barcode (D56): what else
 * is held depends on which lookups came before.
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
