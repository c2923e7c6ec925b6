// Hosts of retailer_w in other countries: an item page there has the state of the US shop's pages, and mostly little else.
// They are shops of their own: no item id, no seller's number and no US dollar comes from here.

import type { Fulfillment, FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import type { Money } from '../../../base/listing/money/money.ts';
import { pathOn } from '../addresses/product-path.ts';

/** Host without `www.` or `m.` and the currency of its prices. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['walmart.ca', 'CAD'],
  ['walmart.com.mx', 'MXN'],
]);

export const HOSTS_ABROAD: readonly string[] = [...CURRENCIES.keys()];

/** The currency of an item page on another country's host of this retailer; null for every other address. */
export function itemCurrencyAbroad(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  for (const [host, currency] of CURRENCIES) {
    // `/ip/...`, in Canada after the language: `/en/ip/...`.
    if (pathOn([host], url)?.slice(0, 2).includes('ip') === true) return currency;
  }
  return null;
}

/** The amount in the country's currency if the state names none. */
function inCurrency(money: Money | null, currency: string): Money | null {
  return money === null || money.currency !== null ? money : { cents: money.cents, currency };
}

/** A delivery's cost is in US cents (D26), so that abroad only "free" is kept. */
function withoutCharges({ shipping, delivery, pickup }: Fulfillment): Fulfillment {
  const free = (option: FulfillmentOption | null) =>
    option === null || option.costCents === 0 ? option : { ...option, costCents: null };
  return { shipping: free(shipping), delivery: free(delivery), pickup: free(pickup) };
}

/**
 * The listing of a page abroad, without the item's number, which is valid in that shop only, and without offers, which only the
 * US shop has (D31).
 */
export function asOfCountry(listing: Listing, currency: string): Listing {
  const { itemId, fulfillment } = listing;
  return {
    ...listing,
    price: inCurrency(listing.price, currency),
    listPrice: inCurrency(listing.listPrice, currency),
    secondaryOfferPrice: inCurrency(listing.secondaryOfferPrice, currency),
    fulfillment: fulfillment === null ? null : withoutCharges(fulfillment),
    itemId: null,
    sku: itemId ?? listing.sku,
    sellerId: null,
    catalogSellerId: null,
    offers: [],
  };
}
