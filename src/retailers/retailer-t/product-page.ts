// retailer_t's product page -> a listing: from the preloaded queries in its scripts, completed from structured data,
// because newer pages load the price later. A page without a product in its state is left to the generic reader.

import type { Listing } from '../../listing/listing.ts';
import type { Page, PageVerdict } from '../../listing/page.ts';
import type { RetailerAnswer } from '../../listing/retailer-answer.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import type { HtmlPage } from '../../page-data/html.ts';
import { at, listAt } from '../../page-data/json-path.ts';
import { parseScriptJson } from '../../page-data/bounded-json.ts';
import { wordToFind } from '../../page-data/find-word.ts';
import { quotedStateAfter } from '../../page-data/script-state.ts';
import { filledGaps } from '../filled-gaps.ts';
import { readParsedPage } from '../generic.ts';
import { parsePage } from '../parsed-page.ts';
import { inOtherLayout, missingFields } from '../expected-fields.ts';
import { readStatus } from '../page-status.ts';
import { tcinOf } from './redsky-product.ts';
import { askedTcin, servedListing } from './redsky-variants.ts';

const STATE = wordToFind('__TGT_DATA__');
const QUERY_LIMIT = 200;

/** The product nodes of the preloaded queries; other queries are for navigation and similar. */
function productsIn(state: unknown): readonly unknown[] {
  const places = [
    '__PRELOADED_QUERIES__.queries',
    'value.__PRELOADED_QUERIES__.queries',
    'queries',
  ];
  const queries = places.map((path) => listAt(state, path, QUERY_LIMIT));
  return (queries.find((list) => list.length > 0) ?? [])
    .flatMap((query) => [at(query, '1.data.product'), at(query, '1.product')])
    .filter((node) => tcinOf(node) !== null);
}

/** The node of the page's own product: that of the requested number or its parent, or else the only one. */
function ownProduct(nodes: readonly unknown[], asked: string | null): unknown {
  const named = nodes.find((node) => tcinOf(node) === asked && asked !== null);
  if (named !== undefined) return named;
  const holdsAsked = (node: unknown): boolean =>
    listAt(node, 'children').some((child) => tcinOf(child) === asked);
  const parent = nodes.find(holdsAsked);
  if (parent !== undefined) return parent;
  return new Set(nodes.map(tcinOf)).size === 1 ? nodes[0] : null;
}

function stateListing(html: HtmlPage, asked: string | null, words: UnknownWords): Listing | null {
  const text = quotedStateAfter(html, STATE);
  if (text === null) return null;
  const nodes = productsIn(parseScriptJson(text));
  const node = ownProduct(nodes, asked);
  return node === null ? null : servedListing(node, asked, words);
}

/** Whether two listings are of the same product: only then one completes the other. */
function isSame(own: Listing, other: Listing): boolean {
  return other.title !== null && (other.itemId ?? other.sku ?? own.itemId) === own.itemId;
}

/**
 * The verdict of the generic reader for newer pages without state. The number of the product is in the address, and the
 * data may not repeat it.
 */
function structuredAnswer(
  generic: PageVerdict<Listing>,
  asked: string | null,
): PageVerdict<RetailerAnswer> {
  if (generic.kind !== 'read' || asked === null) {
    return { kind: 'unreadable', why: 'no product in the page state' };
  }
  const { value, notes } = generic;
  const stated = value.sku !== null && /^\d{8,10}$/.test(value.sku) ? value.sku : null;
  const listing = { ...value, itemId: stated ?? asked, sku: null };
  return inOtherLayout({ kind: 'read', value: { kind: 'product', listing }, notes });
}

/** Reads a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  const asked = askedTcin(page.url) ?? askedTcin(page.requestedUrl);
  const own = stateListing(parsed.html, asked, words);
  const generic = readParsedPage(parsed);
  if (own === null) return structuredAnswer(generic, asked);
  const other = generic.kind === 'read' ? generic.value : null;
  const isFilled = other !== null && isSame(own, other);
  const listing = isFilled ? { ...filledGaps(own, other), sku: null } : own;
  const remarks = isFilled ? ['gaps of the state filled from structured data'] : [];
  const notes = { missing: missingFields(listing), remarks };
  return { kind: 'read', value: { kind: 'product', listing }, notes };
}
