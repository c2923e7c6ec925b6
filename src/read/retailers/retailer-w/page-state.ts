// Finds the state object of retailer_w's pages and GraphQL replies, and determines the kind of page it belongs to, and the
// meaning of an answer without content.

import type { FailedVerdict, Page } from '../../../base/listing/page.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { readHtml } from '../../page-data/html/html.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { at, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { parseScriptJson } from '../../page-data/json/bounded-json.ts';
import { stateOfScript } from '../../page-data/json/script-state.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { isHostOf } from '../addresses/product-path.ts';
import { retailerWAddressBook } from './address-book.ts';

export type PageState = {
  readonly page: Page;
  /** The content of the page (`initialData`), or the whole reply. */
  readonly initial: unknown;
  /** USD on the retailer's own host, where a bare `$` means the US dollar (D26); null elsewhere. */
  readonly currency: string | null;
  readonly words: UnknownWords;
};

/** Returns the currency by host: on hosts of other countries `$` may be any dollar. */
export function currencyOn(page: Page): string | null {
  const host = URL.canParse(page.url) ? new URL(page.url).hostname : '';
  return isHostOf(retailerWAddressBook.hosts, host) ? 'USD' : null;
}

/** State names of pages that replace the requested one. */
const WALL_PAGE = /^\/(?:blocked|waiting-?room|captcha)/i;
/** Waiting room texts. */
const WAITING_ROOM = /\bwaiting room\b|\byou(?:['’]re| are) in (?:the )?(?:line|queue)\b/i;

/** A parsed answer, with or without a state. */
type OpenedPage =
  | { readonly kind: 'state'; readonly state: PageState }
  | { readonly kind: 'stateless'; readonly html: HtmlPage }
  | { readonly kind: 'verdict'; readonly verdict: FailedVerdict };

function verdictOf(kind: 'blocked' | 'unreadable', why: string): OpenedPage {
  return { kind: 'verdict', verdict: { kind, why } };
}

function openJson(page: Page, text: string, words: UnknownWords): OpenedPage {
  const root = parseScriptJson(text.trimStart());
  if (root === undefined) return verdictOf('unreadable', 'a JSON response that cannot be read');
  const initial = at(root, 'props.pageProps.initialData') ?? root;
  return { kind: 'state', state: { page, initial, currency: currencyOn(page), words } };
}

/** Parses an answer: returns a state, the verdict from status or walls, or a page without state. */
export function openPage(page: Page, words: UnknownWords): OpenedPage {
  const early = readStatus(page);
  if (early !== null) return { kind: 'verdict', verdict: early };
  const { text } = decodeBody(page.body, page.headers['content-type']);
  if (/^[\s\ufeff]*[{[]/.test(text.slice(0, 200))) return openJson(page, text, words);
  const html = readHtml(text);
  const next = stateOfScript(html, '__NEXT_DATA__');
  const name = textAt(next, 'page');
  if (name !== null && WALL_PAGE.test(name)) return verdictOf('blocked', 'a wall by its own name');
  const initial = at(next, 'props.pageProps.initialData');
  if (typeof initial === 'object' && initial !== null) {
    return { kind: 'state', state: { page, initial, currency: currencyOn(page), words } };
  }
  const names = [html.title ?? '', ...html.headings];
  if (names.some((title) => WAITING_ROOM.test(title)))
    return verdictOf('blocked', 'a waiting room');
  return { kind: 'stateless', html };
}

/**
 * Returns the state of an answer, or the verdict from status, walls or a missing state. For pages that are not read without
 * a state.
 */
export function readPageState(page: Page, words: UnknownWords): PageState | FailedVerdict {
  const opened = openPage(page, words);
  if (opened.kind === 'state') return opened.state;
  if (opened.kind === 'verdict') return opened.verdict;
  const obstacle = readObstacle(opened.html, page);
  return obstacle ?? { kind: 'unreadable', why: 'a page without a state object' };
}

export function isState(answer: PageState | FailedVerdict): answer is PageState {
  return 'initial' in answer;
}

/** Returns the first non-empty object at one of the paths. */
function objectAmong(initial: unknown, paths: readonly string[]): unknown {
  return paths.map((path) => at(initial, path)).find((value) => hasObjectAt(value)) ?? null;
}

/** The parts of a state used by readers, from a page or a reply; null when missing. */
export const partsOf = (initial: unknown) => ({
  product: objectAmong(initial, ['data.product', 'product']),
  idml: objectAmong(initial, ['data.idml', 'idml']),
  reviews: objectAmong(initial, ['data.reviews', 'reviews', 'data.product.reviews']),
  search: objectAmong(initial, ['searchResult', 'data.searchResult', 'data.search.searchResult']),
  seller: objectAmong(initial, ['seller', 'data.seller']),
});

function isGone(error: unknown): boolean {
  const says = [
    textAt(error, 'message'),
    textAt(error, 'code'),
    textAt(error, 'extensions.code'),
    textAt(error, 'extensions.type.code'),
    textAt(error, 'extensions.type.description'),
  ];
  return says.some((text) => text !== null && /^404\b|\bnot[ _]found\b/i.test(text.slice(0, 300)));
}

/**
 * Returns why a state has no content of the requested kind: its errors say that it is gone or that the retailer's services
 * failed, or the content is empty.
 */
export function absenceOf({ initial }: PageState, name: string): FailedVerdict {
  const errors = listAt(initial, 'errors', 50);
  const about = errors.filter((error) => {
    const path = listAt(error, 'path', 5);
    return path.length === 0 || path.includes(name);
  });
  if (about.some(isGone)) return { kind: 'not_found', why: `the ${name} is not in the catalog` };
  if (about.length > 0) return { kind: 'retry', why: `the retailer could not load the ${name}` };
  const places = [at(initial, `data.${name}`), at(initial, name)];
  if (places.includes(null)) return { kind: 'not_found', why: `a page without its ${name}` };
  const data = at(initial, 'data');
  if (typeof data === 'object' && data !== null && !hasObjectAt(data)) {
    return { kind: 'not_found', why: `a page without its ${name}` };
  }
  return { kind: 'unreadable', why: `no ${name} in the state` };
}
