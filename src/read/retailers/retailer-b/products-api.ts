// Converts answers of retailer_b's Products API, one product or a query result, to a listing or search hits. Prices are US
// dollars: the API has no other currency and states none.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Dimensions, Fulfillment, Listing } from '../../../base/listing/listing.ts';
import { readLengthIn, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { ranksOf } from '../../../base/listing/vocabularies/sales-rank.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import {
  addressAt,
  costAt,
  countAt,
  firstLineAt,
  lineAt,
  moneyAt,
  proseAt,
  specsAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { isProductId, isSku, pageUrl } from './address-book.ts';
import { apiAnswer } from './api-answer.ts';
import { conditionWith } from './title-words.ts';
import { productAnswer } from '../expected-fields.ts';

/** The catalog root, the first category of every path. */
const ROOT_CATEGORY = 'cat00000';

/** `condition` and `preowned` are the condition; `new` means recently released. */
function conditionOf(
  product: unknown,
  title: string | null,
  words: UnknownWords,
): Condition | null {
  const word = lineAt(product, 'condition', 60);
  const stated = word === null ? null : words.note(readCondition(word));
  const used = stated === null && boolAt(product, 'preowned') === true ? 'used_good' : stated;
  return conditionWith(used, title);
}

type Stock = Pick<Listing, 'inStock' | 'unavailable'>;

/** Stock means currently sold online, not pre-orders; a product that left the catalog is gone (D24). */
function stockOf(product: unknown, words: UnknownWords): Stock {
  if (boolAt(product, 'active') === false) return { inStock: false, unavailable: true };
  const word = lineAt(product, 'orderable', 60);
  const orderable = word === null ? null : words.note(readAvailability(word));
  if (orderable?.unavailable === true) return { inStock: false, unavailable: true };
  const online = boolAt(product, 'onlineAvailability');
  const inStock = online === true ? orderable?.inStock !== false : online;
  return {
    inStock: inStock ?? orderable?.inStock ?? null,
    unavailable: inStock === null ? null : false,
  };
}

/** Returns shipping and pickup; `freeShipping` only refers to the cheapest shipping. */
function fulfillmentOf(product: unknown): Fulfillment | null {
  const online = boolAt(product, 'onlineAvailability');
  const pickup = boolAt(product, 'inStorePickup');
  if (online === null && pickup === null) return null;
  const isFree = boolAt(product, 'freeShipping') === true;
  const costCents = isFree ? 0 : costAt(product, 'shippingCost');
  return {
    shipping: online === null ? null : { available: online, costCents, date: null },
    delivery: null,
    pickup: pickup === null ? null : { available: pickup, costCents: null, date: null },
  };
}

function dimensionsOf(product: unknown): Dimensions | null {
  const side = (name: string): number | null => {
    const text = textAt(product, name);
    return text === null ? null : readLengthIn(text.slice(0, 100));
  };
  const [heightIn, widthIn, lengthIn] = [side('height'), side('width'), side('depth')] as const;
  if (heightIn === null && widthIn === null && lengthIn === null) return null;
  return { heightIn, widthIn, lengthIn };
}

function weightOf(product: unknown, name: string, unit: string | null): number | null {
  const text = textAt(product, name);
  return text === null ? null : readWeightLbs(text.slice(0, 100), unit);
}

function identityOf(product: unknown): Partial<Listing> {
  const sku = textAt(product, 'sku')?.trim() ?? '';
  const id = (textAt(product, 'productId') ?? '').trim().toUpperCase();
  const itemId = isSku(sku) ? sku : null;
  const productId = isProductId(id) ? id : null;
  const code = textAt(product, 'upc');
  return {
    url: pageUrl(itemId, productId),
    itemId,
    productId,
    gtin: code === null ? null : readGtin(code, 'upc'),
    title: lineAt(product, 'name'),
    brand: lineAt(product, 'manufacturer', 300),
    model: lineAt(product, 'modelNumber', 200),
    imageUrl: addressAt(product, 'largeImage') ?? addressAt(product, 'image'),
    description:
      proseAt(product, 'longDescription') ??
      proseAt(product, 'description') ??
      proseAt(product, 'shortDescription'),
    categories: listAt(product, 'categoryPath', 30)
      .filter((entry) => at(entry, 'id') !== ROOT_CATEGORY)
      .map((entry) => lineAt(entry, 'name', 200))
      .filter((name) => name !== null),
  };
}

/** Returns the listing of an API product. */
function productListing(product: unknown, words: UnknownWords): Listing {
  const identity = identityOf(product);
  const price = moneyAt(product, 'salePrice', 'USD') ?? moneyAt(product, 'regularPrice', 'USD');
  const regular = moneyAt(product, 'regularPrice', 'USD');
  const specs = specsAt(product, 'details');
  const isThirdParty = boolAt(product, 'marketplace') === true;
  return {
    ...EMPTY_LISTING,
    ...identity,
    ...stockOf(product, words),
    price,
    listPrice: listPriceOf(price, [regular]),
    condition: conditionOf(product, identity.title ?? null, words),
    rating: starsAt(product, 'customerReviewAverage'),
    reviewCount: countAt(product, 'customerReviewCount'),
    sellerName: isThirdParty ? firstLineAt(product, ['seller.name', 'sellerName']) : null,
    sellerId: isThirdParty ? lineAt(product, 'sellerId', 100) : null,
    sellerType: isThirdParty ? '3p' : '1p',
    fulfillment: fulfillmentOf(product),
    specs,
    weightAssembledLbs: weightOf(product, 'weight', null),
    weightPackageLbs: weightOf(product, 'shippingWeight', 'lb'),
    dimensionsAssembled: dimensionsOf(product),
    // The answer does not state the category of the rank.
    salesRank: ranksOf([[null, numberAt(product, 'bestSellingRank')]]),
    packCount: statedPackCount(specs, ['quantity']),
  };
}

/** Returns products still sold first, because hits are checked in this order. */
function hitsOf(products: readonly unknown[], words: UnknownWords): readonly Listing[] {
  const rank = ({ unavailable, condition, inStock }: Listing): number =>
    Number(unavailable === true) * 4 + Number(condition !== 'new') * 2 + Number(inStock !== true);
  return products
    .map((product) => productListing(product, words))
    .filter(({ title }) => title !== null)
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Reads a product, or the answer to a query: a single hit as a product, several as a search. */
export function readProducts(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = apiAnswer(page);
  if (!answer.ok) return answer.verdict;
  const { body } = answer;
  if (!Array.isArray(at(body, 'products'))) {
    const listing = productListing(body, words);
    return listing.title === null || listing.itemId === null
      ? { kind: 'unreadable', why: 'no product in the response' }
      : productAnswer(listing);
  }
  const hits = hitsOf(listAt(body, 'products', 100), words);
  const total = countAt(body, 'total');
  const [only] = hits;
  if (only === undefined) {
    return listAt(body, 'products').length > 0
      ? { kind: 'unreadable', why: 'products without names' }
      : { kind: 'not_found', why: 'the catalog has no such product' };
  }
  if (hits.length === 1 && (total ?? 1) <= 1 && only.itemId !== null) return productAnswer(only);
  return {
    kind: 'read',
    value: { kind: 'search', hits, total },
    notes: { missing: [], remarks: [] },
  };
}
