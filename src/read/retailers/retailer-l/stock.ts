// Reads stock from retailer_l's state: by fulfilment (parcel, truck, pickup), by quantity, and by product flags. All of it
// is for one store.

import type { Fulfillment, FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import {
  at,
  boolAt,
  hasObjectAt,
  listAt,
  numberAt,
  textAt,
} from '../../page-data/json/json-path.ts';

type Stock = Pick<Listing, 'inStock' | 'unavailable' | 'fulfillment'>;
type FulfillmentKind = keyof Fulfillment;

/** Names of the three kinds of fulfilment, in product states and in lists. */
const KINDS: readonly (readonly [FulfillmentKind, RegExp])[] = [
  ['shipping', /^parcel/i],
  ['delivery', /^(?:truck|delivery)/i],
  ['pickup', /^(?:pickup|store pickup)/i],
];

/** Returns a boolean, also from a letter or word ("Y", "NO"). */
function flagAt(value: unknown, path: string): boolean | null {
  const flag = boolAt(value, path);
  if (flag !== null) return flag;
  const letter = (textAt(value, path) ?? '').trim().toUpperCase();
  if (letter === 'Y' || letter === 'YES') return true;
  return letter === 'N' || letter === 'NO' ? false : null;
}

function isAvailable(option: unknown, words: UnknownWords): boolean | null {
  const stated = flagAt(option, 'isAvlSts');
  if (stated !== null) return stated;
  const status = textAt(option, 'availabilityStatus');
  const read = status === null ? null : (words.note(readAvailability(status))?.inStock ?? null);
  if (read !== null) return read;
  const quantity = numberAt(option, 'availableQuantity') ?? numberAt(option, 'onhandQty');
  return quantity === null ? null : quantity > 0;
}

function optionOf(option: unknown, words: UnknownWords): FulfillmentOption | null {
  const available = isAvailable(option, words);
  return available === null ? null : { available, costCents: null, date: null };
}

/** Returns the fulfilment in the inventory of a product state or list entry. */
function fulfillmentOf(inventory: unknown, words: UnknownWords): Fulfillment | null {
  const found: { -readonly [K in FulfillmentKind]: FulfillmentOption | null } = {
    shipping: null,
    delivery: null,
    pickup: null,
  };
  for (const [kind, name] of KINDS) {
    const byName = ['parcel', 'truck', 'pickup'].find((each) => name.test(each));
    const listed = listAt(inventory, 'itemAvailList', 20).find((entry) =>
      name.test(textAt(entry, 'fullMtdMsg') ?? textAt(entry, 'deliveryMethodName') ?? ''),
    );
    found[kind] =
      optionOf(at(inventory, `analyticsData.${byName ?? ''}`), words) ?? optionOf(listed, words);
  }
  return Object.values(found).some((option) => option !== null) ? found : null;
}

/** Statuses of an ended listing. */
const ENDED = /^(?:discontinued|archived|obsolete|deleted|inactive|expired)$/i;

function isGone(product: unknown): boolean {
  if (flagAt(product, 'isArchived') === true || flagAt(product, 'isPublished') === false)
    return true;
  return ENDED.test((textAt(product, 'status') ?? '').trim());
}

/** Returns the stock of an entry of `productDetails`; in older answers the inventory is in `state`. */
export function stockOf(entry: unknown, state: unknown, words: UnknownWords): Stock {
  const product = at(entry, 'product');
  const inventories = [
    at(entry, 'itemInventory'),
    at(entry, 'location.itemInventory'),
    at(entry, 'product.itemInventory'),
    at(state, 'inventory'),
  ];
  const inventory = inventories.find((each) => hasObjectAt(each));
  const fulfillment = fulfillmentOf(inventory, words);
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
