// The listing that an identifier means: its retailer or shop, its key there, and its address.

import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import { isKnownSlug, type KnownSlug, type Slug } from '../../base/retailer.ts';
import type { Listing } from '../../base/listing/listing.ts';
import {
  bookForHost,
  bookOf,
  isShortLink,
  reduceUrl,
} from '../../read/retailers/addresses/address-books.ts';
import { shopOfHost, type ShopSlugs } from '../../read/retailers/addresses/shop-slug.ts';
import { reducedShopUrl } from '../../read/retailers/addresses/shop-url.ts';

/** A listing of a known retailer: its identifier is the key. */
export type RetailerListingKey = {
  readonly kind: 'retailer';
  /** Null for a page of the retailer that is not a product page. */
  readonly identifier: Identifier | null;
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly url: string;
};

/** A page of any other shop: the reduced address is the key, the slug belongs to the domain (D10). */
export type ShopListingKey = {
  readonly kind: 'shop';
  readonly shop: ShopSlugs;
  readonly key: string;
  readonly url: string;
};

export type ListingKey = RetailerListingKey | ShopListingKey;

/**
 * Returns an identifier's listing key. Null for a barcode, which has no page of its own, and for an address that names no
 * page.
 */
export function listingKeyOf(identifier: Identifier): ListingKey | null {
  switch (identifier.kind) {
    case 'url':
      return urlKey(identifier.value);
    case 'asin':
    case 'item_id':
    case 'retailer_b_sku':
    case 'retailer_b_product_id':
    case 'retailer_item':
      return retailerKey(identifier);
    case 'isbn10':
    case 'isbn13':
    case 'gtin14':
    case 'ean13':
    case 'upc12':
    case 'ean8':
    case 'upce':
      return null;
  }
}

function retailerKey(identifier: Exclude<Identifier, { kind: 'url' }>): RetailerListingKey | null {
  if (!('retailer' in identifier)) return null;
  const url = bookOf(identifier.retailer).productUrl(identifier);
  if (url === null) return null;
  const { retailer, value: key } = identifier;
  return { kind: 'retailer', identifier, retailer, key, url };
}

function urlKey(text: string): ListingKey | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const reduced = reduceUrl(url);
  if (reduced !== null && reduced.kind !== 'url') return retailerKey(reduced);
  const key = reducedShopUrl(url);
  // A known retailer's page that is not a product page still belongs to that retailer.
  const book = bookForHost(url.hostname);
  if (book !== null) {
    return { kind: 'retailer', identifier: null, retailer: book.slug, key, url: key };
  }
  const shop = shopOfHost(url.hostname);
  return shop === null ? null : { kind: 'shop', shop, key, url: key };
}

/** A key of a known retailer's own product. */
export type OwnListingKey = RetailerListingKey & { readonly identifier: Identifier };

/** Checks whether the address is a known retailer's link that names no product: only a request shows where it leads. */
export function isShortLinkKey(
  key: ListingKey,
): key is RetailerListingKey & { readonly identifier: null } {
  if (key.kind !== 'retailer' || key.identifier !== null) return false;
  const address = URL.parse(key.url);
  return address !== null && isShortLink(bookOf(key.retailer), address);
}

/**
 * Returns the product to which a short link led, by the address of the listing that was read there, so that the link's
 * click counter sees only one request. Null for any other address, and if no product of the same retailer was read.
 */
export function goalOfShortLink(key: ListingKey, { url }: Listing): OwnListingKey | null {
  if (url === null || !isShortLinkKey(key)) return null;
  const goal = urlKey(url);
  if (goal?.kind !== 'retailer' || goal.identifier === null) return null;
  return goal.retailer === key.retailer ? { ...goal, identifier: goal.identifier } : null;
}

/** Returns one name for one product page, used as the key of shared fetches and stored misses. */
export function keyName(key: ListingKey): string {
  return key.kind === 'retailer' ? listingName(key.retailer, key.key) : key.key;
}

/** Returns the same name for a stored listing. The key of another shop's page is its address, whatever its slug. */
export function listingName(retailer: Slug, key: string): string {
  return isKnownSlug(retailer) ? `${retailer} ${key}` : key;
}
