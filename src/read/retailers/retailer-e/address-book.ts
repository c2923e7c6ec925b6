// Addresses of retailer_e: pages and their listings or catalog products in both directions (D3, D9). An identifier is
// `<item id>`, `<item id>?var=<variation>` when the address selects a variation, or `epid:<catalog product id>`, because
// the two number ranges overlap.

import type { AddressBook } from '../adapter.ts';
import { isHostOf, pathOn } from '../addresses/product-path.ts';

const HOSTS = ['ebay.com'] as const;
const PARTNER_HOSTS = ['rover.ebay.com'] as const;
/** The origin of the official API and its token service. */
export const API_ORIGIN = 'https://api.ebay.com';
/** The country of the API's catalog. */
export const MARKETPLACE = { 'x-ebay-c-marketplace-id': 'EBAY_US' } as const;
const SITE_ORIGIN = 'https://www.ebay.com';

const ITEM_ID = /^[0-9]{9,15}$/;
const CATALOG_ID = /^[0-9]{1,15}$/;
export const VARIATION = /^[1-9][0-9]{0,14}$/;
const ITEM_VALUE = /^[0-9]{9,15}(?:\?var=[1-9][0-9]{0,14})?$/;

export const retailerEAddressBook = {
  slug: 'retailer_e',
  hosts: HOSTS,
  shortLinkHosts: ['ebay.us', ...PARTNER_HOSTS],
  reduce: (url) => {
    const path = pathOn(HOSTS, url);
    const value = path === null ? partnersItem(url) : pageValue(path, url);
    return value === null ? null : { kind: 'retailer_item', value, retailer: 'retailer_e' };
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_e') return null;
    const { value } = identifier;
    if (ITEM_VALUE.test(value)) return `${SITE_ORIGIN}/itm/${value}`;
    const catalogId = value.startsWith('epid:') ? value.slice('epid:'.length) : '';
    return CATALOG_ID.test(catalogId) ? `${SITE_ORIGIN}/p/${catalogId}` : null;
  },
} as const satisfies AddressBook;

function pageValue(path: readonly string[], url: URL): string | null {
  return itemAt(path, url) ?? catalogProductAt(path, url);
}

/** Returns the item number in a partner link, as used by the retailer's older APIs. */
function partnersItem(url: URL): string | null {
  if (!isHostOf(PARTNER_HOSTS, url.hostname)) return null;
  const id = url.searchParams.get('item') ?? url.searchParams.get('icep_item') ?? '';
  return ITEM_ID.test(id) ? id : null;
}

/** Parses `/itm/<id>`, `/itm/<slug>/<id>`, `/i/<id>`, and `/ulk/itm/<id>` in links that open the app. */
function itemAt(path: readonly string[], url: URL): string | null {
  const plain = path[0] === 'ulk' ? path.slice(1) : path;
  const most = plain[0] === 'itm' ? 3 : plain[0] === 'i' ? 2 : 0;
  const id = plain.length <= most ? (plain.at(-1) ?? '') : '';
  return ITEM_ID.test(id) ? withVariation(id, url) : null;
}

function withVariation(id: string, url: URL): string {
  // Most addresses have many parameters but none for a variation. A name with a percent sign may be an escaped `var`.
  const mayVary = /[?&](?:var\b|[^=&%]*%)/.test(url.search);
  const variation = mayVary ? (url.searchParams.get('var') ?? '') : '';
  return VARIATION.test(variation) ? `${id}?var=${variation}` : id;
}

/**
 * Parses `/p/<epid>` and `/p/<slug>/<epid>`, or the listing selected by the address: that is what such a page shows and
 * sells.
 */
function catalogProductAt(path: readonly string[], url: URL): string | null {
  const id = path[0] === 'p' && path.length <= 3 ? (path.at(-1) ?? '') : '';
  if (!CATALOG_ID.test(id)) return null;
  const chosen = url.search === '' ? '' : (url.searchParams.get('iid') ?? '');
  return ITEM_ID.test(chosen) ? withVariation(chosen, url) : `epid:${id}`;
}

/** Returns the page of a listing or of one variation; null for ids of another shape. */
export function itemUrl(itemId: string | null, variantId: string | null): string | null {
  if (itemId === null) return null;
  const value = variantId === null ? itemId : `${itemId}?var=${variantId}`;
  return retailerEAddressBook.productUrl({ kind: 'retailer_item', value, retailer: 'retailer_e' });
}

/** Returns the listing in an identifier, with or without a variation; null for a catalog product. */
export function itemOf(value: string): string | null {
  return ITEM_VALUE.test(value) ? (value.split('?var=')[0] ?? null) : null;
}

/** Returns the listing and variation in an address; both null for other pages. */
export function idsIn(address: string | URL | null): {
  readonly itemId: string | null;
  readonly variantId: string | null;
} {
  const url = typeof address === 'string' ? URL.parse(address) : address;
  const value = url === null ? undefined : retailerEAddressBook.reduce(url)?.value;
  if (value === undefined || !ITEM_VALUE.test(value)) return { itemId: null, variantId: null };
  const [itemId = null, variantId = null] = value.split('?var=');
  return { itemId, variantId };
}

/** Returns the search page for a text: only buy-it-now items, cheapest with shipping first. */
export function searchUrl(text: string): string {
  const query = new URLSearchParams({ _nkw: text, _ipg: '60', LH_BIN: '1', _sop: '15' });
  return `${SITE_ORIGIN}/sch/i.html?${query.toString()}`;
}

/** Whether an address is a search results page. */
export function isSearchUrl(url: URL): boolean {
  return pathOn(HOSTS, url)?.[0] === 'sch';
}
