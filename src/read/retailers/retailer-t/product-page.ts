// Converts retailer_t's product page to a listing: from the product in its scripts, completed from structured data, because
// newer pages load the price later. A page without a product in its state is left to the generic reader.

import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { at, hasObjectAt, listAt } from '../../page-data/json/json-path.ts';
import { parseScriptJson } from '../../page-data/json/bounded-json.ts';
import { wordToFind } from '../../page-data/html/find-word.ts';
import { quotedStateAfter, stateOfScript } from '../../page-data/json/script-state.ts';
import { filledGaps } from '../generic/filled-gaps.ts';
import { readParsedPage } from '../generic/read-page.ts';
import { parsePage } from '../generic/parsed-page.ts';
import { inOtherLayout, productAnswer } from '../expected-fields.ts';
import { readStatus } from '../page-status.ts';
import { tcinOf } from './state-product.ts';
import { askedTcin, servedListing } from './state-variants.ts';

const STATE = wordToFind('__TGT_DATA__');
const QUERY_LIMIT = 200;

/** Returns the product nodes of the preloaded queries; other queries are for navigation and the like. */
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

/**
 * Returns the node of the page's own product: the requested number's or its parent's. If no number was requested, the only
 * node.
 */
function ownProduct(nodes: readonly unknown[], asked: string | null): unknown {
  if (asked === null) return new Set(nodes.map(tcinOf)).size === 1 ? nodes[0] : null;
  const named = nodes.find((node) => tcinOf(node) === asked);
  if (named !== undefined) return named;
  const holdsAsked = (node: unknown): boolean =>
    listAt(node, 'children').some((child) => tcinOf(child) === asked);
  return nodes.find(holdsAsked) ?? null;
}

/**
 * Returns the product nodes of pages since 2026: data modules, one of which the shop fills in before sending the page.
 * Price, stock and variants are in modules loaded later by the browser, so they are unknown.
 */
function moduleProducts(next: unknown): readonly unknown[] {
  return listAt(next, 'props.dehydratedState.queries', QUERY_LIMIT)
    .flatMap((query) => listAt(query, 'state.data.data.data_source_modules', QUERY_LIMIT))
    .map((module) => at(module, 'module_data.data.product'))
    .filter((node) => tcinOf(node) !== null && hasObjectAt(node, 'item'));
}

/** Returns the product nodes of the page's state. */
function nodesOf(html: HtmlPage): readonly unknown[] {
  const text = quotedStateAfter(html, STATE);
  return text === null
    ? moduleProducts(stateOfScript(html, '__NEXT_DATA__'))
    : productsIn(parseScriptJson(text));
}

/** Whether two listings are of the same product. Only then may one complete the other. */
function isSame(own: Listing, other: Listing): boolean {
  return other.title !== null && (other.itemId ?? other.sku ?? own.itemId) === own.itemId;
}

/**
 * Returns the generic reader's verdict for newer pages without state. The product number is taken from the address, because the
 * data may not repeat it. If the state is about another number, so is the whole page.
 */
function structuredAnswer(
  generic: PageVerdict<Listing>,
  asked: string | null,
  nodes: readonly unknown[],
): PageVerdict<RetailerAnswer> {
  if (generic.kind !== 'read' || asked === null) {
    return { kind: 'unreadable', why: 'no product in the page state' };
  }
  const { value, notes } = generic;
  const stated = value.sku !== null && /^\d{8,10}$/.test(value.sku) ? value.sku : null;
  if (nodes.length > 0 && stated !== asked) {
    return { kind: 'not_a_product', why: 'the page is about another number' };
  }
  const listing = { ...value, itemId: stated ?? asked, sku: null };
  return inOtherLayout(productAnswer(listing, notes.remarks));
}

/** Reads a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  // A variant's page may redirect to its family's, which includes the variant.
  const asked = askedTcin(page.requestedUrl) ?? askedTcin(page.url);
  const nodes = nodesOf(parsed.html);
  const own = servedListing(ownProduct(nodes, asked), asked, words);
  const generic = readParsedPage(parsed);
  // A family page that preselects a variant is still the family's.
  const path = page.url.split('?', 1)[0] ?? '';
  const shown = askedTcin(path) === asked ? asked : askedTcin(page.url);
  if (own === null) return structuredAnswer(generic, shown ?? asked, nodes);
  const other = generic.kind === 'read' ? generic.value : null;
  const isFilled = other !== null && isSame(own, other);
  const listing = isFilled ? { ...filledGaps(own, other), sku: null } : own;
  const remarks = isFilled ? ['gaps of the state filled from structured data'] : [];
  return productAnswer(listing, remarks);
}
