// Addresses of retailer_w: product pages and their item ids in both directions (D3, D9), search, reviews, seller pages
// and APIs.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../addresses/product-path.ts';

const HOSTS = ['walmart.com'] as const;
/** Hosts with the same items: for businesses, and until 2021 for groceries and small screens. */
const OTHER_HOSTS = ['business.walmart.com', 'grocery.walmart.com', 'mobile.walmart.com'] as const;
const ITEM_HOSTS = [...HOSTS, ...OTHER_HOSTS];
const ORIGIN = 'https://www.walmart.com';
/** An item id, of any length allowed by the catalog. Actual ids mostly have 8 to 11 digits. */
const ITEM_ID = /^[0-9]{6,12}$/;

/** The official APIs. */
export const AFFILIATE_BASE =
  'https://developer.api.walmart.com/api-proxy/service/affil/product/v2';
export const MARKETPLACE_BASE = 'https://marketplace.walmartapis.com/v3';
/** Searches the whole catalog, not only the caller's own items. */
export const MARKETPLACE_SEARCH = `${MARKETPLACE_BASE}/items/walmart/search`;
/** The service name required by the marketplace API (`WM_SVC.NAME`). */
export const MARKETPLACE_SERVICE = 'Walmart Marketplace';
/** The tenant in the site's own offer queries (`x-o-bu`). */
export const OFFERS_TENANT = 'WALMART-US';

export const retailerWAddressBook = {
  slug: 'retailer_w',
  hosts: HOSTS,
  // The tracking host of its affiliate API, and links shared by its partners.
  shortLinkHosts: ['goto.walmart.com', 'walmrt.us', ...OTHER_HOSTS],
  reduce: (url) => {
    const id = itemIdAt(pathOn(ITEM_HOSTS, url) ?? []);
    if (id === undefined || !ITEM_ID.test(id)) return null;
    return { kind: 'item_id', value: id, retailer: 'retailer_w' };
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'item_id' || !ITEM_ID.test(identifier.value)) return null;
    return `${ORIGIN}/ip/${identifier.value}`;
  },
} as const satisfies AddressBook;

/**
 * Parses `/ip/<id>`, `/ip/<slug>/<id>`, both also after `/grocery`, and an item's reviews page, `/reviews/product/<id>`.
 */
function itemIdAt(path: readonly string[]): string | undefined {
  if (path[0] === 'grocery') return itemIdAt(path.slice(1));
  if (path[0] === 'ip' && path.length <= 3) return path.at(-1);
  if (path[0] === 'reviews' && path[1] === 'product' && path.length === 3) return path[2];
  return undefined;
}

/** Returns the search page for a barcode in its printed form: 12 digits, else 13, else 14. */
export function barcodeSearchUrl(gtin: Gtin14): string {
  const { upc, ean } = wireForms(gtin);
  return `${ORIGIN}/search?q=${upc ?? ean ?? gtin}`;
}

/** Returns a page of an item's reviews, newest first; `page` starts at 1. */
export function reviewsUrl(itemId: string, page: number): string | null {
  if (!ITEM_ID.test(itemId) || !Number.isInteger(page) || page < 1 || page > 1000) return null;
  return `${ORIGIN}/reviews/product/${itemId}?page=${page}&sort=submission-desc`;
}

/** Returns the public page of a marketplace seller by its catalog number. */
export function sellerPageUrl(catalogSellerId: string): string | null {
  if (!/^[1-9][0-9]{0,14}$/.test(catalogSellerId)) return null;
  return `${ORIGIN}/seller/${catalogSellerId}`;
}

/**
 * Returns the site's own query for all sellers of an item. `hash` changes with site releases and is configured. Null when
 * hash or item id is invalid.
 */
export function offersUrl(itemId: string, hash: string): string | null {
  if (!ITEM_ID.test(itemId) || !/^[A-Za-z0-9_-]{8,128}$/.test(hash)) return null;
  const variables = {
    itemId,
    isSubscriptionEligible: true,
    conditionCodes: [1],
    allOffersSource: 'MORE_SELLER_OPTIONS',
  };
  const query = encodeURIComponent(JSON.stringify(variables));
  return `${ORIGIN}/orchestra/home/graphql/GetAllSellerOffers/${hash}?variables=${query}`;
}
