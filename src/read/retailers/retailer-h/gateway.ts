// Reads answers of retailer_h's GraphQL gateway: one product, or a search. Errors come with status 200, and 206 is a
// partial upstream failure; neither means "not found".

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, countAt } from '../../page-data/json/json-values.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { parsePage } from '../generic/parsed-page.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { RETAILER_H_ORIGIN, retailerHAddressBook } from './address-book.ts';
import { gatewayListing, isGatewayProduct } from './gateway-product.ts';
import { jsonBody } from '../json-body.ts';
import { productAnswer } from '../expected-fields.ts';

const HIT_LIMIT = 100;

const NOT_FOUND = /not[ _]?found|no (?:such )?product|does not exist|\b404\b/i;

function errorTexts(answer: unknown): readonly string[] {
  return listAt(answer, 'errors', 20).flatMap((error) =>
    ['message', 'extensions.code', 'extensions.response.status', 'code']
      .map((path) => textAt(error, path)?.slice(0, 200) ?? '')
      .filter((text) => text !== ''),
  );
}

/** Returns why the answer has nothing at `path`. Only an explicit null means not found. */
function emptyVerdict(answer: unknown, path: string): PageVerdict<RetailerAnswer> {
  const errors = errorTexts(answer);
  if (errors.some((text) => NOT_FOUND.test(text))) {
    return { kind: 'not_found', why: 'the gateway knows no such product' };
  }
  if (listAt(answer, 'errors').length > 0) {
    return { kind: 'retry', why: `the gateway reported: ${errors[0] ?? 'an error'}` };
  }
  if (path === 'data.product' && at(answer, path) === null) {
    return { kind: 'not_found', why: 'the gateway returned no product' };
  }
  return { kind: 'unreadable', why: `nothing at ${path} of the gateway's response` };
}

/** Returns the body as JSON, or the verdict that replaces it. */
function answerOf(
  page: Page,
  words: UnknownWords,
): { readonly answer: unknown } | { readonly verdict: PageVerdict<RetailerAnswer> } {
  const early = readStatus(page);
  if (early !== null) return { verdict: early };
  const value = jsonBody(page);
  if (typeof value !== 'object' || value === null) {
    const wall = readObstacle(parsePage(page, words).html, page);
    return { verdict: wall ?? { kind: 'unreadable', why: "the gateway's response is not JSON" } };
  }
  if (page.status === 206) {
    return { verdict: { kind: 'retry', why: 'the gateway returned a partial response (206)' } };
  }
  // Batched operations return a list.
  return { answer: Array.isArray(value) ? (value as unknown[])[0] : value };
}

function productOf(answer: unknown): unknown {
  const places = ['data.product', 'data.products.0', 'product', ''];
  return places.map((path) => at(answer, path)).find(isGatewayProduct);
}

/** Reads `productClientOnlyProduct` and similar operations: `{data: {product}}`. */
export function readGatewayProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const read = answerOf(page, words);
  if ('verdict' in read) return read.verdict;
  const product = productOf(read.answer);
  if (product === undefined) return emptyVerdict(read.answer, 'data.product');
  const listing = gatewayListing(product);
  if (listing.title === null) return { kind: 'unreadable', why: 'a product without a label' };
  const errors = errorTexts(read.answer);
  if (listing.price === null && listAt(read.answer, 'errors', 20).some(isAboutPrice)) {
    return {
      kind: 'retry',
      why: `the gateway could not load the price: ${errors[0] ?? 'an error'}`,
    };
  }
  return productAnswer(listing, errors.length === 0 ? [] : [`next to the product: ${errors[0]}`]);
}

/** Whether an error that accompanies a product says that its price could not be loaded. The price is then null. */
function isAboutPrice(error: unknown): boolean {
  return listAt(error, 'path', 20).includes('pricing');
}

/** Returns the hits of a search model: its products, otherwise the product that the search redirects to. */
export function hitsOf(model: unknown): readonly Listing[] {
  const hits = listAt(model, 'products', HIT_LIMIT)
    .filter(isGatewayProduct)
    .map(gatewayListing)
    .filter((hit) => hit.itemId !== null);
  if (hits.length > 0) return hits;
  const redirect = addressAt(model, 'metadata.searchRedirect', RETAILER_H_ORIGIN);
  const target = redirect === null ? null : retailerHAddressBook.reduce(new URL(redirect));
  if (target === null) return [];
  return [{ ...EMPTY_LISTING, itemId: target.value, url: retailerHAddressBook.productUrl(target) }];
}

/** Reads `searchModel`: `{data: {searchModel: {products, searchReport}}}`. */
export function readGatewaySearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const read = answerOf(page, words);
  if ('verdict' in read) return read.verdict;
  const model = at(read.answer, 'data.searchModel');
  if (typeof model !== 'object' || model === null) {
    return emptyVerdict(read.answer, 'data.searchModel');
  }
  const hits = hitsOf(model);
  const total = countAt(model, 'searchReport.totalProducts');
  return {
    kind: 'read',
    value: { kind: 'search', hits, total },
    notes: { missing: [], remarks: [] },
  };
}
