// Addresses of retailer_h: product pages and their item ids in both directions (D3, D9), the search page, the gateway.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../addresses/product-path.ts';

const HOSTS = ['homedepot.com'] as const;
/** An item id. Currently ids have nine digits; shorter and longer ones are accepted. */
const ITEM_ID = /^[0-9]{6,12}$/;

export const retailerHAddressBook = {
  slug: 'retailer_h',
  hosts: HOSTS,
  shortLinkHosts: [],
  reduce: (url) => {
    const id = itemIdAt(pathOn(HOSTS, url) ?? []);
    return ITEM_ID.test(id) ? { kind: 'retailer_item', value: id, retailer: 'retailer_h' } : null;
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_h') return null;
    return ITEM_ID.test(identifier.value)
      ? `https://www.homedepot.com/p/${identifier.value}`
      : null;
  },
} as const satisfies AddressBook;

/**
 * Parses `/p/<id>` and `/p/<slug>/<id>`, both also as `/pep`; bundles under `/p/sets/<slug>/<id>`; pages about a product,
 * `/p/reviews/<slug>/<id>/<page>`; and `/h_d1/<place>/R-<id>/...` until about 2014.
 */
function itemIdAt(path: readonly string[]): string {
  if (path[0] === 'h_d1') return path[2]?.startsWith('r-') === true ? path[2].slice(2) : '';
  if (path[0] !== 'p' && path[0] !== 'pep') return '';
  const isAbout = path[1] === 'reviews' || path[1] === 'questions';
  if (isAbout && path.length > 3) return path[3] ?? '';
  const most = path[1] === 'sets' ? 4 : 3;
  return path.length <= most ? (path.at(-1) ?? '') : '';
}

/** The base of relative addresses in its answers. */
export const RETAILER_H_ORIGIN = new URL('https://www.homedepot.com/');

/** Returns the search page; a barcode as text probably redirects to the product. */
export function retailerHSearchUrl(text: string): string {
  return `https://www.homedepot.com/s/${encodeURIComponent(text)}`;
}

/** Returns the public gateway address of its pages for one operation. */
export function retailerHGatewayUrl(operation: string): string {
  return `https://apionline.homedepot.com/federation-gateway/graphql?opname=${operation}`;
}
