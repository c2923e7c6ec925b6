// The address books of the seven known retailers in one table: whose address is this, and which
// identifier does it stand for (D3, D9)? Other-country hosts of these retailers are nobody's here.

import type { Identifier } from '../identifiers/parse-identifier.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../core/retailer.ts';
import type { AddressBook } from './adapter.ts';
import { isHostOf } from './product-path.ts';
import { retailerAAddressBook } from './retailer-a/address-book.ts';
import { retailerBAddressBook } from './retailer-b/address-book.ts';
import { retailerEAddressBook } from './retailer-e/address-book.ts';
import { retailerHAddressBook } from './retailer-h/address-book.ts';
import { retailerLAddressBook } from './retailer-l/address-book.ts';
import { retailerTAddressBook } from './retailer-t/address-book.ts';
import { retailerWAddressBook } from './retailer-w/address-book.ts';

const BOOKS: Readonly<Record<KnownSlug, AddressBook>> = {
  retailer_w: retailerWAddressBook,
  retailer_a: retailerAAddressBook,
  retailer_e: retailerEAddressBook,
  retailer_l: retailerLAddressBook,
  retailer_t: retailerTAddressBook,
  retailer_b: retailerBAddressBook,
  retailer_h: retailerHAddressBook,
};

export function bookOf(slug: KnownSlug): AddressBook {
  return BOOKS[slug];
}

/** The retailer a host belongs to, its short-link hosts included; null for every other host. */
export function bookForHost(host: string): AddressBook | null {
  for (const slug of KNOWN_SLUGS) {
    const book = BOOKS[slug];
    if (isHostOf(book.hosts, host) || isHostOf(book.shortLinkHosts, host)) return book;
  }
  return null;
}

/** True for hosts that only redirect: what the address stands for is known after one redirect. */
export function isShortLinkHost(host: string): boolean {
  return KNOWN_SLUGS.some((slug) => isHostOf(BOOKS[slug].shortLinkHosts, host));
}

/**
 * The identifier that a product-page address of a known retailer stands for; null for another shop
 * and for other pages (search, cart, seller) of these. Port, credentials, fragment and query do not
 * matter, but for the parameters with which a book chooses a variant.
 */
export function reduceUrl(url: URL): Identifier | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return bookForHost(url.hostname)?.reduce(url) ?? null;
}
