// Reads answers of retailer_l: product page, the older JSON behind it, search page. Their state (assigned by a script, in a
// data block, or the whole body of the older JSON answer) comes first; a page without state is left to the generic reader,
// which also supplies facts that the state lacks.

import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { wordToFind } from '../../page-data/html/find-word.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { hasObjectAt, textAt, at, listAt } from '../../page-data/json/json-path.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { assignedState, stateOfScript } from '../../page-data/json/script-state.ts';
import { pathOn } from '../addresses/product-path.ts';
import { inOtherLayout, productAnswer } from '../expected-fields.ts';
import { parsePage } from '../generic/parsed-page.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { readParsedPage } from '../generic/read-page.ts';
import { jsonBody } from '../json-body.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { retailerLAddressBook } from './address-book.ts';
import { hidesPrice, stateListing, isStateProduct } from './state-product.ts';
import type { StateEntry } from './state-product.ts';

const STATE = wordToFind('__PRELOADED_STATE__');

/** Returns the state of a page; undefined if there is none. */
function pageStateOf(html: HtmlPage): unknown {
  const assigned = assignedState(html, STATE);
  if (hasObjectAt(assigned)) return assigned;
  const next = stateOfScript(html, '__NEXT_DATA__');
  return [at(next, 'props.pageProps.initialState'), at(next, 'props.pageProps')].find((each) =>
    hasObjectAt(each),
  );
}

/**
 * Returns the page's product: the one identified by the state, else by the address. Some pages also have accessories, or
 * nothing else, so a page's only product counts only when neither identifies one.
 */
function productIn(
  state: unknown,
  addressed: string | null,
): (StateEntry & { readonly key: string }) | null {
  const details = at(state, 'productDetails');
  if (!hasObjectAt(details)) return null;
  const own = at(state, 'productId');
  const named = typeof own === 'number' ? String(own) : own;
  for (const key of [named, addressed]) {
    if (typeof key !== 'string') continue;
    const entry = (details as Record<string, unknown>)[key];
    if (Object.hasOwn(details as object, key) && isStateProduct(entry))
      return { key, entry, state };
  }
  if (typeof named === 'string' || addressed !== null) return null;
  const [only, second] = Object.entries(details as object) as [string, unknown][];
  if (only === undefined || second !== undefined || !isStateProduct(only[1])) return null;
  return { key: only[0], entry: only[1], state };
}

/** Paths of lists, newest layout first. */
const LISTS = ['itemList', 'searchResult.itemList', 'search.itemList', 'productList.itemList'];

type StateList = { readonly entries: readonly unknown[]; readonly root: unknown };

/** Returns the list of a search page; null if there is none. */
function listIn(state: unknown): StateList | null {
  for (const path of LISTS) {
    if (!Array.isArray(at(state, path))) continue;
    const parent = path.includes('.') ? at(state, path.slice(0, path.lastIndexOf('.'))) : state;
    return { entries: listAt(state, path, 200).filter(isStateProduct), root: parent };
  }
  return null;
}

const HIT_LIMIT = 100;

/** Returns the item id from the canonical address, or from the one the page was served from. */
function addressedItem(parsed: ParsedPage): string | null {
  for (const url of [parsed.context.canonical, parsed.context.url]) {
    const identifier = url === null ? null : retailerLAddressBook.reduce(url);
    if (identifier !== null) return identifier.value;
  }
  return null;
}

/**
 * Returns a remark with the store that these prices and stock belong to: the operator's, the one in the address, or an
 * assigned one.
 */
function storeRemark(state: unknown, key: string): readonly string[] {
  const places = [
    `productDetails.${key}.location.storeNumber`,
    'storeDetails.storeNumber',
    'storeDetails.id',
  ];
  const store = places.map((path) => textAt(state, path)).find((text) => text !== null);
  return store === null || store === undefined
    ? []
    : [`price and stock of store ${store.slice(0, 20)}`];
}

