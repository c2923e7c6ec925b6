// Hosts of retailer_a in other countries: their pages are built like those of the US shop and read by its reader (D63), with
// prices in the money of the country. The service never looks up an ASIN or a barcode there.

import type { FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import type { Money } from '../../../base/listing/money/money.ts';

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

/** The currency of another country's host of this retailer; null for every other address. */
export function otherCountryCurrency(address: string): string | null {
  const host = URL.parse(address)?.hostname.replace(/^(?:www|m)\./, '') ?? '';
  return CURRENCIES.get(host) ?? null;
}

/** The amount in the country's currency. The reader takes a shared sign such as `$`, or a missing one, for US dollars. */
function inCurrency(money: Money | null, currency: string): Money | null {
  if (money === null) return null;
  const isAssumed = money.currency === null || money.currency === 'USD';
  return isAssumed ? { cents: money.cents, currency } : money;
}

/** A delivery's cost is in US cents (D26), so that of another country's page only "free" is kept. */
function withoutCharge(option: FulfillmentOption | null): FulfillmentOption | null {
  return option === null || option.costCents === 0 ? option : { ...option, costCents: null };
}

/** The listing in the money of the country, under the address that answered. */
export function asOfCountry(listing: Listing, currency: string, url: string): Listing {
  const { fulfillment } = listing;
  return {
    ...listing,
    url,
    fulfillment:
      fulfillment === null
        ? null
        : { ...fulfillment, shipping: withoutCharge(fulfillment.shipping) },
    price: inCurrency(listing.price, currency),
    listPrice: inCurrency(listing.listPrice, currency),
    secondaryOfferPrice: inCurrency(listing.secondaryOfferPrice, currency),
  };
}
