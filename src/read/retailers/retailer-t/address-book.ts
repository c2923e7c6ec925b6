// Addresses of retailer_t: product pages and their numbers (TCIN) in both directions (D3, D9). `preselect` selects the
// variant of a page, and each variant has its own number and page, so it replaces the number in the path.

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
