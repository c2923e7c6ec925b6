// Hosts of retailer_e in other countries: an item page there is structured like the US shop's, and structured data alone
// would give the bid of an auction and the price of an ended listing. They are separate shops: no item id, no barcode and
// no US dollar comes from them.

import { pathOn } from '../addresses/product-path.ts';
import { VARIATION } from './address-book.ts';

/** Hosts without `www.` or `m.`. */
export const HOSTS_ABROAD = [
  'ebay.at',
  'ebay.ca',
  'cafr.ebay.ca',
  'ebay.ch',
  'ebay.co.uk',
  'ebay.com.au',
  'ebay.com.hk',
  'ebay.com.my',
  'ebay.com.sg',
  'ebay.de',
  'ebay.es',
  'ebay.fr',
  'ebay.ie',
  'ebay.it',
  'ebay.nl',
  'ebay.ph',
  'ebay.pl',
  'ebay.be',
  'befr.ebay.be',
  'benl.ebay.be',
];

/** Whether an address is an item page on this retailer's host in another country. */
export function isItemAbroad(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && pathOn(HOSTS_ABROAD, url)?.[0] === 'itm';
}

/** Returns the variation selected by such an address. */
export function variationAbroad(address: string): string | null {
  const chosen = isItemAbroad(address) ? URL.parse(address)?.searchParams.get('var') : null;
  return typeof chosen === 'string' && VARIATION.test(chosen) ? chosen : null;
}
