// What retailer_h's gateway says of stock and of the ways to get a product: at the store, to the door, with what
// charge and on which day. Shapes as the gateway answers them; Apollo state has the same.

import type { Fulfillment, FulfillmentOption, Listing } from '../../listing/listing.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json-path.ts';
import { costAt, dayAt } from '../../page-data/json-values.ts';

type Stock = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment' | 'deliveryDate'>;

/** Services that a parcel carrier brings; the others come by truck or from the store. */
const PARCEL = new Set(['sth', 'ship to home']);
const TO_STORE = new Set(['bopis', 'boss']);

function serviceType(service: unknown): string {
  return (textAt(service, 'type') ?? '').toLowerCase().slice(0, 40);
}

/** False where every location that tells its stock says that it has none. */
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
    // A day is promised only where the way is open.
    date: available !== true ? null : dayAt(service, 'deliveryDates.startDate'),
  };
}

function waysOf(options: readonly unknown[]): Fulfillment | null {
  const ways: { -readonly [K in keyof Fulfillment]: Fulfillment[K] } = {
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
      ways.pickup ??= optionOf(available, service);
    } else if (type === 'delivery') {
      const parcel = services.find((each) => PARCEL.has(serviceType(each)));
      const truck = services.find((each) => !PARCEL.has(serviceType(each)));
      if (parcel !== undefined) ways.shipping ??= optionOf(available, parcel);
      if (truck !== undefined) ways.delivery ??= optionOf(available, truck);
      if (services.length === 0) ways.delivery ??= optionOf(available, undefined);
    }
  }
  return Object.values(ways).some((way) => way !== null) ? ways : null;
}

function earliest(ways: Fulfillment | null): string | null {
  const days = [ways?.shipping?.date, ways?.delivery?.date].filter(
    (day) => typeof day === 'string',
  );
  return days.toSorted()[0] ?? null;
}

/** In stock: it can be bought and one way to get it is open (vocabularies 2.2); unknown ways are null. */
export function stockOf(product: unknown): Stock {
  const buyable = boolAt(product, 'availabilityType.buyable');
  const discontinued = boolAt(product, 'availabilityType.discontinued');
  const backordered = boolAt(product, 'fulfillment.backordered');
  const told = at(product, 'fulfillment.fulfillmentOptions');
  const options = listAt(told, '', 20);
  const fulfillment = waysOf(options);
  const open = options.map(isOpen).filter((value) => value !== null);
  const isBuyable = buyable !== false && backordered !== true;
  let inStock: boolean | null = null;
  if (!isBuyable) inStock = false;
  else if (Array.isArray(told)) inStock = open.length > 0 ? open.includes(true) : null;
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
