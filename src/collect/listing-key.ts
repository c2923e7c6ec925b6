// What one reading of an identifier asks for: whose listing, under which key, at which address.

import type { Candidate } from '../identifiers/parse-identifier.ts';
import { isKnownSlug, type KnownSlug, type Slug } from '../core/retailer.ts';
import { bookForHost, bookOf, reduceUrl } from '../retailers/address-books.ts';
import { shopOfHost, type Shop } from '../retailers/shop-slug.ts';
import { reducedShopUrl } from '../retailers/shop-url.ts';

/** A listing of a known retailer: its identifier is the key. */
export type RetailerTarget = {
  readonly kind: 'retailer';
  /** Null for a page of the retailer that is none of its product pages. */
  readonly candidate: Candidate | null;
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly url: string;
};

/** A page of any other shop: the reduced address is the key, the slug is claimed by domain (D10). */
export type ShopTarget = {
  readonly kind: 'shop';
  readonly shop: Shop;
  readonly key: string;
  readonly url: string;
};

export type Target = RetailerTarget | ShopTarget;

/** Null when the reading is a barcode (nothing to fetch by itself) or names no page. */
export function targetOf(candidate: Candidate): Target | null {
  switch (candidate.kind) {
    case 'url':
      return urlTarget(candidate.value);
    case 'asin':
    case 'item_id':
    case 'retailer_b_sku':
    case 'retailer_b_product_id':
    case 'retailer_item':
      return retailerTarget(candidate);
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

function retailerTarget(candidate: Exclude<Candidate, { kind: 'url' }>): RetailerTarget | null {
  if (!('retailer' in candidate)) return null;
  const url = bookOf(candidate.retailer).productUrl(candidate);
  if (url === null) return null;
  const { retailer, value: key } = candidate;
  return { kind: 'retailer', candidate, retailer, key, url };
}

function urlTarget(text: string): Target | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const reduced = reduceUrl(url);
  if (reduced !== null && reduced.kind !== 'url') return retailerTarget(reduced);
  const key = reducedShopUrl(url);
  // A known retailer's page that is none of its product pages still belongs to that retailer.
  const book = bookForHost(url.hostname);
  if (book !== null) {
    return { kind: 'retailer', candidate: null, retailer: book.slug, key, url: key };
  }
  const shop = shopOfHost(url.hostname);
  return shop === null ? null : { kind: 'shop', shop, key, url: key };
}

/** One name for one product page: what single flight and remembered misses are kept under. */
export function targetName(target: Target): string {
  return target.kind === 'retailer' ? nameOf(target.retailer, target.key) : target.key;
}

/** The same for a listing that is filed: the key of another shop's page is its address, whatever its slug. */
export function nameOf(retailer: Slug, key: string): string {
  return isKnownSlug(retailer) ? `${retailer} ${key}` : key;
}
