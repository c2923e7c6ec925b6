// Search engines that find the product page of a retailer that cannot be asked by barcode: SearXNG (JSON) and the Brave
// Search API. Builds requests, reads answers, and picks the hits that are product pages of a retailer or shop. A hit
// proves nothing about identity: its page decides.

import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Page, PageRequest, PageVerdict } from '../listing/page.ts';
import type { KnownSlug } from '../core/retailer.ts';
import { cleanText } from '../listing/text.ts';
import { at, listAt, numberAt, textAt } from '../page-data/json/json-path.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { bookForHost, bookOf } from './address-books.ts';
import { readStatus } from './page-status.ts';
import { shopOfHost } from './shop-slug.ts';
import { jsonBody } from './json-body.ts';

/** The operator's search engine. `base` is the address of its search page with path (`http://searx.example/s/`). */
export type SearchProvider =
  | { readonly kind: 'searxng'; readonly base: string }
  | { readonly kind: 'brave'; readonly apiKey: string };

export type SearchOptions = {
  /** From 1; Brave has at most 10 pages. */
  readonly page?: number;
};

export type SearchHit = { readonly url: string; readonly title: string | null };

/** A hit that is a product page of a known retailer, with its canonical address. */
export type ProductHit = SearchHit & { readonly identifier: Identifier };

const BRAVE_ENDPOINT = 'https://api.search.brave.com/res/v1/web/search';
/** The most that Brave returns; SearXNG decides itself. */
const PAGE_SIZE = 20;
const PAGE_LIMIT = 10;
/** Brave refuses longer queries. */
const QUERY_LENGTH = 400;
const HIT_LIMIT = 50;
/** Most pages that a lookup tries: later ones are hardly ever the product. */
const PRODUCT_LIMIT = 5;
const URL_LENGTH = 2048;

/**
 * The provider that the settings name, or a sentence that says what is wrong with them; null when none is set.
 * SearXNG is the operator's own and is preferred to Brave.
 */
export function searchProviderOf(settings: {
  readonly searxngUrl: string | undefined;
  readonly braveApiKey: string | undefined;
}): SearchProvider | { readonly problem: string } | null {
  const address = settings.searxngUrl?.trim() ?? '';
  if (address !== '') {
    const url = absoluteUrl(address, null);
    const isBare = url !== null && url.search === '' && url.username === '' && url.password === '';
    if (!isBare) {
      return {
        problem:
          'OPENSHELF_SEARXNG_URL must be an http or https address without query, user and password.',
      };
    }
    const path = url.pathname.replace(/\/(?:search\/?)?$/, '');
    return { kind: 'searxng', base: `${url.origin}${path}/` };
  }
  const apiKey = settings.braveApiKey?.trim() ?? '';
  if (apiKey === '') return null;
  if (/^[\x21-\x7e]{8,200}$/.test(apiKey)) return { kind: 'brave', apiKey };
  return {
    problem: 'OPENSHELF_BRAVE_API_KEY must be 8 to 200 printable ASCII characters without spaces.',
  };
}

/** The request for a text. Nothing of the caller except the text is sent. */
export function requestSearch(
  provider: SearchProvider,
  text: string,
  options: SearchOptions = {},
): PageRequest {
  const query = cleanText(text, QUERY_LENGTH);
  const page = Math.min(Math.max(Math.trunc(options.page ?? 1), 1), PAGE_LIMIT);
  if (provider.kind === 'brave') {
    const url = new URL(BRAVE_ENDPOINT);
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(PAGE_SIZE));
    url.searchParams.set('offset', String(page - 1));
    url.searchParams.set('country', 'us');
    url.searchParams.set('search_lang', 'en');
    return { url: url.href, accept: 'json', headers: { 'x-subscription-token': provider.apiKey } };
  }
  const url = new URL('search', provider.base);
  url.searchParams.set('q', query);
  url.searchParams.set('format', 'json');
  url.searchParams.set('categories', 'general');
  url.searchParams.set('language', 'en-US');
  url.searchParams.set('pageno', String(page));
  url.searchParams.set('safesearch', '0');
  return { url: url.href, accept: 'json' };
}

/** The query for a barcode on one host, with the exact code. */
export function barcodeQuery(code: string, host: string): string {
  return `"${code}" site:${host}`;
}

/** The host on which pages of a known retailer are searched. */
export function searchHostOf(slug: KnownSlug): string {
  return bookOf(slug).hosts[0] ?? '';
}

type Obstacle = Exclude<PageVerdict<never>, { readonly kind: 'read' | 'follow' }>;

/** Seconds until the exhausted rate limits reset: `1, 419704` with `0, 12` remaining. */
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

/** The verdict of a status about the engine: never that a product does not exist. */
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
    ? { kind: 'unreadable', why: `not JSON from a search provider: ${early.why}` }
    : early;
}

/** Reads the answer of either provider. An empty list is an answer, except when every engine behind SearXNG failed. */
export function readSearch(page: Page): PageVerdict<readonly SearchHit[]> {
  const refused = refusal(page);
  if (refused !== null) return refused;
  const answer = jsonBody(page);
  // Brave leaves out `web` when it finds nothing.
  const isBrave = at(answer, 'web') !== undefined || textAt(answer, 'type') === 'search';
  const isSearxng = Array.isArray(at(answer, 'results'));
  if (!isBrave && !isSearxng)
    return { kind: 'unreadable', why: 'not an answer from a search provider' };
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

/** Hits that are product pages of a known retailer: each product once, best first, at most 5. */
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

/** Hits on another shop by its slug (D10), without front pages. */
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
