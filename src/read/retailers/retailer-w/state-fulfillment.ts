// Reads fulfilment in both layouts of retailer_w's state: an option node per kind (from 2021), or one list of options with
// their speed (newer). Costs are in cents, dates as written.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { Fulfillment, FulfillmentOption } from '../../../base/listing/listing.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { costAt, dayAt } from '../../page-data/json/json-values.ts';

function availableIn(option: unknown, words: UnknownWords): boolean | null {
  const status = textAt(option, 'availabilityStatus');
  return status === null ? null : (words.note(readAvailability(status))?.inStock ?? null);
}

/**
 * Returns the shipping cost of an option node in cents. A node without a price means free shipping, from a minimum order; a
 * missing node means unknown.
 */
export function shippingCents(option: unknown, words: UnknownWords): number | null {
  if (!hasObjectAt(option)) return null;
  const stated = costAt(option, 'shipPrice.price') ?? costAt(option, 'shipPrice.priceString');
  if (stated !== null) return stated;
  return availableIn(option, words) === false || hasObjectAt(option, 'shipPrice') ? null : 0;
}

/** Returns the option in a node: `shippingOption`, `pickupOption`, `deliveryOption`. */
function ofNode(
  option: unknown,
  isShipping: boolean,
  words: UnknownWords,
): FulfillmentOption | null {
  if (!hasObjectAt(option)) return null;
  const available = availableIn(option, words);
  const date = dayAt(option, 'deliveryDate') ?? dayAt(option, 'pickupDate');
  const cost = isShipping ? shippingCents(option, words) : costAt(option, 'shipPrice.price');
  if (available === null && date === null && (cost === null || cost === 0)) return null;
  return { available, costCents: cost, date };
}

function ofEntry(entry: unknown, words: UnknownWords): FulfillmentOption {
  const speed = at(entry, 'speedDetails');
  const stated =
    costAt(speed, 'fulfillmentPrice.price') ?? costAt(speed, 'fulfillmentPrice.priceString');
  return {
    available: availableIn(entry, words),
    costCents: boolAt(speed, 'freeFulfillment') === true ? 0 : stated,
    date: dayAt(speed, 'deliveryDate') ?? dayAt(entry, 'deliveryDate'),
  };
}

/** Returns the option in the list: the first available entry of a kind, otherwise its first entry. */
function ofList(product: unknown, type: string, words: UnknownWords): FulfillmentOption | null {
  const entries = listAt(product, 'fulfillmentOptions', 50)
    .filter((entry) => textAt(entry, 'type')?.toUpperCase() === type)
    .map((entry) => ofEntry(entry, words));
  return entries.find((entry) => entry.available === true) ?? entries[0] ?? null;
}

/** Returns shipping, pickup and delivery; null when the state has none of them. */
export function fulfillmentOf(product: unknown, words: UnknownWords): Fulfillment | null {
  const wayOf = (type: string, name: string): FulfillmentOption | null =>
    ofList(product, type, words) ?? ofNode(at(product, name), type === 'SHIPPING', words);
  const shipping = wayOf('SHIPPING', 'shippingOption');
  const delivery = wayOf('DELIVERY', 'deliveryOption');
  const pickup = wayOf('PICKUP', 'pickupOption');
  if (shipping === null && delivery === null && pickup === null) return null;
  return { shipping, delivery, pickup };
}

/** Returns the day of arrival by shipping, otherwise by delivery from a store. */
export function deliveryDateOf(fulfillment: Fulfillment | null): string | null {
  return fulfillment?.shipping?.date ?? fulfillment?.delivery?.date ?? null;
}
