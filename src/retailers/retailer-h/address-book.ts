// Addresses of retailer_h: product pages and their item ids in both directions (D3, D9), the search page, the gateway.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['homedepot.com'] as const;
/** Nine digits today; shorter and longer ids are accepted. */
const ITEM_ID = /^[0-9]{6,12}$/;

export const retailerHAddressBook = {
  slug: 'retailer_h',
  hosts: HOSTS,
  shortLinkHosts: [],
  // `/p/<id>`, `/p/<slug>/<id>`, and bundles under `/p/sets/<slug>/<id>`.
  reduce: (url) => {
    const path = pathOn(HOSTS, url) ?? [];
    const most = path[1] === 'sets' ? 4 : 3;
    const id = path[0] === 'p' && path.length <= most ? (path.at(-1) ?? '') : '';
    return ITEM_ID.test(id) ? { kind: 'retailer_item', value: id, retailer: 'retailer_h' } : null;
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_h') return null;
    return ITEM_ID.test(identifier.value)
      ? `https://www.homedepot.com/p/${identifier.value}`
      : null;
  },
} as const satisfies AddressBook;

/** The base of relative addresses in its answers. */
export const RETAILER_H_ORIGIN = new URL('https://www.homedepot.com/');

/** The search page; a barcode as text probably redirects to the product. */
export function retailerHSearchUrl(text: string): string {
  return `https://www.homedepot.com/s/${encodeURIComponent(text)}`;
}

/** The public gateway of its pages, for one operation. */
export function retailerHGatewayUrl(operation: string): string {
  return `https://apionline.homedepot.com/federation-gateway/graphql?opname=${operation}`;
}
