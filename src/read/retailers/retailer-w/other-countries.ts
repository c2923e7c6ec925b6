// Hosts of retailer_w in other countries: an item page there has the same state as the US shop's pages, and mostly little
// else. They are separate shops: no item id, seller number or US dollar comes from them.

import type { Fulfillment, FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import { inCurrency, type Money } from '../../../base/listing/money/minor-units.ts';
import { pathOn } from '../addresses/product-path.ts';

/** Host without `www.` or `m.` and the currency of its prices. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['walmart.ca', 'CAD'],
  ['walmart.com.mx', 'MXN'],
]);

export const HOSTS_ABROAD: readonly string[] = [...CURRENCIES.keys()];

/** Returns the currency of an item page on this retailer's host in another country; null for every other address. */
export function itemCurrencyAbroad(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  for (const [host, currency] of CURRENCIES) {
    // `/ip/...`, in Canada following the language: `/en/ip/...`.
    if (pathOn([host], url)?.slice(0, 2).includes('ip') === true) return currency;
  }
  return null;
}

/** Returns the amount in the country's currency if the state specifies none. */
function inLocalCurrency(money: Money | null, currency: string): Money | null {
  return money === null || money.currency !== null ? money : inCurrency(money, currency);
}

/** Delivery costs are in US cents (D26), so only "free" is kept for other countries. */
function withoutCharges({ shipping, delivery, pickup }: Fulfillment): Fulfillment {
  const free = (option: FulfillmentOption | null) =>
    option === null || option.costCents === 0 ? option : { ...option, costCents: null };
  return { shipping: free(shipping), delivery: free(delivery), pickup: free(pickup) };
}

/**
 * Returns the listing of a page in another country, without the item number, which is only valid in that shop, and without
 * offers, which only the US shop has (D31).
 */
export function asOfCountry(listing: Listing, currency: string): Listing {
  const { itemId, fulfillment } = listing;
  return {
    ...listing,
    price: inLocalCurrency(listing.price, currency),
    listPrice: inLocalCurrency(listing.listPrice, currency),
    secondaryOfferPrice: inLocalCurrency(listing.secondaryOfferPrice, currency),
    fulfillment: fulfillment === null ? null : withoutCharges(fulfillment),
    itemId: null,
    sku: itemId ?? listing.sku,
    sellerId: null,
    catalogSellerId: null,
    offers: [],
  };
}
