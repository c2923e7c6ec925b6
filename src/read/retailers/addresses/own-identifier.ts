// Converts a listing to the identifier for requesting it from its retailer again, from its id or otherwise its address. Also
// converts an identifier back to a listing id.

import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import { bookOf } from './address-books.ts';
import { itemOf } from '../retailer-e/address-book.ts';

/** Returns null when the listing has neither an id nor an address in the retailer's book. */
export function identifierOfListing(retailer: KnownSlug, listing: Listing): Identifier | null {
  const byId = byOwnId(retailer, listing);
  if (byId !== null && bookOf(retailer).productUrl(byId) !== null) return byId;
  const url = listing.url === null ? null : URL.parse(listing.url);
  return url === null ? null : bookOf(retailer).reduce(url);
}

function byOwnId(retailer: KnownSlug, { asin, itemId, productId }: Listing): Identifier | null {
  switch (retailer) {
    case 'retailer_a':
      return asin === null ? null : { kind: 'asin', value: asin, retailer };
    case 'retailer_w':
      return itemId === null ? null : { kind: 'item_id', value: itemId, retailer };
    case 'retailer_b':
      if (itemId !== null) return { kind: 'retailer_b_sku', value: itemId, retailer };
      return productId === null
        ? null
        : { kind: 'retailer_b_product_id', value: productId, retailer };
    case 'retailer_e':
    case 'retailer_l':
    case 'retailer_t':
    case 'retailer_h':
      return itemId === null ? null : { kind: 'retailer_item', value: itemId, retailer };
  }
}

/**
 * Returns the id of the only listing that an identifier can mean; null when it may mean a variant family or a catalog
 * product.
 */
export function soleListingOf(identifier: Identifier): string | null {
  switch (identifier.kind) {
    case 'asin':
    case 'item_id':
    case 'retailer_b_sku':
      return identifier.value;
    case 'retailer_item':
      return identifier.retailer === 'retailer_e' ? itemOf(identifier.value) : null;
    default:
      return null;
  }
}
