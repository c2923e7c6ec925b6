// Stock and ways of delivery in retailer_t's `fulfillment` node. `sold_out` is no measure: it is false for
// things that nobody can buy (seen on a recorded answer); the statuses of the ways are.

import { readAvailability } from '../../listing/availability.ts';
import type { Availability } from '../../listing/availability.ts';
import type { Fulfillment, FulfillmentOption, Listing } from '../../listing/listing.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import { at, boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json-path.ts';
import { dayAt } from '../../page-data/json-values.ts';

export type StockFacts = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment' | 'deliveryDate'>;

function statusAt(node: unknown, path: string, words: UnknownWords): Availability | null {
  const word = textAt(node, path);
  return word === null ? null : words.note(readAvailability(word));
}

function shippingOf(product: unknown, words: UnknownWords): FulfillmentOption | null {
  const options = at(product, 'fulfillment.shipping_options');
  const status = statusAt(options, 'availability_status', words);
  const isFree = boolAt(product, 'free_shipping.enabled');
  const date =
    listAt(options, 'services', 20)
      .map((service) => dayAt(service, 'min_delivery_date') ?? dayAt(service, 'max_delivery_date'))
      .filter((day) => day !== null)
      .toSorted()[0] ?? null;
  if (status === null && isFree !== true && date === null) return null;
  return {
    available: status?.inStock ?? null,
    costCents: isFree === true ? 0 : null,
    date,
  };
}

/** At any of the shops of the answer: the first where it can be fetched, else the first. */
function pickupOf(product: unknown, words: UnknownWords): FulfillmentOption | null {
  const options = listAt(product, 'fulfillment.store_options', 50)
    .filter((store) => hasObjectAt(store, 'order_pickup'))
    .map((store): FulfillmentOption => {
      const status = statusAt(store, 'order_pickup.availability_status', words);
      const date = dayAt(store, 'order_pickup.pickup_date');
      return { available: status?.inStock ?? null, costCents: null, date };
    });
  const found = options.find(({ available }) => available === true) ?? options[0] ?? null;
  return found !== null && found.available === null && found.date === null ? null : found;
}

function deliveryOf(product: unknown, words: UnknownWords): FulfillmentOption | null {
  const node = at(product, 'fulfillment.scheduled_delivery');
  const status = statusAt(node, 'availability_status', words);
  if (status === null) return null;
  return { available: status.inStock, costCents: null, date: dayAt(node, 'delivery_date') };
}

/**
 * Bought online now: shipped, fetched at a shop or delivered from one. Out of stock only when a way says so
 * and none can be used.
 */
export function stockOf(product: unknown, words: UnknownWords): StockFacts {
  const shipping = shippingOf(product, words);
  const pickup = pickupOf(product, words);
  const delivery = deliveryOf(product, words);
  const ways = [shipping, pickup, delivery].map((way) => way?.available ?? null);
  const isSoldOut = boolAt(product, 'fulfillment.sold_out') === true;
  const knows = ways.some((way) => way !== null) || isSoldOut;
  const inStock = knows ? ways.includes(true) && !isSoldOut : null;
  const fulfillment: Fulfillment | null =
    shipping === null && pickup === null && delivery === null
      ? null
      : { shipping, delivery, pickup };
  const status = statusAt(product, 'fulfillment.shipping_options.availability_status', words);
  return {
    inStock,
    // "Discontinued" ends a listing; "unavailable" leaves it open (vocabularies 2.2).
    unavailable: inStock === true ? false : (status?.unavailable ?? null),
    fulfillment,
    deliveryDate: shipping?.date ?? delivery?.date ?? null,
  };
}
