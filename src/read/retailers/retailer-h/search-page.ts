// Reads retailer_h's search page: from its state, else from the list in its JSON-LD, else from the visible tiles. A barcode
// often redirects to the product; the answer is then read as a product page.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { hasType } from '../../page-data/schema-org/node.ts';
import { withOffers } from '../../page-data/schema-org/offers.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { pageElements } from '../../page-data/html/page-elements.ts';
import { readProductNodes } from '../../page-data/schema-org/schema-org-product.ts';
import { firstOf, textIn } from '../../page-data/schema-org/schema-values.ts';
import { isNode } from '../../page-data/schema-org/node.ts';
import { parsePage } from '../generic/parsed-page.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { retailerHAddressBook } from './address-book.ts';
import { pageStateOf } from './apollo-state.ts';
import { hitsOf, readGatewaySearch } from './gateway.ts';
import { readParsedProduct } from './product-page.ts';

const HIT_LIMIT = 100;
const PRODUCT = new Set(['product']);

function searchAnswer(
  hits: readonly Listing[],
  total: number | null,
  from: string,
): PageVerdict<RetailerAnswer> {
  const notes = { missing: [], remarks: [`hits from ${from}`] };
  return { kind: 'read', value: { kind: 'search', hits, total }, notes };
}

function reducedId(address: string | null, base: URL | null): string | null {
  const url = absoluteUrl(address, base);
  return url === null ? null : (retailerHAddressBook.reduce(url)?.value ?? null);
}

function urlOf(itemId: string): string | null {
  return retailerHAddressBook.productUrl({
    kind: 'retailer_item',
    value: itemId,
    retailer: 'retailer_h',
  });
}

/** Returns the hits without duplicates, because lists repeat sponsored products. */
function onceEach(hits: readonly Listing[]): readonly Listing[] {
  const byId = new Map<string, Listing>();
  for (const hit of hits)
    if (hit.itemId !== null && !byId.has(hit.itemId)) byId.set(hit.itemId, hit);
  return [...byId.values()].slice(0, HIT_LIMIT);
}

/** Returns the products in the JSON-LD list (`mainEntity.offers.itemOffered`), where `sku` is the item id. */
function listedHits(parsed: ParsedPage): readonly Listing[] {
  const { jsonLd, context } = parsed;
  const hits: Listing[] = [];
  for (const { node, path } of jsonLd.nodes) {
    if (hits.length >= HIT_LIMIT) break;
    if (
      !hasType(node, PRODUCT) ||
      !path.some((name) => /^(?:itemOffered|itemListElement)$/i.test(name))
    )
      continue;
    const offer = firstOf(node, 'offers');
    const address = isNode(offer) ? textIn(offer, 'url', 4096) : null;
    const itemId = reducedId(address ?? textIn(node, 'url', 4096), context.url);
    if (itemId === null) continue;
    const {
      isPriceZero: _zero,
      isStockOfSeveral: _several,
      isVariantUnclear: _unclear,
      price,
      ...facts
    } = readProductNodes(jsonLd, [withOffers(node, context)], context);
    const money = price?.money ?? null;
    hits.push({ ...EMPTY_LISTING, ...facts, sku: null, price: money, itemId, url: urlOf(itemId) });
  }
  return hits;
}

/** Returns hits from the tiles of a page without data: only their item ids. */
function tileHits(html: string): readonly Listing[] {
  const keys = pageElements(html, (tag) => {
    const id = tag.attribute('data-product-id');
    return id !== null && /^\d{6,12}$/.test(id) ? id : null;
  }).map((element) => element.key);
  return keys
    .slice(0, HIT_LIMIT)
    .map((itemId) => ({ ...EMPTY_LISTING, itemId, url: urlOf(itemId) }));
}

/** Reads the search page. */
export function readSearchPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  if (parsed.html.html === '') return readGatewaySearch(page, words);
  const { url } = parsed.context;
  if (url !== null && retailerHAddressBook.reduce(url) !== null) return readParsedProduct(parsed);
  const model = pageStateOf(parsed.html)?.searchModel();
  const total = countAt(model, 'searchReport.totalProducts');
  const stated = onceEach(hitsOf(model));
  if (stated.length > 0) return searchAnswer(stated, total, 'the state');
  const listed = onceEach(listedHits(parsed));
  if (listed.length > 0) return searchAnswer(listed, null, 'JSON-LD');
  const tiles = onceEach(tileHits(parsed.html.html));
  if (tiles.length > 0) return searchAnswer(tiles, null, 'tiles');
  if (model !== undefined) return searchAnswer([], total ?? 0, 'the state');
  const obstacle = readObstacle(parsed.html, page);
  return obstacle ?? { kind: 'unreadable', why: 'no list of products on the page' };
}