/**
 * Fills in the fields that the state lacks. Stock and identity only come from the state. A price hidden by the state
 * (`isHidden`) is not filled in either.
 */
function filled(listing: Listing, parsed: ParsedPage, isHidden: boolean): Listing {
  const generic = readParsedPage(parsed);
  if (generic.kind !== 'read') return listing;
  const { value } = generic;
  return {
    ...listing,
    gtin: listing.gtin ?? value.gtin,
    brand: listing.brand ?? value.brand,
    description: listing.description ?? value.description,
    imageUrl: listing.imageUrl ?? value.imageUrl,
    categories: value.categories,
    condition: value.condition,
    ...(listing.price === null && !isHidden
      ? { price: value.price, priceReadFrom: value.priceReadFrom, listPrice: value.listPrice }
      : {}),
  };
}

function stateProduct(state: unknown, parsed: ParsedPage): PageVerdict<RetailerAnswer> | null {
  const found = productIn(state, addressedItem(parsed));
  if (found === null) return null;
  const listing = stateListing(found, parsed.context.words);
  if (listing.title === null) return null;
  const isHtml = parsed.html.html !== '';
  const isHidden = hidesPrice(found.entry);
  const remarks = [
    'facts from the state',
    ...storeRemark(state, found.key),
    ...(isHidden ? ['the price is shown in the cart alone'] : []),
  ];
  return productAnswer(isHtml ? filled(listing, parsed, isHidden) : listing, remarks);
}

/** Returns the state of the answer, from a page or a JSON body. */
function stateOf(page: Page, parsed: ParsedPage): unknown {
  if (parsed.html.html !== '') return pageStateOf(parsed.html);
  return jsonBody(page);
}

/** Returns the generic reader's verdict, with the item id from the address. */
function genericAnswer(parsed: ParsedPage): PageVerdict<RetailerAnswer> {
  const generic = readParsedPage(parsed);
  const itemId = addressedItem(parsed);
  if (generic.kind !== 'read') return generic;
  const { url } = parsed.context;
  if (itemId === null) {
    const isOwn = url !== null && pathOn(retailerLAddressBook.hosts, url) !== null;
    return isOwn
      ? { kind: 'not_a_product', why: 'not the address of a product page' }
      : { kind: 'unreadable', why: 'not an address of this retailer' };
  }
  const { value } = generic;
  // The MPN in structured data is the state's model number.
  const listing = { ...value, itemId, model: value.model ?? value.mpn };
  const remarks = ['facts from JSON-LD or tags', ...generic.notes.remarks];
  return inOtherLayout(productAnswer(listing, remarks));
}

/** Reads a product page, or the older JSON behind it. */
export function readProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  const state = stateOf(page, parsed);
  const own = hasObjectAt(state) ? stateProduct(state, parsed) : null;
  if (own !== null) return own;
  if (listIn(state) !== null) return { kind: 'not_a_product', why: 'a list of products' };
  if (parsed.html.html === '') return { kind: 'unreadable', why: 'no product in the response' };
  return genericAnswer(parsed);
}

/** Reads the search page; a barcode may have redirected to a product page. */
export function readSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  const state = stateOf(page, parsed);
  const list = listIn(state);
  if (list === null) {
    const own = hasObjectAt(state) ? stateProduct(state, parsed) : null;
    const product = own ?? genericAnswer(parsed);
    if (product.kind === 'read') return product;
    const obstacle = readObstacle(parsed.html, page);
    return obstacle ?? { kind: 'unreadable', why: 'no list of products on the page' };
  }
  const byId = new Map<string, Listing>();
  for (const entry of list.entries) {
    const hit = stateListing({ entry, key: null, state: null }, words);
    if (hit.itemId !== null && !byId.has(hit.itemId)) byId.set(hit.itemId, hit);
  }
  const hits = [...byId.values()].slice(0, HIT_LIMIT);
  const notes = { missing: [], remarks: ['hits from the state'] };
  const total = countAt(list.root, 'itemCount');
  return { kind: 'read', value: { kind: 'search', hits, total }, notes };
}
