// Reads stock and delivery from retailer_t's `fulfillment` node. `sold_out` alone is not reliable: in a recorded answer it
// is false for a product that cannot be bought. The statuses of the fulfilment options are reliable.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { Availability } from '../../../base/listing/vocabularies/availability.ts';
import type { Fulfillment, FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { dayAt } from '../../page-data/json/json-values.ts';

type StockFacts = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment' | 'deliveryDate'>;

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

/** Returns pickup at the stores in the answer: the first with pickup, otherwise the first. */
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
 * Returns in stock when shipping, pickup or delivery is available. Out of stock only when at least one states that it is
 * not available and none is available.
 */
export function stockOf(product: unknown, words: UnknownWords): StockFacts {
  const shipping = shippingOf(product, words);
  const pickup = pickupOf(product, words);
  const delivery = deliveryOf(product, words);
  const options = [shipping, pickup, delivery].map((option) => option?.available ?? null);
  const isSoldOut = boolAt(product, 'fulfillment.sold_out') === true;
  const isStated = options.some((available) => available !== null) || isSoldOut;
  const inStock = isStated ? options.includes(true) && !isSoldOut : null;
  const fulfillment: Fulfillment | null =
    shipping === null && pickup === null && delivery === null
      ? null
      : { shipping, delivery, pickup };
  const status = statusAt(product, 'fulfillment.shipping_options.availability_status', words);
  return {
    inStock,
    // "Discontinued" means that the listing has ended; "unavailable" does not.
    unavailable: inStock === true ? false : (status?.unavailable ?? null),
    fulfillment,
    deliveryDate: shipping?.date ?? delivery?.date ?? null,
  };
}
