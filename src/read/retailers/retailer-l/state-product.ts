// Converts a product in retailer_l's state to a listing: `productDetails[<id>]` of a page or of the older JSON answer, or
// an entry of a search's `itemList`. Three price layouts are known; the newest comes first.

import { readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { hazmatCode } from '../../../base/listing/vocabularies/hazmat.ts';
import { readWeightLbs } from '../../../base/listing/measures/measure.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { currencyOf, readAmount } from '../../../base/listing/money/money.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import { at, boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import {
  addressAt,
  countAt,
  firstLineAt,
  lineAt,
  moneyAt,
  proseAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { measuresIn } from '../../page-data/specifications.ts';
import { RETAILER_L_IMAGES, RETAILER_L_ORIGIN, retailerLAddressBook } from './address-book.ts';
import { stockOf } from './stock.ts';

const SPEC_LIMIT = 200;
const DESCRIPTION_LENGTH = 20_000;
/** The US site states a currency only in the newest layout; its host implies it (D26). */
const CURRENCY = 'USD';

/** Paths of the current and former price, newest layout first. */
const PRICES: readonly (readonly [price: string, was: string])[] = [
  ['mfePrice.price.additionalData.sellingPrice', 'mfePrice.price.additionalData.retailPrice'],
  ['mfePrice.price.sellingPrice', 'mfePrice.price.retailPrice'],
  ['location.price.pricingDataList.0.finalPrice', 'location.price.pricingDataList.0.retailPrice'],
  ['location.price.sellingPrice', 'location.price.retailPrice'],
  ['price.itemPrice', 'price.wasPrice'],
  ['price.analyticsData.sellingPrice', 'price.analyticsData.retailPrice'],
];

/** Whether the value at the path of a product is a product. */
export function isStateProduct(entry: unknown): boolean {
  return firstLineAt(entry, ['product.title', 'product.description']) !== null;
}

/** Returns the price in `displayPrice`: "11" dollars and "77" cents. */
function displayedPrice(entry: unknown): number | null {
  const dollars = textAt(entry, 'price.displayPrice.dollar')?.trim() ?? '';
  const cents = textAt(entry, 'price.displayPrice.cent')?.trim() ?? '';
  if (!/^[\d,]{1,9}$/.test(dollars) || !/^\d{2}$/.test(cents)) return null;
  return readAmount(`${dollars}.${cents}`, { currency: CURRENCY });
}

/** Paths of the message that a price lower than the stated one is only shown in the cart. */
const CART_MESSAGES = [
  'mfePrice.price.mapPriceMessage',
  'location.price.mapPriceMessage',
  'price.mapPriceMessage',
] as const;

/**
 * Whether the state's amount is only the lowest price that the maker allows the shop to advertise. No buyer pays it ("View
 * Lower Price In Cart").
 */
export function hidesPrice(entry: unknown): boolean {
  return CART_MESSAGES.some((path) =>
    /\bprice in (?:your )?cart\b/i.test((textAt(entry, path) ?? '').slice(0, 200)),
  );
}

function pricesOf(entry: unknown): Pick<Listing, 'price' | 'listPrice'> {
  if (hidesPrice(entry)) return { price: null, listPrice: null };
  const named = textAt(entry, 'mfePrice.price.currency')?.slice(0, 20);
  for (const [path, wasPath] of PRICES) {
    const isNewest = path.startsWith('mfePrice');
    const currency = isNewest && named !== undefined ? currencyOf(named, CURRENCY) : CURRENCY;
    const price = moneyAt(entry, path, currency);
    if (price === null) continue;
    const was = moneyAt(entry, wasPath, currency) ?? moneyAt(entry, 'price.wasPrice', currency);
    return { price, listPrice: listPriceOf(price, [was]) };
  }
  const cents = displayedPrice(entry);
  return { price: cents === null ? null : { cents, currency: CURRENCY }, listPrice: null };
}

function specsOf(product: unknown): readonly Spec[] {
  const specs = new Map<string, Spec>();
  for (const entry of listAt(product, 'specs')) {
    const name = lineAt(entry, 'key', 200);
    const value = lineAt(entry, 'value', 2000);
    if (name === null || value === null || specs.has(name) || specs.size >= SPEC_LIMIT) continue;
    specs.set(name, { name, value });
  }
  return [...specs.values()];
}

/** Returns the largest image; relative addresses belong to the image host. */
function imageOf(product: unknown): string | null {
  const images = listAt(product, 'imageUrls', 50);
  for (const size of ['xl', 'lg', 'baseUrl', 'md', 'sm']) {
    const image = images.find((each) => textAt(each, 'key') === size);
    const url = addressAt(image, 'value', RETAILER_L_IMAGES);
    if (url !== null) return url;
  }
  return addressAt(product, 'imageUrl', RETAILER_L_IMAGES);
}

function descriptionOf(product: unknown): string | null {
  const bullets = listAt(product, 'marketingBullets', 50).map((bullet) =>
    proseAt(bullet, 'value', 1000),
  );
  const parts = [proseAt(product, 'romanceCopy'), ...bullets].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ').slice(0, DESCRIPTION_LENGTH);
}

/** Returns the rating in the product, otherwise in the state. */
function ratingOf(
  product: unknown,
  state: unknown,
  itemId: string | null,
): Pick<Listing, 'rating' | 'reviewCount'> {
  const other = itemId === null ? undefined : at(at(state, 'ratings'), itemId);
  const source = textAt(product, 'rating') === null ? other : product;
  const reviewCount = countAt(source, 'reviewCount');
  return { rating: reviewCount === 0 ? null : starsAt(source, 'rating'), reviewCount };
}

function itemIdOf(product: unknown, key: string | null): string | null {
  for (const id of [textAt(product, 'omniItemId'), textAt(product, 'productId'), key]) {
    const value = (id ?? '').trim();
    if (/^\d{7,10}$/.test(value)) return value;
  }
  return null;
}

/** Returns the stated product address, otherwise the canonical one for the id. */
function urlOf(product: unknown, itemId: string | null): string | null {
  const stated = addressAt(product, 'pdURL', RETAILER_L_ORIGIN);
  if (stated !== null && retailerLAddressBook.reduce(new URL(stated)) !== null) return stated;
  if (itemId === null) return null;
  const slug = 'retailer_l';
  return retailerLAddressBook.productUrl({ kind: 'retailer_item', value: itemId, retailer: slug });
}

function hazmatOf(product: unknown, words: UnknownWords): boolean | null {
  const flag = boolAt(product, 'hazmatCode');
  const code = textAt(product, 'hazmatCode');
  return flag ?? (code === null ? null : words.note(hazmatCode(code)));
}

/** An entry of the state, with the surrounding state. */
export type StateEntry = {
  readonly entry: unknown;
  /** The item id used as its key. */
  readonly key: string | null;
  /** The whole state: older answers have inventory and ratings outside of the product. */
  readonly state: unknown;
};

/** Returns the listing of an entry. */
export function stateListing({ entry, key, state }: StateEntry, words: UnknownWords): Listing {
  const product = at(entry, 'product');
  const itemId = itemIdOf(product, key);
  const specs = specsOf(product);
  const measures = measuresIn(specs);
  const weight = lineAt(product, 'weight', 40);
  return {
    ...EMPTY_LISTING,
    url: urlOf(product, itemId),
    itemId,
    gtin: readGtinWithLostZero(textAt(product, 'barcode') ?? '', 'upc'),
    sku: lineAt(product, 'itemNumber', 100),
    model: lineAt(product, 'modelId', 200),
    title: firstLineAt(product, ['title', 'description']),
    brand: firstLineAt(product, ['brand', 'brandName']),
    description: descriptionOf(product),
    imageUrl: imageOf(product),
    specs,
    ...pricesOf(entry),
    ...stockOf(entry, hasObjectAt(state) ? state : null, words),
    ...ratingOf(product, state, itemId),
    ...measures,
    weightLbs: (weight === null ? null : readWeightLbs(weight, 'lb')) ?? measures.weightLbs,
    packCount: statedPackCount(specs),
    hazmat: hazmatOf(product, words),
  };
}
