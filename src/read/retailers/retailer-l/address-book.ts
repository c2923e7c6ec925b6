// Addresses of retailer_l: product pages and their item ids in both directions (D3, D9), the search page, images.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../addresses/product-path.ts';

const HOSTS = ['lowes.com'] as const;
const ITEM_ID = /^[0-9]{7,10}$/;

export const retailerLAddressBook = {
  slug: 'retailer_l',
  hosts: HOSTS,
  shortLinkHosts: [],
  reduce: (url) => {
    const id = itemIdAt(pathOn(HOSTS, url) ?? [], url);
    return ITEM_ID.test(id) ? { kind: 'retailer_item', value: id, retailer: 'retailer_l' } : null;
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_l') return null;
    return ITEM_ID.test(identifier.value) ? `https://www.lowes.com/pd/${identifier.value}` : null;
  },
} as const satisfies AddressBook;

/**
 * Parses `/pd/<id>` and `/pd/<slug>/<id>`; the JSON behind them, `/wpd/<id>/productdetail/<store>/...`;
 * `/pd_<numbers>__?productId=<id>` until about 2014.
 */
function itemIdAt(path: readonly string[], url: URL): string {
  if (path[0] === 'wpd') return path[2] === 'productdetail' ? (path[1] ?? '') : '';
  if (path[0] === 'pd' && path.length <= 3) return path.at(-1) ?? '';
  const isOld = path.length === 1 && (path[0] ?? '').startsWith('pd_');
  return isOld ? (url.searchParams.get('productId') ?? '') : '';
}

/** The base of relative addresses in its answers. */
export const RETAILER_L_ORIGIN = new URL('https://www.lowes.com/');

/** The base of relative image addresses. */
export const RETAILER_L_IMAGES = new URL('https://mobileimages.lowes.com/');

/** Returns the search page; a barcode as text probably redirects to the product. */
export function retailerLSearchUrl(text: string): string {
  return `https://www.lowes.com/search?searchTerm=${encodeURIComponent(text)}`;
}

/**
 * Returns the address of the JSON behind a product page, for one store. It answered in 2020; whether it still does is
 * unknown.
 */
export function retailerLDetailUrl(itemId: string, storeNumber: string): string {
  const store = encodeURIComponent(storeNumber);
  return `https://www.lowes.com/pd/${itemId}/productdetail/${store}/Guest`;
}
