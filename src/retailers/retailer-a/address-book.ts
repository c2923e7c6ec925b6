// Addresses of retailer_a: which page belongs to which ASIN, and back (D3, D9). Reads no page.

import { isIsbn10 } from '../../domain/check-digit.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const HOSTS = ['amazon.com'] as const;

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
  productUrl: (candidate) => {
    if (candidate.kind !== 'asin' || !isAsin(candidate.value)) return null;
    return `https://www.amazon.com/dp/${candidate.value}`;
  },
} as const satisfies AddressBook;

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
function isAsin(text: string): boolean {
  return /^B[0-9A-Z]{9}$/.test(text) || isIsbn10(text);
}
