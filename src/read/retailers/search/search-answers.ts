// Reads a search engine's answer, and selects the hits that are product pages of a retailer or shop. A hit proves nothing
// about identity; the page it links to decides.

import type { KnownSlug } from '../../../base/retailer.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import { at, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { bookForHost, bookOf } from '../addresses/address-books.ts';
import { jsonBody } from '../json-body.ts';
import { readStatus } from '../page-status.ts';
import { shopOfHost } from '../addresses/shop-slug.ts';

export type SearchHit = { readonly url: string; readonly title: string | null };

/** A hit that is a product page of a known retailer, with its canonical address. */
type ProductHit = SearchHit & { readonly identifier: Identifier };

const HIT_LIMIT = 50;
/** Maximum number of pages that a lookup tries: later ones are rarely the product. */
const PRODUCT_LIMIT = 5;
const URL_LENGTH = 2048;

type Obstacle = Exclude<PageVerdict<never>, { readonly kind: 'read' | 'follow' }>;

/** Returns the seconds until the exhausted rate limits reset: `1, 419704` with `0, 12` remaining. */
function resetSeconds(page: Page): number | undefined {
  const numbers = (name: string): number[] =>
    (page.headers[name] ?? '')
      .slice(0, 200)
      .split(',')
      .map((each) => (/^\s*\d{1,9}\s*$/.test(each) ? Number(each) : Number.NaN));
  const left = numbers('x-ratelimit-remaining');
  const resets = numbers('x-ratelimit-reset');
  const waits = resets.filter((seconds, index) => Number.isFinite(seconds) && left[index] === 0);
  return waits.length === 0 ? undefined : Math.min(Math.max(...waits), 86_400);
}

/**
 * Returns the verdict for a status that refuses the search. It concerns the engine and never means that a product does not
 * exist.
 */
function refusal(page: Page): Obstacle | null {
  if (page.status === 401) return { kind: 'blocked', why: 'the search provider refused the key' };
  if (page.status === 403) {
    return {
      kind: 'blocked',
      why: 'the search provider refused: check its key, and that it allows the JSON format',
    };
  }
  if (page.status === 404 || page.status === 410) {
    return { kind: 'unreadable', why: 'there is no search at the configured address' };
  }
  const early = readStatus(page);
  if (early === null) return null;
  const wait = page.status === 429 ? resetSeconds(page) : undefined;
  if (early.kind === 'blocked' && early.retryAfterSeconds === undefined && wait !== undefined) {
    return { ...early, retryAfterSeconds: wait };
  }
  return early.kind === 'not_a_product' || early.kind === 'not_found'
    ? { kind: 'unreadable', why: `the response of the search provider is not JSON: ${early.why}` }
    : early;
}

/** Reads the answer of either provider. An empty list is an answer, except when every engine behind SearXNG failed. */
export function readSearch(page: Page): PageVerdict<readonly SearchHit[]> {
  const refused = refusal(page);
  if (refused !== null) return refused;
  const answer = jsonBody(page);
  // Brave omits `web` when it finds nothing.
  const isBrave = at(answer, 'web') !== undefined || textAt(answer, 'type') === 'search';
  const isSearxng = Array.isArray(at(answer, 'results'));
  if (!isBrave && !isSearxng)
    return { kind: 'unreadable', why: 'not a response from a search provider' };
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for (const entry of listAt(answer, isBrave ? 'web.results' : 'results')) {
    const url = absoluteUrl(textAt(entry, 'url'), null);
    if (url === null || url.href.length > URL_LENGTH || seen.has(url.href)) continue;
    if (hits.length >= HIT_LIMIT) break;
    seen.add(url.href);
    const title = cleanText(textAt(entry, 'title') ?? '', 500, { tags: true });
    hits.push({ url: url.href, title: title === '' ? null : title });
  }
  const silent = listAt(answer, 'unresponsive_engines', 100).length;
  if (hits.length === 0 && silent > 0 && (numberAt(answer, 'number_of_results') ?? 0) === 0) {
    return { kind: 'retry', why: `${silent} engines of the search provider did not answer` };
  }
  return { kind: 'read', value: hits, notes: { missing: [], remarks: [] } };
}

/** Returns hits that are product pages of a known retailer: each product once, best first, at most 5. */
export function retailerHits(hits: readonly SearchHit[], slug: KnownSlug): readonly ProductHit[] {
  const book = bookOf(slug);
  const found = new Map<string, ProductHit>();
  for (const { url, title } of hits.slice(0, HIT_LIMIT)) {
    const address = absoluteUrl(url, null);
    const identifier = address === null ? null : book.reduce(address);
    const canonical = identifier === null ? null : book.productUrl(identifier);
    if (identifier === null || canonical === null || found.has(canonical)) continue;
    found.set(canonical, { url: canonical, title, identifier });
    if (found.size >= PRODUCT_LIMIT) break;
  }
  return [...found.values()];
}

/** Returns hits on another shop by its slug (D10), without front pages. */
export function shopHits(hits: readonly SearchHit[], slug: string): readonly SearchHit[] {
  const found: SearchHit[] = [];
  for (const hit of hits.slice(0, HIT_LIMIT)) {
    const url = absoluteUrl(hit.url, null);
    if (url === null || url.pathname === '/' || bookForHost(url.hostname) !== null) continue;
    const shop = shopOfHost(url.hostname);
    if (shop === null || (shop.slug !== slug && shop.otherSlug !== slug)) continue;
    found.push({ url: url.href, title: hit.title });
    if (found.length >= PRODUCT_LIMIT) break;
  }
  return found;
}
