// Where a listing of a known retailer belongs: under the identifier that it names itself by, which need not be the
// one that was asked for.

import type { Candidate } from '../identifiers/parse-identifier.ts';
import { EMPTY_LISTING, type Listing } from '../listing/listing.ts';
import type { KnownSlug } from '../core/retailer.ts';
import { ADAPTERS } from '../retailers/adapters.ts';
import { candidateOfListing } from '../retailers/own-identifier.ts';
import type { RetailerTarget } from './listing-key.ts';

export type OwnTarget = RetailerTarget & { readonly candidate: Candidate };

export type Place = { readonly key: string; readonly url: string };

/**
 * Another listing than the one asked for: only where the identifier names exactly one listing. A parent's
 * page that shows its first variant is the retailer's own answer to the parent's id.
 */
export function servedInstead(target: OwnTarget, listing: Listing): Place | null {
  const { candidate, retailer } = target;
  const served =
    candidate.kind === 'asin' ? listing.asin : candidate.kind === 'item_id' ? listing.itemId : null;
  if (served === null || served === candidate.value) return null;
  return placeOf(retailer, { ...EMPTY_LISTING, asin: listing.asin, itemId: listing.itemId });
}

/** Where a listing belongs by what it says of itself; null when it names no identifier. */
export function placeOf(retailer: KnownSlug, listing: Listing): Place | null {
  const candidate = candidateOfListing(retailer, listing);
  const url = candidate === null ? null : ADAPTERS[retailer].book.productUrl(candidate);
  return candidate === null || url === null ? null : { key: candidate.value, url };
}
