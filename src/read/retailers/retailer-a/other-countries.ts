// Hosts of retailer_a in other countries: their pages are structured like the US shop's and read by its reader (D63), with
// prices in local currency. The service never looks up an ASIN or a barcode there.

import type { FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import { inCurrency, type Money } from '../../../base/listing/money/minor-units.ts';

/** Host without `www.` and the currency of its prices. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['amazon.ae', 'AED'],
  ['amazon.ca', 'CAD'],
  ['amazon.cn', 'CNY'],
  ['amazon.co.jp', 'JPY'],
  ['amazon.co.uk', 'GBP'],
  ['amazon.co.za', 'ZAR'],
  ['amazon.com.au', 'AUD'],
  ['amazon.com.be', 'EUR'],
  ['amazon.com.br', 'BRL'],
  ['amazon.com.mx', 'MXN'],
  ['amazon.com.tr', 'TRY'],
  ['amazon.de', 'EUR'],
  ['amazon.eg', 'EGP'],
  ['amazon.es', 'EUR'],
  ['amazon.fr', 'EUR'],
  ['amazon.ie', 'EUR'],
  ['amazon.in', 'INR'],
  ['amazon.it', 'EUR'],
  ['amazon.nl', 'EUR'],
  ['amazon.pl', 'PLN'],
  ['amazon.sa', 'SAR'],
  ['amazon.se', 'SEK'],
  ['amazon.sg', 'SGD'],
]);

export const HOSTS_ABROAD: readonly string[] = [...CURRENCIES.keys()];

/** Returns the currency of this retailer's host in another country; null for every other address. */
export function otherCountryCurrency(address: string): string | null {
  const host = URL.parse(address)?.hostname.replace(/^(?:www|m)\./, '') ?? '';
  return CURRENCIES.get(host) ?? null;
}

/**
 * Returns the amount in the country's currency. The reader interprets a shared sign such as `$`, or a missing one, as US
 * dollars.
 */
function inLocalCurrency(money: Money | null, currency: string): Money | null {
  if (money === null) return null;
  const isAssumed = money.currency === null || money.currency === 'USD';
  return isAssumed ? inCurrency(money, currency) : money;
}

/** Delivery costs are in US cents (D26), so only "free" is kept from another country's page. */
function withoutCharge(option: FulfillmentOption | null): FulfillmentOption | null {
  return option === null || option.costCents === 0 ? option : { ...option, costCents: null };
}

/** Returns the listing in local currency, under the address the page was served from. */
export function asOfCountry(listing: Listing, currency: string, url: string): Listing {
  const { fulfillment } = listing;
  return {
    ...listing,
    url,
    fulfillment:
      fulfillment === null
        ? null
        : { ...fulfillment, shipping: withoutCharge(fulfillment.shipping) },
    price: inLocalCurrency(listing.price, currency),
    listPrice: inLocalCurrency(listing.listPrice, currency),
    secondaryOfferPrice: inLocalCurrency(listing.secondaryOfferPrice, currency),
  };
}
