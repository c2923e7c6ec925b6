// What retailer_l's state says of stock: by way of getting the product (parcel, truck, pickup), by quantity, and
// by the flags of the product itself. All of it is as one store sees it.

import type { Fulfillment, FulfillmentOption, Listing } from '../../listing/listing.ts';
import { readAvailability } from '../../listing/availability.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import { at, boolAt, hasObjectAt, listAt, numberAt, textAt } from '../../page-data/json-path.ts';

type Stock = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment'>;
type Way = keyof Fulfillment;

/** Names under which the three ways stand, in product states and in lists. */
const WAYS: readonly (readonly [Way, RegExp])[] = [
  ['shipping', /^parcel/i],
  ['delivery', /^(?:truck|delivery)/i],
  ['pickup', /^(?:pickup|store pickup)/i],
];

/** Yes and no as flags and letters ("Y", "N"). */
export function flagAt(value: unknown, path: string): boolean | null {
  const flag = boolAt(value, path);
  if (flag !== null) return flag;
  const letter = (textAt(value, path) ?? '').trim().toUpperCase();
  if (letter === 'Y' || letter === 'YES') return true;
  return letter === 'N' || letter === 'NO' ? false : null;
}

function isOpen(way: unknown, words: UnknownWords): boolean | null {
  const stated = flagAt(way, 'isAvlSts');
  if (stated !== null) return stated;
  const status = textAt(way, 'availabilityStatus');
  const read = status === null ? null : (words.note(readAvailability(status))?.inStock ?? null);
  if (read !== null) return read;
  const quantity = numberAt(way, 'availableQuantity') ?? numberAt(way, 'onhandQty');
  return quantity === null ? null : quantity > 0;
}

function optionOf(way: unknown, words: UnknownWords): FulfillmentOption | null {
  const available = isOpen(way, words);
  return available === null ? null : { available, costCents: null, date: null };
}

/** The inventory of a product state, or of an entry of a list. */
function waysOf(inventory: unknown, words: UnknownWords): Fulfillment | null {
  const found: { -readonly [K in Way]: FulfillmentOption | null } = {
    shipping: null,
    delivery: null,
    pickup: null,
  };
  for (const [way, name] of WAYS) {
    const byName = ['parcel', 'truck', 'pickup'].find((each) => name.test(each));
    const listed = listAt(inventory, 'itemAvailList', 20).find((entry) =>
      name.test(textAt(entry, 'fullMtdMsg') ?? textAt(entry, 'deliveryMethodName') ?? ''),
    );
    found[way] =
      optionOf(at(inventory, `analyticsData.${byName ?? ''}`), words) ?? optionOf(listed, words);
  }
  return Object.values(found).some((option) => option !== null) ? found : null;
}

/** Words of a status with which a listing has ended. */
const ENDED = /^(?:discontinued|archived|obsolete|deleted|inactive|expired)$/i;

function isGone(product: unknown): boolean {
  if (flagAt(product, 'isArchived') === true || flagAt(product, 'isPublished') === false)
    return true;
  return ENDED.test((textAt(product, 'status') ?? '').trim());
}

/** Stock of one entry of `productDetails`; `state` holds the inventory on older answers. */
export function stockOf(entry: unknown, state: unknown, words: UnknownWords): Stock {
  const product = at(entry, 'product');
  const inventories = [
    at(entry, 'itemInventory'),
    at(entry, 'location.itemInventory'),
    at(entry, 'product.itemInventory'),
    at(state, 'inventory'),
  ];
  const inventory = inventories.find((each) => hasObjectAt(each));
  const fulfillment = waysOf(inventory, words);
  const known = Object.values(fulfillment ?? {})
    .map((option: FulfillmentOption | null) => option?.available ?? null)
    .filter((value) => value !== null);
  const quantity = numberAt(inventory, 'totalAvailableQty');
  const isOut = flagAt(product, 'isOOS');
  let inStock: boolean | null = null;
  if (known.length > 0) inStock = known.includes(true) || (quantity ?? 0) > 0;
  else if (quantity !== null) inStock = quantity > 0;
  else if (isOut !== null) inStock = !isOut;
  const isGoneNow = isGone(product);
  const isRefused =
    flagAt(product, 'isBuyable') === false || flagAt(product, 'isNotAvailable') === true;
  if (isGoneNow || isRefused) inStock = false;
  return {
    inStock,
    unavailable: isGoneNow ? true : inStock === null ? null : false,
    fulfillment,
  };
}
