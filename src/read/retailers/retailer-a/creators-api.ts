// Reads answers of retailer_a's Creators API (official, for partners). It treats a barcode like any other word, so a hit is
// only confirmed when its own codes contain the barcode.

import { listPriceOf, namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Dimensions, Listing, Spec } from '../../../base/listing/listing.ts';
import { readLengthIn, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { ranksOf, type SalesRank } from '../../../base/listing/vocabularies/sales-rank.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, countAt, lineAt, moneyAt, starsAt } from '../../page-data/json/json-values.ts';
import { isAsin, isOwnSeller, retailerAAddressBook } from './address-book.ts';
import { refusalOf } from './api-answer.ts';
import { isRenewedTitle } from './ratings.ts';
import { jsonBody } from '../json-body.ts';
import { productAnswer } from '../expected-fields.ts';

/** The kinds of code, each as spelled in the two public descriptions of the answers. */
const CODE_KINDS = [
  ['upcs', 'upCs'],
  ['eans', 'eaNs'],
  ['isbns', 'isbNs'],
] as const;

function codeOf(item: unknown): Gtin14 | null {
  const codes = at(item, 'itemInfo.externalIds');
  for (const spellings of CODE_KINDS) {
    const listed = spellings.flatMap((name) => listAt(codes, `${name}.displayValues`, 20));
    for (const code of listed) {
      const text = textAt(code);
      const field = spellings[0] === 'isbns' ? 'isbn' : 'gtin';
      const gtin = text === null ? null : readGtin(text, field);
      if (gtin !== null) return gtin;
    }
  }
  return null;
}

const SIDES = ['height', 'width', 'length'] as const;

function sidesOf(item: unknown): Dimensions | null {
  const [heightIn = null, widthIn = null, lengthIn = null] = SIDES.map((side) => {
    const value = numberAt(item, `itemInfo.productInfo.itemDimensions.${side}.displayValue`);
    const unit = textAt(item, `itemInfo.productInfo.itemDimensions.${side}.unit`);
    return value === null ? null : readLengthIn(value, unit);
  });
  return heightIn === null && widthIn === null && lengthIn === null
    ? null
    : { heightIn, widthIn, lengthIn };
}

function weightOf(item: unknown): number | null {
  const weight = at(item, 'itemInfo.productInfo.itemDimensions.weight');
  const value = numberAt(weight, 'displayValue');
  return value === null ? null : readWeightLbs(value, textAt(weight, 'unit'));
}

/** Whether an offer is for everyone, and not only for members or subscribers. */
function isForEveryone(offer: unknown): boolean {
  const access = textAt(offer, 'dealDetails.accessType') ?? '';
  return !/^PRIME/i.test(access) && !/^SUBSCRI/i.test(textAt(offer, 'type') ?? '');
}

function isNew(offer: unknown): boolean {
  return /^new$/i.test(textAt(offer, 'condition.value') ?? '');
}

/** Whether an offer is neither a lightning deal nor sold in the separate store for cheap goods: standard ones have no type. */
function isStandard(offer: unknown): boolean {
  return textAt(offer, 'type') === null;
}

/**
 * Selects among the offers for everyone: the buy box offer, otherwise the only one. Offers of new goods are preferred, because
 * the buy box may belong to a used copy; among these standard offers, because other prices end soon or need another cart.
 */
function winnerOf(item: unknown): unknown {
  let offers = listAt(item, 'offersV2.listings', 50).filter(isForEveryone);
  for (const isPreferred of [isNew, isStandard]) {
    const preferred = offers.filter(isPreferred);
    if (preferred.length > 0) offers = preferred;
  }
  const winner = offers.find((offer) => boolAt(offer, 'isBuyBoxWinner') === true);
  return winner ?? (offers.length === 1 ? offers[0] : undefined);
}

function conditionOf(offer: unknown, words: UnknownWords): Condition | null {
  for (const path of ['condition.subCondition', 'condition.value']) {
    const text = textAt(offer, path);
    const isStated = text !== null && !/^unknown$/i.test(text);
    const condition = isStated ? words.note(readCondition(text)) : null;
    if (condition !== null) return condition;
  }
  return null;
}

function stockOf(offer: unknown, words: UnknownWords) {
  const type = textAt(offer, 'availability.type');
  if (type === null || /^unknown$/i.test(type)) return null;
  return words.note(readAvailability(type.slice(0, 60)));
}

function categoriesOf(item: unknown): readonly string[] {
  const names: string[] = [];
  let node = at(item, 'browseNodeInfo.browseNodes.0');
  for (let depth = 0; depth < 12 && node !== undefined; depth += 1) {
    const name = lineAt(node, 'displayName', 120);
    if (name !== null) names.unshift(name);
    node = at(node, 'ancestor');
  }
  return names;
}

/** Returns the sales rank of the department, then those of the categories. */
function salesRankOf(item: unknown): readonly SalesRank[] {
  const nodes = listAt(item, 'browseNodeInfo.browseNodes', 20);
  const places = [at(item, 'browseNodeInfo.websiteSalesRank'), ...nodes];
  return ranksOf(
    places.map((place) => [lineAt(place, 'displayName', 200), numberAt(place, 'salesRank')]),
  );
}

function specsOf(item: unknown): readonly Spec[] {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Manufacturer', lineAt(item, 'itemInfo.byLineInfo.manufacturer.displayValue', 300)],
    ['Color', lineAt(item, 'itemInfo.productInfo.color.displayValue', 300)],
    ['Size', lineAt(item, 'itemInfo.productInfo.size.displayValue', 300)],
    ['Unit Count', lineAt(item, 'itemInfo.productInfo.unitCount.displayValue', 60)],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

function offerFacts(item: unknown, title: string | null, words: UnknownWords): Partial<Listing> {
  const offer = winnerOf(item);
  const currency = textAt(offer, 'price.money.currency');
  // An offer below the manufacturer's minimum advertised price: the shop only shows it in the cart.
  const isHidden = boolAt(offer, 'violatesMAP') === true;
  const price = isHidden ? null : moneyAt(offer, 'price.money.amount', currency);
  const basis = moneyAt(
    offer,
    'price.savingBasis.money.amount',
    textAt(offer, 'price.savingBasis.money.currency') ?? currency,
  );
  const isFormer = /^(?:WAS|LOWEST)_/i.test(
    textAt(offer, 'price.savingBasis.savingBasisType') ?? '',
  );
  const sellerName = lineAt(offer, 'merchantInfo.name', 200);
  const sellerId = textAt(offer, 'merchantInfo.id')?.slice(0, 40) ?? null;
  const own = isOwnSeller(sellerId, sellerName);
  const stock = stockOf(offer, words);
  return {
    price,
    // A former or lowest price cannot be judged where the price is hidden; a list price can.
    listPrice: isFormer ? listPriceOf(price, [basis]) : namedListPriceOf(price, [basis]),
    inStock: stock?.inStock ?? null,
    unavailable: stock?.unavailable ?? null,
    condition: title !== null && isRenewedTitle(title) ? 'refurbished' : conditionOf(offer, words),
    sellerName,
    sellerId,
    sellerType: own === null ? null : own ? '1p' : '3p',
  };
}

function listingOf(item: unknown, words: UnknownWords): Listing | null {
  const asin = (textAt(item, 'asin') ?? '').toUpperCase();
  if (!isAsin(asin)) return null;
  const identifier = { kind: 'asin', value: asin, retailer: 'retailer_a' } as const;
  const title = lineAt(item, 'itemInfo.title.displayValue');
  const features = listAt(item, 'itemInfo.features.displayValues', 30)
    .map((feature) => lineAt(feature, '', 1500))
    .filter((feature) => feature !== null);
  return {
    ...EMPTY_LISTING,
    ...offerFacts(item, title, words),
    url: retailerAAddressBook.productUrl(identifier),
    asin,
    gtin: codeOf(item),
    mpn: lineAt(item, 'itemInfo.manufactureInfo.itemPartNumber.displayValue', 200),
    model: lineAt(item, 'itemInfo.manufactureInfo.model.displayValue', 200),
    title,
    brand: lineAt(item, 'itemInfo.byLineInfo.brand.displayValue', 200),
    description: features.join(' ').slice(0, 8000) || null,
    imageUrl: addressAt(item, 'images.primary.large.url'),
    categories: categoriesOf(item),
    salesRank: salesRankOf(item),
    specs: specsOf(item),
    rating: starsAt(item, 'customerReviews.starRating.value'),
    reviewCount: countAt(item, 'customerReviews.count'),
    weightLbs: weightOf(item),
    dimensions: sidesOf(item),
    variantId: textAt(item, 'parentASIN') === null ? null : asin,
  };
}

function listingsAt(root: unknown, path: string, words: UnknownWords): readonly Listing[] {
  return listAt(root, path, 50)
    .map((item) => listingOf(item, words))
    .filter((listing) => listing !== null);
}

/** Reads the answer to an items request. Errors for single items are in the same answer as the valid ones. */
export function readCreatorsItems(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const [listing] = listingsAt(root, 'itemsResult.items', words);
  if (listing !== undefined && listing.title !== null) {
    return productAnswer(listing);
  }
  const code = lineAt(root, 'errors.0.code', 120);
  return code === null
    ? { kind: 'unreadable', why: 'neither an item nor an error' }
    : { kind: 'not_found', why: `the API has no such item: ${code}` };
}

/** Reads the answer to a search. */
export function readCreatorsSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const hits = listingsAt(root, 'searchResult.items', words);
  const code = lineAt(root, 'errors.0.code', 120);
  const hasErrors = listAt(root, 'errors', 1).length > 0;
  if (hits.length === 0 && hasErrors && !/NoResults/i.test(code ?? '')) {
    return { kind: 'retry', why: `the API could not search: ${code ?? 'an error'}` };
  }
  const value: RetailerAnswer = {
    kind: 'search',
    hits,
    total: countAt(root, 'searchResult.totalResultCount'),
  };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
