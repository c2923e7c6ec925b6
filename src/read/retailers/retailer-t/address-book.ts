// Addresses of retailer_t: product pages and their numbers (TCIN) in both directions (D3, D9), and its public JSON
// endpoints. `preselect` selects the variant of a page, and each variant has its own number and page, so it replaces the
// number in the path.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../addresses/product-path.ts';

const HOSTS = ['target.com'] as const;
const TCIN = /^[0-9]{8,10}$/;

export const retailerTAddressBook = {
  slug: 'retailer_t',
  hosts: HOSTS,
  // The tracking host of its partners.
  shortLinkHosts: ['goto.target.com'],
  reduce: (url) => {
    const inPath = tcinAt(pathOn(HOSTS, url) ?? []);
    if (inPath === null) return null;
    const chosen = url.searchParams.get('preselect') ?? '';
    const value = TCIN.test(chosen) ? chosen : inPath;
    return { kind: 'retailer_item', value, retailer: 'retailer_t' };
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_t') return null;
    return TCIN.test(identifier.value) ? `https://www.target.com/p/-/A-${identifier.value}` : null;
  },
} as const satisfies AddressBook;

/** Parses `/p/<slug>/-/A-<tcin>`, and the same without slug, hyphen or both. */
function tcinAt(path: readonly string[]): string | null {
  const last = path.at(-1) ?? '';
  const fits = path[0] === 'p' && (path.length <= 3 || (path.length === 4 && path[2] === '-'));
  return fits && last.startsWith('a-') && TCIN.test(last.slice(2)) ? last.slice(2) : null;
}

export const REDSKY = 'https://redsky.target.com/redsky_aggregations/v1/web';
/** The store for which prices are requested. The site uses it for visitors who have not chosen one. */
const DEFAULT_STORE = '3991';

export type RedskyRequest = {
  readonly tcin: string;
  /** The site's current web key, from the configuration: the site changes it. */
  readonly key: string;
  /** Any 32 hexadecimal digits: the site creates them for each visitor. */
  readonly visitorId: string;
};

/** Returns the public product JSON address of a number; null when number or key is invalid. */
export function redskyProductUrl({ tcin, key, visitorId }: RedskyRequest): string | null {
  if (!TCIN.test(tcin) || !/^[A-Za-z0-9]{16,64}$/.test(key)) return null;
  const url = new URL(`${REDSKY}/pdp_client_v1`);
  const parameters: Readonly<Record<string, string>> = {
    key,
    tcin,
    store_id: DEFAULT_STORE,
    pricing_store_id: DEFAULT_STORE,
    has_pricing_store_id: 'true',
    visitor_id: visitorId,
    channel: 'WEB',
    page: `/p/A-${tcin}`,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns the public summary address of a number, with stock; null when number or key is invalid. */
export function redskySummaryUrl({ tcin, key, visitorId }: RedskyRequest): string | null {
  if (!TCIN.test(tcin) || !/^[A-Za-z0-9]{16,64}$/.test(key)) return null;
  const url = new URL(`${REDSKY}/product_summary_with_fulfillment_v1`);
  const parameters: Readonly<Record<string, string>> = {
    key,
    tcins: tcin,
    store_id: DEFAULT_STORE,
    pricing_store_id: DEFAULT_STORE,
    required_store_id: DEFAULT_STORE,
    visitor_id: visitorId,
    channel: 'WEB',
    page: `/p/A-${tcin}`,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
