// Addresses of retailer_a: which page belongs to which ASIN, and back (D3, D9); where its lists and official
// APIs are, and what it calls itself as a seller. Reads no page.

import { isIsbn10 } from '../../identifiers/check-digit.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['amazon.com'] as const;
const ORIGIN = 'https://www.amazon.com';

/** What stands right before the ASIN. */
const MARKERS = [
  ['dp'],
  ['dp', 'product'],
  ['gp', 'product'],
  ['gp', 'aw', 'd'],
  ['gp', 'offer-listing'],
  ['exec', 'obidos', 'ASIN'],
  ['o', 'ASIN'],
  ['product-reviews'],
] as const;

/** The markers that may stand behind the title of the product, `/<slug>/dp/<ASIN>`. */
const AFTER_SLUG: ReadonlySet<string> = new Set(['dp', 'product-reviews']);

export const retailerAAddressBook = {
  slug: 'retailer_a',
  hosts: HOSTS,
  shortLinkHosts: ['a.co', 'amzn.to'],
  reduce: (url) => {
    const path = pathOn(HOSTS, url);
    const asin = path === null ? null : asinAt(withoutLanguage(path));
    return asin === null ? null : { kind: 'asin', value: asin, retailer: 'retailer_a' };
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'asin' || !isAsin(identifier.value)) return null;
    return `${ORIGIN}/dp/${identifier.value}`;
  },
} as const satisfies AddressBook;

/** The list of all sellers of an ASIN, first page: a fragment of HTML. */
export function offersUrl(asin: string): string {
  const list = `${ORIGIN}/gp/product/ajax/ref=dp_aod_ALL_mbc`;
  return `${list}?asin=${asin}&pc=dp&experienceId=aodAjaxMain`;
}

/** The page search; a barcode is a word among others to it. */
export function searchUrl(text: string): string {
  return `${ORIGIN}/s?k=${encodeURIComponent(text)}`;
}

/** Official APIs (reference: programmatic access). Addresses, marketplace and token endpoints. */
export const CREATORS_API = {
  origin: 'https://creatorsapi.amazon',
  marketplace: 'www.amazon.com',
  /** By version of the credentials: where a token comes from and which scope it is asked with. */
  tokens: {
    '2.1': {
      url: 'https://creatorsapi.auth.us-east-1.amazoncognito.com/oauth2/token',
      scope: 'creatorsapi/default',
    },
    '3.1': { url: 'https://api.amazon.com/auth/o2/token', scope: 'creatorsapi::default' },
  },
} as const;

export const SELLING_PARTNER_API = {
  origin: 'https://sellingpartnerapi-na.amazon.com',
  marketplaceId: 'ATVPDKIKX0DER',
  tokenUrl: 'https://api.amazon.com/auth/o2/token',
} as const;

/** Seller ids of the retailer itself: its store, and its outlet for returned goods. */
const OWN_SELLER_IDS: ReadonlySet<string> = new Set(['ATVPDKIKX0DER', 'A2L77EE7U53NWQ']);
const OWN_SELLER_NAME =
  /^amazon(?:\.com)?(?: (?:services|resale|warehouse|digital services))?(?:,? (?:llc|inc)\.?)?$/i;

/** Whether goods sold (or sent) by this seller come from the retailer itself; null when nothing is known. */
export function isOwnSeller(id: string | null, name: string | null): boolean | null {
  if (id !== null && OWN_SELLER_IDS.has(id)) return true;
  if (name !== null && OWN_SELLER_NAME.test(name.trim())) return true;
  return id === null && name === null ? null : false;
}

/** The shop in another language has `/-/es` in front of the same paths. */
function withoutLanguage(path: readonly string[]): readonly string[] {
  return path[0] === '-' && /^[a-z]{2}(?:_[A-Z]{2})?$/.test(path[1] ?? '') ? path.slice(2) : path;
}

/** What follows the ASIN (`/ref=...`) is tracking, so it does not matter. */
function asinAt(path: readonly string[]): string | null {
  for (const marker of MARKERS) {
    const starts = AFTER_SLUG.has(marker[0]) ? [0, 1] : [0];
    for (const start of starts) {
      const asin = (path[start + marker.length] ?? '').toUpperCase();
      const fits = marker.every((word, at) => path[start + at] === word);
      if (fits && isAsin(asin)) return asin;
    }
  }
  return null;
}

/** B and nine more, or the ISBN-10 that a printed book has for its ASIN. */
export function isAsin(text: string): boolean {
  return /^B[0-9A-Z]{9}$/.test(text) || isIsbn10(text);
}
