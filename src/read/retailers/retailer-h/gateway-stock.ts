// Reads stock and fulfilment of a product in retailer_h's gateway: pickup at the store and delivery, with charge and day.
// Apollo state has the same shapes.

import type { Fulfillment, FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { costAt, dayAt } from '../../page-data/json/json-values.ts';

type Stock = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment' | 'deliveryDate'>;

/** Services of a parcel carrier; others are by truck or from the store. */
const PARCEL = new Set(['sth', 'ship to home']);
const TO_STORE = new Set(['bopis', 'boss']);

function serviceType(service: unknown): string {
  return (textAt(service, 'type') ?? '').toLowerCase().slice(0, 40);
}

/** Returns false when every location that states its stock has none. */
function hasStock(services: readonly unknown[]): boolean {
  const known = services
    .flatMap((service) => listAt(service, 'locations', 50))
    .map((location) => {
      const isOut = boolAt(location, 'inventory.isOutOfStock');
      return isOut === true ? false : (boolAt(location, 'inventory.isInStock') ?? null);
    })
    .filter((value) => value !== null);
  return known.length === 0 || known.includes(true);
}

function isOpen(option: unknown): boolean | null {
  const fulfillable = boolAt(option, 'fulfillable');
  return fulfillable === true ? hasStock(listAt(option, 'services', 20)) : fulfillable;
}

function optionOf(available: boolean | null, service: unknown): FulfillmentOption {
  const free = boolAt(service, 'hasFreeShipping') === true;
  const cost = costAt(service, 'totalCharge') ?? costAt(service, 'deliveryCharge');
  return {
    available,
    costCents: free ? 0 : cost,
    // A day is promised only for an available service.
    date: available !== true ? null : dayAt(service, 'deliveryDates.startDate'),
  };
}

function waysOf(options: readonly unknown[]): Fulfillment | null {
  const fulfillment: { -readonly [K in keyof Fulfillment]: Fulfillment[K] } = {
    shipping: null,
    delivery: null,
    pickup: null,
  };
  for (const option of options) {
    const type = (textAt(option, 'type') ?? '').toLowerCase();
    const available = isOpen(option);
    const services = listAt(option, 'services', 20);
    if (type === 'pickup') {
      const service = services.find((each) => TO_STORE.has(serviceType(each))) ?? services[0];
      fulfillment.pickup ??= optionOf(available, service);
    } else if (type === 'delivery') {
      const parcel = services.find((each) => PARCEL.has(serviceType(each)));
      const truck = services.find((each) => !PARCEL.has(serviceType(each)));
      if (parcel !== undefined) fulfillment.shipping ??= optionOf(available, parcel);
      if (truck !== undefined) fulfillment.delivery ??= optionOf(available, truck);
      if (services.length === 0) fulfillment.delivery ??= optionOf(available, undefined);
    }
  }
  return Object.values(fulfillment).some((option) => option !== null) ? fulfillment : null;
}

function earliest(fulfillment: Fulfillment | null): string | null {
  const days = [fulfillment?.shipping?.date, fulfillment?.delivery?.date].filter(
    (day) => typeof day === 'string',
  );
  return days.toSorted()[0] ?? null;
}

/** Returns in stock when the product can be bought and one service is available; null when all services are unknown. */
export function stockOf(product: unknown): Stock {
  const buyable = boolAt(product, 'availabilityType.buyable');
  const discontinued = boolAt(product, 'availabilityType.discontinued');
  const backordered = boolAt(product, 'fulfillment.backordered');
  const fulfillmentOptions = at(product, 'fulfillment.fulfillmentOptions');
  const options = listAt(fulfillmentOptions, '', 20);
  const fulfillment = waysOf(options);
  const open = options.map(isOpen).filter((value) => value !== null);
  const isBuyable = buyable !== false && backordered !== true;
  let inStock: boolean | null = null;
  if (!isBuyable) inStock = false;
  else if (Array.isArray(fulfillmentOptions))
    inStock = open.length > 0 ? open.includes(true) : null;
  if (discontinued === true && inStock !== true) inStock = false;
  const isGone = discontinued === true && inStock !== true;
  const isKnown = inStock !== null || discontinued === false;
  return {
    inStock,
    unavailable: isGone ? true : isKnown ? false : null,
    fulfillment,
    deliveryDate: earliest(fulfillment),
  };
}
