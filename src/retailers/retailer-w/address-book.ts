// Addresses of retailer_w: which page belongs to which item id, and back (D3, D9). Reads no page.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['walmart.com'] as const;
/** The catalog's own range; real ids have mostly 8 to 11 digits. */
const ITEM_ID = /^[0-9]{6,12}$/;

export const retailerWAddressBook = {
  slug: 'retailer_w',
  hosts: HOSTS,
  shortLinkHosts: [],
  reduce: (url) => {
    const id = itemIdAt(pathOn(HOSTS, url) ?? []);
    if (id === undefined || !ITEM_ID.test(id)) return null;
    return { kind: 'item_id', value: id, retailer: 'retailer_w' };
  },
  productUrl: (candidate) => {
    if (candidate.kind !== 'item_id' || !ITEM_ID.test(candidate.value)) return null;
    return `https://www.walmart.com/ip/${candidate.value}`;
  },
} as const satisfies AddressBook;

/** `/ip/<id>`, `/ip/<slug>/<id>` and the reviews page of an item, `/reviews/product/<id>`. */
function itemIdAt(path: readonly string[]): string | undefined {
  if (path[0] === 'ip' && path.length <= 3) return path.at(-1);
  if (path[0] === 'reviews' && path[1] === 'product' && path.length === 3) return path[2];
  return undefined;
}
