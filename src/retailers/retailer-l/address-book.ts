// Addresses of retailer_l: product pages and their item ids in both directions (D3, D9), the search page, images.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['lowes.com'] as const;
const ITEM_ID = /^[0-9]{7,10}$/;

export const retailerLAddressBook = {
  slug: 'retailer_l',
  hosts: HOSTS,
  shortLinkHosts: [],
  // `/pd/<id>` and `/pd/<slug>/<id>`.
  reduce: (url) => {
    const path = pathOn(HOSTS, url) ?? [];
    const id = path[0] === 'pd' && path.length <= 3 ? (path.at(-1) ?? '') : '';
    return ITEM_ID.test(id) ? { kind: 'retailer_item', value: id, retailer: 'retailer_l' } : null;
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_l') return null;
    return ITEM_ID.test(identifier.value) ? `https://www.lowes.com/pd/${identifier.value}` : null;
  },
} as const satisfies AddressBook;

/** The base of relative addresses in its answers. */
export const RETAILER_L_ORIGIN = new URL('https://www.lowes.com/');

/** The base of relative image addresses. */
export const RETAILER_L_IMAGES = new URL('https://mobileimages.lowes.com/');

/** The search page; a barcode as text probably redirects to the product. */
export function retailerLSearchUrl(text: string): string {
  return `https://www.lowes.com/search?searchTerm=${encodeURIComponent(text)}`;
}

/** The JSON behind a product page, for one store. It answered in 2020; whether it still does is unknown. */
export function retailerLDetailUrl(itemId: string, storeNumber: string): string {
  const store = encodeURIComponent(storeNumber);
  return `https://www.lowes.com/pd/${itemId}/productdetail/${store}/Guest`;
}
