// The address books of the seven known retailers: which retailer an address belongs to, and which identifier it represents
// (D3, D9). Hosts of these retailers in other countries are in no book.

import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import type { AddressBook } from '../adapter.ts';
import { namesOfHost } from './product-path.ts';
import { retailerAAddressBook } from '../retailer-a/address-book.ts';
import { retailerBAddressBook } from '../retailer-b/address-book.ts';
import { retailerEAddressBook } from '../retailer-e/address-book.ts';
import { retailerHAddressBook } from '../retailer-h/address-book.ts';
import { retailerLAddressBook } from '../retailer-l/address-book.ts';
import { retailerTAddressBook } from '../retailer-t/address-book.ts';
import { retailerWAddressBook } from '../retailer-w/address-book.ts';

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

const BOOK_OF_HOST: ReadonlyMap<string, AddressBook> = new Map(
  KNOWN_SLUGS.map((slug) => BOOKS[slug]).flatMap((book) =>
    [...book.hosts, ...book.shortLinkHosts].map((host) => [host, book] as const),
  ),
);

/** Returns the book of the retailer that a host belongs to, including short-link hosts; null for other hosts. */
export function bookForHost(host: string): AddressBook | null {
  for (const name of namesOfHost(host)) {
    const book = BOOK_OF_HOST.get(name);
    if (book !== undefined) return book;
  }
  return null;
}

/**
 * Whether an address is on a host of this retailer. A page elsewhere that a retailer's address redirected to is not the
 * retailer's: an open redirect can lead anywhere, and its shops in other countries are separate shops (D3).
 */
export function isAddressOf(slug: KnownSlug, address: string): boolean {
  const url = URL.parse(address);
  return url !== null && bookForHost(url.hostname)?.slug === slug;
}

/**
 * Returns the identifier of a product-page address of a known retailer; null for other shops and other pages (search, cart,
 * seller). Port, credentials, fragment and query are ignored, except parameters that select a variant.
 */
export function reduceUrl(url: URL): Identifier | null {
  const book = isOfWeb(url) ? bookForHost(url.hostname) : null;
  if (book === null) return null;
  return book.reduce(url) ?? withPlainSlashes(book, url) ?? ledTo(book, url);
}

/** Reduces an address whose slashes were escaped once too often, `/dp%2F<ASIN>`. */
function withPlainSlashes(book: AddressBook, url: URL): Identifier | null {
  if (!/%2f/i.test(url.pathname)) return null;
  const plain = new URL(url);
  plain.pathname = url.pathname.replace(/%2f/gi, '/');
  return book.reduce(plain);
}

/** The target parameters of partner links in the networks that these retailers use. */
const GOALS = ['u', 'mpre', 'url'] as const;

/**
 * Returns the product that a partner or advertising link leads to when the link contains the address itself, which avoids a
 * request to the click counter. Only the retailer's own addresses count, and only in parameters for the link target: others may
 * contain the page the visitor came from.
 */
function ledTo(book: AddressBook, url: URL): Identifier | null {
  if (url.search === '') return null;
  const goal = isShortLink(book, url) ? goalOf(url) : book.carried?.(url);
  const address = typeof goal === 'string' ? URL.parse(goal, url) : null;
  if (address === null || !isOfWeb(address)) return null;
  return bookForHost(address.hostname) === book ? book.reduce(address) : null;
}

function isOfWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Whether an address is on a host of short links to this retailer's products. Only a request reveals which product. */
export function isShortLink(book: AddressBook, url: URL): boolean {
  return namesOfHost(url.hostname).some((name) => book.shortLinkHosts.includes(name));
}

function goalOf(url: URL): string | null {
  for (const name of GOALS) {
    const goal = url.searchParams.get(name);
    if (goal !== null) return goal;
  }
  return null;
}
