// The rows of retailer_urls.tsv with the address books' host names inserted.

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';
import { vectorRows } from './vectors.ts';

/** Returns rows of address, kind or -, value, canonical address. */
export function retailerUrlRows(): string[][] {
  return vectorRows('retailer_urls.tsv', 4).map((row) => row.map(withHosts));
}

/** Returns the main host of a known retailer, without www. */
export function hostOf(slug: string): string {
  const known = KNOWN_SLUGS.find((name) => name === slug);
  const host = known === undefined ? undefined : bookOf(known).hosts[0];
  if (host === undefined) throw new Error(`no retailer ${slug}`);
  return host;
}

/** {w} -> the host of retailer_w, and so on. */
function withHosts(text: string): string {
  return text.replace(/\{([a-z])\}/g, (_, letter: string) => hostOf(`retailer_${letter}`));
}
