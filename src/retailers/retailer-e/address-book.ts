// Addresses of retailer_e: which page belongs to which listing or catalog product, and back (D3,
// D9). An identifier is `<item id>`, `<item id>?var=<variation>` where the address chose a
// variation of a listing with several, or `epid:<catalog product id>`: the two number ranges
// overlap.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['ebay.com'] as const;
const ITEM_ID = /^[0-9]{9,15}$/;
const CATALOG_ID = /^[0-9]{1,15}$/;
const VARIATION = /^[1-9][0-9]{0,14}$/;
const ITEM_VALUE = /^[0-9]{9,15}(?:\?var=[1-9][0-9]{0,14})?$/;

export const retailerEAddressBook = {
  slug: 'retailer_e',
  hosts: HOSTS,
  shortLinkHosts: ['ebay.us'],
  reduce: (url) => {
    const path = pathOn(HOSTS, url);
    const value = path === null ? null : (itemAt(path, url) ?? catalogProductAt(path));
    return value === null ? null : { kind: 'retailer_item', value, retailer: 'retailer_e' };
  },
  productUrl: (candidate) => {
    if (candidate.kind !== 'retailer_item' || candidate.retailer !== 'retailer_e') return null;
    const { value } = candidate;
    if (ITEM_VALUE.test(value)) return `https://www.ebay.com/itm/${value}`;
    const catalogId = value.startsWith('epid:') ? value.slice('epid:'.length) : '';
    return CATALOG_ID.test(catalogId) ? `https://www.ebay.com/p/${catalogId}` : null;
  },
} as const satisfies AddressBook;

/** `/itm/<id>` and `/itm/<slug>/<id>`. */
function itemAt(path: readonly string[], url: URL): string | null {
  const id = path[0] === 'itm' && path.length <= 3 ? (path.at(-1) ?? '') : '';
  if (!ITEM_ID.test(id)) return null;
  const variation = url.searchParams.get('var') ?? '';
  return VARIATION.test(variation) ? `${id}?var=${variation}` : id;
}

/** `/p/<epid>`. */
function catalogProductAt(path: readonly string[]): string | null {
  const id = path[0] === 'p' && path.length === 2 ? (path[1] ?? '') : '';
  return CATALOG_ID.test(id) ? `epid:${id}` : null;
}
