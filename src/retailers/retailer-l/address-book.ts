// Addresses of retailer_l: which page belongs to which item id, and back, its search page and where its pictures
// are (D3, D9). Reads no page.

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

/** Where relative addresses in its answers lead. */
export const RETAILER_L_ORIGIN = new URL('https://www.lowes.com/');

/** Where its relative picture addresses lead. */
export const RETAILER_L_IMAGES = new URL('https://mobileimages.lowes.com/');

/** The search page; a barcode leads to the product (reference facts: likely). */
export function retailerLSearchUrl(text: string): string {
  return `https://www.lowes.com/search?searchTerm=${encodeURIComponent(text)}`;
}

/** The JSON behind a product page as one store sees it; answered in 2020, not known today. */
export function retailerLDetailUrl(itemId: string, storeNumber: string): string {
  const store = encodeURIComponent(storeNumber);
  return `https://www.lowes.com/pd/${itemId}/productdetail/${store}/Guest`;
}
