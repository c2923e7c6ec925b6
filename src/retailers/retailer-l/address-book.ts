// Addresses of retailer_l: which page belongs to which item id, and back (D3, D9). Reads no page.

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
  productUrl: (candidate) => {
    if (candidate.kind !== 'retailer_item' || candidate.retailer !== 'retailer_l') return null;
    return ITEM_ID.test(candidate.value) ? `https://www.lowes.com/pd/${candidate.value}` : null;
  },
} as const satisfies AddressBook;
