// Addresses of retailer_t: which page belongs to which number (TCIN), and back (D3, D9). Reads no
// page. `preselect` names the variant that the page opens with. A variant has a number and a page
// of its own, so its number takes the place of the one in the path.

import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['target.com'] as const;
const TCIN = /^[0-9]{8,10}$/;

export const retailerTAddressBook = {
  slug: 'retailer_t',
  hosts: HOSTS,
  shortLinkHosts: [],
  reduce: (url) => {
    const inPath = tcinAt(pathOn(HOSTS, url) ?? []);
    if (inPath === null) return null;
    const chosen = url.searchParams.get('preselect') ?? '';
    const value = TCIN.test(chosen) ? chosen : inPath;
    return { kind: 'retailer_item', value, retailer: 'retailer_t' };
  },
  productUrl: (candidate) => {
    if (candidate.kind !== 'retailer_item' || candidate.retailer !== 'retailer_t') return null;
    return TCIN.test(candidate.value) ? `https://www.target.com/p/-/A-${candidate.value}` : null;
  },
} as const satisfies AddressBook;

/** `/p/<slug>/-/A-<tcin>` and `/p/-/A-<tcin>`. */
function tcinAt(path: readonly string[]): string | null {
  const last = path.at(-1) ?? '';
  const fits = path[0] === 'p' && path.at(-2) === '-' && (path.length === 3 || path.length === 4);
  return fits && last.startsWith('A-') && TCIN.test(last.slice(2)) ? last.slice(2) : null;
}
