// Where a listing of a known retailer belongs: under the identifier that it names itself by, which need not be the
// one that was asked for.

import type { Identifier } from '../identifiers/parse-identifier.ts';
import { EMPTY_LISTING, type Listing } from '../listing/listing.ts';
import type { KnownSlug } from '../core/retailer.ts';
import { ADAPTERS } from '../retailers/adapters.ts';
import { identifierOfListing } from '../retailers/own-identifier.ts';
import type { RetailerListingKey } from './listing-key.ts';

export type OwnListingKey = RetailerListingKey & { readonly identifier: Identifier };

export type OwnAddress = { readonly key: string; readonly url: string };

/**
 * Another listing than the one asked for: only where the identifier names exactly one listing. A parent's
 * page that shows its first variant is the retailer's own answer to the parent's id.
 */
export function servedInstead(key: OwnListingKey, listing: Listing): OwnAddress | null {
  const { identifier, retailer } = key;
  const served =
    identifier.kind === 'asin'
      ? listing.asin
      : identifier.kind === 'item_id'
        ? listing.itemId
        : null;
  if (served === null || served === identifier.value) return null;
  return ownAddressOf(retailer, { ...EMPTY_LISTING, asin: listing.asin, itemId: listing.itemId });
}

/** Where a listing belongs by what it says of itself; null when it names no identifier. */
export function ownAddressOf(retailer: KnownSlug, listing: Listing): OwnAddress | null {
  const identifier = identifierOfListing(retailer, listing);
  const url = identifier === null ? null : ADAPTERS[retailer].book.productUrl(identifier);
  return identifier === null || url === null ? null : { key: identifier.value, url };
}
