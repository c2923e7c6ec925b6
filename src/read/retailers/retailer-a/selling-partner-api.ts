// Reads items of the catalog of retailer_a's Selling Partner API (official, for its sellers). They have sizes and codes but no
// price, which selling-partner-offers.ts reads.

import { readGtin } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { declaredHazmat, namesUnNumber } from '../../../base/listing/vocabularies/hazmat.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Dimensions, Listing } from '../../../base/listing/listing.ts';
import { readLengthIn, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { ranksOf, type SalesRank } from '../../../base/listing/vocabularies/sales-rank.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, countAt, lineAt } from '../../page-data/json/json-values.ts';
import { isAsin, retailerAAddressBook, SELLING_PARTNER_API } from './address-book.ts';
import { refusalOf } from './api-answer.ts';
import { isRenewedTitle } from './ratings.ts';
import { jsonBody } from '../json-body.ts';
import { productAnswer } from '../expected-fields.ts';

/** Returns the entry for our marketplace from a list by marketplace, otherwise the first. */
function ofMarketplace(item: unknown, path: string): unknown {
  const entries = listAt(item, path, 30);
  const { marketplaceId } = SELLING_PARTNER_API;
  return entries.find((entry) => textAt(entry, 'marketplaceId') === marketplaceId) ?? entries[0];
}

function sidesAt(sizes: unknown, path: string): Dimensions | null {
  const [heightIn = null, widthIn = null, lengthIn = null] = ['height', 'width', 'length'].map(
    (side) => {
      const value = numberAt(sizes, `${path}.${side}.value`);
      return value === null ? null : readLengthIn(value, textAt(sizes, `${path}.${side}.unit`));
    },
  );
  return heightIn === null && widthIn === null && lengthIn === null
    ? null
    : { heightIn, widthIn, lengthIn };
}

function weightAt(sizes: unknown, path: string): number | null {
  const value = numberAt(sizes, `${path}.weight.value`);
  return value === null ? null : readWeightLbs(value, textAt(sizes, `${path}.weight.unit`));
}

function codeOf(item: unknown): Gtin14 | null {
  for (const entry of listAt(ofMarketplace(item, 'identifiers'), 'identifiers', 50)) {
    const type = textAt(entry, 'identifierType') ?? '';
    if (!/^(?:UPC|EAN|GTIN|ISBN|JAN)$/.test(type)) continue;
    const field = type === 'ISBN' ? 'isbn' : type === 'UPC' ? 'upc' : 'gtin';
    const gtin = readGtin((textAt(entry, 'identifier') ?? '').slice(0, 60), field);
    if (gtin !== null) return gtin;
  }
  return null;
}

/**
 * Returns true with a UN number or included lithium cells, otherwise the supplier's declaration. "not_applicable" gives
 * false, and no declaration gives null.
 */
function hazmatOf(item: unknown, words: UnknownWords): boolean | null {
  const valuesAt = (path: string) =>
    listAt(item, `attributes.${path}`, 20).map((entry) => textAt(entry, 'value') ?? '');
  if (valuesAt('hazmat').some(namesUnNumber)) return true;
  const isIncluded = boolAt(item, 'attributes.batteries_included.0.value') === true;
  const cells = listAt(item, 'attributes.battery', 20).flatMap((battery) =>
    listAt(battery, 'cell_composition', 20).map((entry) => textAt(entry, 'value') ?? ''),
  );
  if (isIncluded && cells.some((cell) => /lithium/i.test(cell))) return true;
  return words.note(declaredHazmat(valuesAt('supplier_declared_dg_hz_regulation')));
}

function imageOf(item: unknown): string | null {
  const images = listAt(ofMarketplace(item, 'images'), 'images', 100);
  const main = images.find((image) => textAt(image, 'variant') === 'MAIN') ?? images[0];
  return addressAt(main, 'link');
}

function categoriesOf(item: unknown): readonly string[] {
  const names: string[] = [];
  let node = at(ofMarketplace(item, 'classifications'), 'classifications.0');
  for (let depth = 0; depth < 12 && node !== undefined; depth += 1) {
    const name = lineAt(node, 'displayName', 120);
    if (name !== null) names.unshift(name);
    node = at(node, 'parent');
  }
  return names;
}

/** Returns the sales rank of the department, then those of the categories. */
function salesRankOf(item: unknown): readonly SalesRank[] {
  const ranks = ofMarketplace(item, 'salesRanks');
  const places = ['displayGroupRanks', 'classificationRanks'].flatMap((path) =>
    listAt(ranks, path, 20),
  );
  return ranksOf(places.map((place) => [lineAt(place, 'title', 200), numberAt(place, 'rank')]));
}

function catalogListing(item: unknown, words: UnknownWords): Listing | null {
  const asin = (textAt(item, 'asin') ?? '').toUpperCase();
  if (!isAsin(asin)) return null;
  const identifier = { kind: 'asin', value: asin, retailer: 'retailer_a' } as const;
  const summary = ofMarketplace(item, 'summaries');
  const sizes = ofMarketplace(item, 'dimensions');
  const title = lineAt(summary, 'itemName');
  const weightPackageLbs = weightAt(sizes, 'package');
  const dimensionsPackage = sidesAt(sizes, 'package');
  const weightLbs = weightAt(sizes, 'item');
  const dimensions = sidesAt(sizes, 'item');
  const packCount = countAt(summary, 'packageQuantity');
  return {
    ...EMPTY_LISTING,
    url: retailerAAddressBook.productUrl(identifier),
    asin,
    gtin: codeOf(item),
    mpn: lineAt(summary, 'partNumber', 200),
    model: lineAt(summary, 'modelNumber', 200),
    title,
    brand: lineAt(summary, 'brand', 200),
    imageUrl: imageOf(item),
    categories: categoriesOf(item),
    salesRank: salesRankOf(item),
    condition: title !== null && isRenewedTitle(title) ? 'refurbished' : null,
    weightLbs,
    weightAssembledLbs: weightPackageLbs === null ? null : weightLbs,
    weightPackageLbs,
    dimensions,
    dimensionsAssembled: dimensionsPackage === null ? null : dimensions,
    dimensionsPackage,
    // 1 is the default of the field.
    packCount: packCount !== null && packCount > 1 ? packCount : null,
    hazmat: hazmatOf(item, words),
  };
}

/** Reads the catalog's answer to a barcode. */
export function readCatalogSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  if (!Array.isArray(at(root, 'items'))) return { kind: 'unreadable', why: 'no list of items' };
  const hits = listAt(root, 'items', 50)
    .map((item) => catalogListing(item, words))
    .filter((listing) => listing !== null);
  const value: RetailerAnswer = { kind: 'search', hits, total: countAt(root, 'numberOfResults') };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}

/** Reads the catalog's answer to an ASIN: a search for it, or the item alone. */
export function readCatalogItem(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const items = at(root, 'items');
  if (Array.isArray(items) && items.length === 0) {
    return { kind: 'not_found', why: 'the catalog has no such ASIN' };
  }
  const listing = catalogListing(Array.isArray(items) ? items[0] : root, words);
  return listing === null || listing.title === null
    ? { kind: 'unreadable', why: 'no item with a title' }
    : productAnswer(listing);
}
