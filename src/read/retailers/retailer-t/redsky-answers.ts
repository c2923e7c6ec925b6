// Reads answers of retailer_t's public JSON endpoints: one product, summaries with stock, a search. Distinguishes why an
// answer has no product: gone, refused, failed, or an unknown shape.

import type { Listing } from '../../../base/listing/listing.ts';
import type { FailedVerdict, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { readApiStatus } from '../page-status.ts';
import { listingOfProduct, tcinOf } from './redsky-product.ts';
import { askedTcin, servedListing } from './redsky-variants.ts';
import { jsonBody } from '../json-body.ts';
import { productAnswer } from '../expected-fields.ts';

type Root = { readonly root: unknown };

const SUMMARY_LIMIT = 100;

function rootOf(page: Page): Root | FailedVerdict {
  const root = jsonBody(page);
  const early = readApiStatus(page, messagesIn(root).some(saysGone));
  if (early !== null) return early;
  if (typeof root !== 'object' || root === null) {
    return { kind: 'unreadable', why: 'the response is not a JSON object' };
  }
  return { root };
}

function messagesIn(root: unknown): readonly string[] {
  return listAt(root, 'errors', 20).flatMap((error) => textAt(error, 'message') ?? []);
}

function saysGone(message: string): boolean {
  return /no products? found|not found/i.test(message.slice(0, 300));
}

/**
 * Returns the verdict for `{"errors": [{"message": "No product found with tcin ..."}]}`, or for a missing value at `path`.
 */
function absence(root: unknown, path: string): FailedVerdict {
  const messages = messagesIn(root);
  if (messages.some(saysGone)) {
    return { kind: 'not_found', why: 'no product with that number' };
  }
  if (messages.length > 0)
    return { kind: 'retry', why: `the retailer says: ${messages[0]?.slice(0, 200)}` };
  const found = at(root, path);
  if (found === null || (Array.isArray(found) && found.length === 0)) {
    return { kind: 'not_found', why: 'no product with that number' };
  }
  return { kind: 'unreadable', why: `no product at ${path}` };
}

/**
 * Returns the product, unless its price is missing because a service behind the endpoint failed. Such errors are next to the
 * product, with status 200 or 206, and the failed part is null.
 */
function answerWith(listing: Listing, root: unknown): PageVerdict<RetailerAnswer> {
  const failed =
    listing.price === null ? listAt(root, 'errors', 100).find(isAboutPrice) : undefined;
  if (failed === undefined) return productAnswer(listing);
  const said = textAt(failed, 'message')?.slice(0, 200) ?? 'an error';
  return { kind: 'retry', why: `the retailer could not load the price: ${said}` };
}

function isAboutPrice(error: unknown): boolean {
  const path = listAt(error, 'path', 20);
  return path.length === 0 || path.includes('price');
}

/** Reads the product endpoint's answer, which states no stock. */
export function readRedskyProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = rootOf(page);
  if (!('root' in answer)) return answer;
  const asked = askedTcin(page.requestedUrl);
  const listing = servedListing(at(answer.root, 'data.product'), asked, words);
  if (listing === null) return absence(answer.root, 'data.product');
  return answerWith(listing, answer.root);
}

/** Reads summaries with stock: the requested product, or else the only one. */
export function readRedskySummary(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = rootOf(page);
  if (!('root' in answer)) return answer;
  const url = URL.canParse(page.requestedUrl) ? new URL(page.requestedUrl) : null;
  const asked = askedTcin(page.requestedUrl) ?? url?.searchParams.get('tcins') ?? null;
  const nodes = listAt(answer.root, 'data.product_summaries', SUMMARY_LIMIT);
  const node =
    nodes.find((each) => tcinOf(each) === asked) ?? (nodes.length === 1 ? nodes[0] : null);
  const listing = servedListing(node, asked, words);
  if (listing === null) return absence(answer.root, 'data.product_summaries');
  return answerWith(listing, answer.root);
}

/** Reads a search, without sponsored entries. */
export function readRedskySearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = rootOf(page);
  if (!('root' in answer)) return answer;
  const products = at(answer.root, 'data.search.products');
  if (!Array.isArray(products)) {
    const verdict = absence(answer.root, 'data.search.products');
    return verdict.kind === 'not_found' ? searchAnswer([], 0) : verdict;
  }
  const hits = listAt(products)
    .filter((node) => at(node, 'sponsored') !== true && at(node, 'is_sponsored_sku') !== true)
    .flatMap((node) => listingOfProduct(node, words) ?? []);
  const meta = at(answer.root, 'data.search.search_response');
  return searchAnswer(
    hits,
    countAt(meta, 'typed_metadata.total_results') ?? countAt(meta, 'metadata.total_results'),
  );
}

function searchAnswer(hits: readonly Listing[], total: number | null): PageVerdict<RetailerAnswer> {
  const value: RetailerAnswer = { kind: 'search', hits, total };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
