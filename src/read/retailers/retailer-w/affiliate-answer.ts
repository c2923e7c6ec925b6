// Converts answers of retailer_w's affiliate product API to listings: one item, a lookup's list, a search. Prices are US
// dollars by definition; descriptions are HTML-escaped once, and ratings are strings.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readGtin, readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Fulfillment, Listing, Spec } from '../../../base/listing/listing.ts';
import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import type { FailedVerdict, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import {
  costAt,
  countAt,
  firstLineAt,
  lineAt,
  moneyAt,
  proseAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { titleCondition } from '../../titles/title-condition.ts';
import { isForNow } from '../error-names.ts';
import { readStatus } from '../page-status.ts';
import { retailerWAddressBook } from './address-book.ts';
import { imageAt } from './state-listing.ts';
import { jsonBody } from '../json-body.ts';
import { productAnswer } from '../expected-fields.ts';

const CURRENCY = 'USD';

/**
 * Returns the stock from the words in `stock`; false when `availableOnline` says that only stores have it, and for
 * pre-orders.
 */
function stockOf(
  item: unknown,
  words: UnknownWords,
): { inStock: boolean | null; unavailable: boolean | null } {
  const stock = textAt(item, 'stock');
  const says = stock === null ? null : words.note(readAvailability(stock));
  const isOnline = boolAt(item, 'availableOnline');
  if (says?.inStock === false) return says;
  if (isOnline === false || boolAt(item, 'preOrder') === true) {
    return { inStock: false, unavailable: says?.unavailable ?? null };
  }
  return says ?? { inStock: isOnline, unavailable: isOnline === true ? false : null };
}

function shippingOf(item: unknown, inStock: boolean | null): Fulfillment | null {
  const cost = costAt(item, 'standardShipRate');
  if (cost === null) return null;
  const shipping = { available: inStock, costCents: cost, date: null };
  return { shipping, delivery: null, pickup: null };
}

const SPECS: readonly (readonly [string, string])[] = [
  ['size', 'Size'],
  ['color', 'Color'],
  ['gender', 'Gender'],
];

function specsOf(item: unknown): readonly Spec[] {
  return SPECS.flatMap(([path, name]) => {
    const value = lineAt(item, path, 300);
    return value === null ? [] : [{ name, value }];
  });
}

function sellerOf(item: unknown): Pick<Listing, 'sellerName' | 'sellerType'> {
  const isMarketplace = boolAt(item, 'marketplace');
  return {
    sellerName: lineAt(item, 'sellerInfo', 300),
    sellerType: isMarketplace === null ? null : isMarketplace ? '3p' : '1p',
  };
}

function categoriesOf(item: unknown): readonly string[] {
  const steps = (lineAt(item, 'categoryPath', 1000) ?? '').split('/');
  return steps.map((step) => step.trim()).filter((step) => step !== '');
}

/** Returns the barcode: books have an ISBN instead of a UPC, goods from elsewhere a GTIN. */
function gtinOf(item: unknown): Gtin14 | null {
  const upc = textAt(item, 'upc');
  if (upc !== null) return readGtinWithLostZero(upc.slice(0, 100), 'upc');
  const isbn = textAt(item, 'isbn');
  if (isbn !== null) return readGtin(isbn.slice(0, 100), 'isbn');
  const gtin = textAt(item, 'gtin');
  return gtin === null ? null : readGtin(gtin.slice(0, 100));
}

/** Returns the listing of an API item. */
function listingOfAffiliate(item: unknown, words: UnknownWords): Listing {
  const itemId = textAt(item, 'itemId')?.trim() ?? null;
  const title = lineAt(item, 'name');
  const stock = stockOf(item, words);
  const reviewCount = countAt(item, 'numReviews');
  const rating = starsAt(item, 'customerRating');
  const price = moneyAt(item, 'salePrice', CURRENCY);
  const identifier = { kind: 'item_id', value: itemId ?? '', retailer: 'retailer_w' } as const;
  const url = retailerWAddressBook.productUrl(identifier);
  return {
    ...EMPTY_LISTING,
    ...stock,
    ...sellerOf(item),
    url,
    itemId: url === null ? null : itemId,
    gtin: gtinOf(item),
    title,
    brand: lineAt(item, 'brandName', 300),
    model: lineAt(item, 'modelNumber', 200),
    description: proseAt(item, 'longDescription') ?? proseAt(item, 'shortDescription'),
    imageUrl:
      imageAt(item, 'largeImage') ??
      imageAt(item, 'imageEntities.0.largeImage') ??
      imageAt(item, 'mediumImage') ??
      imageAt(item, 'thumbnailImage'),
    categories: categoriesOf(item),
    specs: specsOf(item),
    price,
    listPrice: namedListPriceOf(price, [moneyAt(item, 'msrp', CURRENCY)]),
    secondaryOfferPrice: moneyAt(item, 'bestMarketplacePrice.price', CURRENCY),
    condition: titleCondition(title),
    rating: reviewCount === 0 ? null : rating,
    reviewCount,
    fulfillment: shippingOf(item, stock.inStock),
    variantId: listAt(item, 'variants', 1).length > 0 ? itemId : null,
  };
}

/** Returns the text of `{"errors": [{code, message}]}`; null without an error. */
function complaintOf(root: unknown): string | null {
  const errors = listAt(root, 'errors', 20);
  if (errors.length === 0) return null;
  return firstLineAt(errors[0], ['message', 'code'])?.slice(0, 200) ?? 'an error';
}

/** Returns the verdict for errors: not found, or a request that the API could not serve. */
function readErrors(root: unknown): FailedVerdict | null {
  const said = complaintOf(root);
  if (said === null) return null;
  const isGone =
    /not found|no (?:items?|results?|product)|invalid item|not available/i.test(said) &&
    !/\b(?:service|system|server)\b/i.test(said) &&
    !isForNow(said);
  return { kind: isGone ? 'not_found' : 'retry', why: `the affiliate API says: ${said}` };
}

/** Returns the verdict for an answer that has no facts; null for any other. */
export function readAffiliateFailure(page: Page, root: unknown): FailedVerdict | null {
  return readStatus(page) ?? readErrors(root);
}

/** Returns the items of any API answer, or the verdict that replaces them. */
function itemsOf(page: Page): readonly unknown[] | FailedVerdict {
  const root = jsonBody(page);
  const early = readAffiliateFailure(page, root);
  if (early !== null) return early;
  if (Array.isArray(at(root, 'items'))) return listAt(root, 'items', 100);
  if (textAt(root, 'itemId') !== null) return [root];
  // Recorded answers may be plain lists; a search without hits has no list.
  if (textAt(root, '0.itemId') !== null) return listAt(root, '', 100);
  if (countAt(root, 'totalResults') === 0) return [];
  return { kind: 'unreadable', why: 'no items in the answer' };
}

function isVerdict(found: readonly unknown[] | FailedVerdict): found is FailedVerdict {
  return !Array.isArray(found);
}

/** Reads a lookup by id or barcode: the first item with a name. */
export function readAffiliateItem(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const items = itemsOf(page);
  if (isVerdict(items)) return items;
  const listings = items
    .filter((item) => hasObjectAt(item))
    .map((item) => listingOfAffiliate(item, words));
  const listing = listings.find(({ title }) => title !== null);
  if (listing === undefined) {
    return listings.length === 0
      ? { kind: 'not_found', why: 'the affiliate API has no such item' }
      : { kind: 'unreadable', why: 'an item without a name' };
  }
  const remarks = items.length > 1 ? [`the first of ${items.length} items`] : [];
  return productAnswer(listing, remarks);
}

/** Reads a keyword search. */
export function readAffiliateSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const items = itemsOf(page);
  if (isVerdict(items)) return items;
  const hits = items
    .map((item) => listingOfAffiliate(item, words))
    .filter(({ title }) => title !== null);
  const total = countAt(jsonBody(page), 'totalResults');
  const value: RetailerAnswer = { kind: 'search', hits, total };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
