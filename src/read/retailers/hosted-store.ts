// Hosted stores: the public product JSON at `/products/<handle>.json` and `.js` on any host. Defines which addresses to
// fetch, how to read the answers, and how to combine them with the product page into one listing.

import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { joinedCodes } from '../../base/listing/stated-codes.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { isCurrencyCode } from '../../base/listing/money/currencies.ts';
import { inCurrency, isSameAmount } from '../../base/listing/money/minor-units.ts';
import type { Page, PageRequest, PageVerdict } from '../../base/listing/page.ts';
import { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { OFFERS_OF_PAGE } from '../page-data/facts.ts';
import { readHtml } from '../page-data/html/html.ts';
import { parseJson } from '../page-data/json/bounded-json.ts';
import { isNode, listOf, valueOf } from '../page-data/schema-org/node.ts';
import type { SchemaNode } from '../page-data/schema-org/node.ts';
import { readOpenGraph } from '../page-data/open-graph.ts';
import { isHostedStoreHtml, readStoreScript } from '../page-data/hosted-store/store-script.ts';
import { readStoreProduct, variantWithBarcode } from '../page-data/hosted-store/store-product.ts';
import { askedIn, NOTHING_ASKED } from '../page-data/variants/asked-address.ts';
import type { AskedAddress } from '../page-data/variants/asked-address.ts';
import { storeApiRootOf } from './store-api.ts';
import { optionName } from '../page-data/variants/option-names.ts';

/** The two addresses of a product's JSON, and its handle. */
type HostedStoreRequests = {
  readonly handle: string;
  readonly json: PageRequest;
  readonly js: PageRequest;
  /** Whether the address is for visitors from one country, with amounts in that country's currency. */
  readonly isOfCountry: boolean;
};

const LOCALE = /^[a-z]{2}(?:-[a-z]{2})?$/i;
const ENDING = /\.(?:json|js|html|oembed|atom)$/i;

/**
 * Returns the product handle in a hosted store's path: `/products/<h>`, `/collections/<c>/products/<h>`, `/<locale>/...`.
 */
function handleOf(url: URL): { readonly prefix: string; readonly handle: string } | null {
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const locale = LOCALE.test(parts[0] ?? '') ? parts.shift() : undefined;
  if (parts[0] === 'collections' && parts.length >= 4) parts.splice(0, 2);
  if (parts[0] !== 'products' || parts.length !== 2) return null;
  const handle = (parts[1] ?? '').replace(ENDING, '');
  if (handle === '') return null;
  return { prefix: locale === undefined ? '' : `/${locale}`, handle };
}

/**
 * Returns the addresses of a product's public JSON; null when the path is not a hosted store's product. Keeps the locale,
 * which determines language and currency, and only what may name a variant from the query.
 */
export function hostedStoreRequests(url: URL): HostedStoreRequests | null {
  const found = handleOf(url);
  if (found === null) return null;
  const variant = url.searchParams.get('variant');
  const query =
    variant !== null && /^\d{1,20}$/.test(variant) ? `?variant=${variant}` : optionsOf(url);
  const base = `${url.origin}${found.prefix}/products/${found.handle}`;
  return {
    handle: found.handle,
    json: { url: `${base}.json${query}`, accept: 'json' },
    js: { url: `${base}.js${query}`, accept: 'json' },
    isOfCountry: found.prefix.includes('-'),
  };
}

/** Returns the parameters that are named like options. The store ignores them, but the reader does not. */
function optionsOf({ searchParams }: URL): string {
  const options = [...searchParams].filter(([name]) => optionName(name).isOption);
  return options.length === 0 ? '' : `?${new URLSearchParams(options).toString()}`;
}

/** Returns the product in an answer: `{"product": {...}}` or the product itself; null for anything else. */
function storeProductOf(value: unknown): SchemaNode | null {
  if (!isNode(value)) return null;
  const inner = valueOf(value, 'product');
  const product = isNode(inner) ? inner : value;
  const hasShape =
    typeof valueOf(product, 'title') === 'string' && Array.isArray(valueOf(product, 'variants'));
  return hasShape ? product : null;
}

/** Returns the address of the product page, from the address of either JSON. */
export function productPageUrl(page: Page): string | null {
  if (!URL.canParse(page.url)) return null;
  const url = new URL(page.url);
  url.hash = '';
  url.pathname = url.pathname.replace(/\.(?:json|js)$/i, '');
  const variant = url.searchParams.get('variant');
  url.search = variant === null ? '' : `?variant=${encodeURIComponent(variant)}`;
  return url.href;
}

/** The JSON of a product is often served from an address without the parameters that were requested. */
function askedOf({ url, requestedUrl, chosenBefore }: Page): AskedAddress {
  const all = [url, requestedUrl]
    .map((address) => URL.parse(address))
    .filter((one) => one !== null);
  const asked = all.map((one) => askedIn(one, null, chosenBefore));
  return asked.find(({ options }) => options.length > 0) ?? asked[0] ?? NOTHING_ASKED;
}

/** Reads the product object of a hosted store. */
function readStoreValue(product: SchemaNode, page: Page): PageVerdict<Listing> {
  const base = URL.canParse(page.url) ? new URL(page.url) : null;
  const read = readStoreProduct(product, { asked: askedOf(page), base });
  const listing: Listing = { ...EMPTY_LISTING, ...read.facts, url: productPageUrl(page) };
  if (listing.title === null) return { kind: 'unreadable', why: 'a product without a title' };
  const chosen = read.chosen === null ? {} : { chosen: read.chosen };
  return {
    kind: 'read',
    value: listing,
    notes: { missing: [], remarks: read.remarks, ...chosen },
  };
}

/** Reads the product JSON of a hosted store; null for every other body. */
export function readStoreJson(page: Page): PageVerdict<Listing> | null {
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const product = storeProductOf(parseJson(text));
  return product === null ? null : readStoreValue(product, page);
}

/** The facts that a shop's own HTML page states about the shop (D26). */
export type StatedShopFacts = {
  readonly isHosted: boolean;
  readonly currency: string | null;
  /** The root of the shop's REST API if the page belongs to a shop with a store API; null for every other page. */
  readonly storeApi: string | null;
};

export function readShopFacts(page: Page): StatedShopFacts {
  return {
    isHosted: isHostedStorePage(page),
    currency: readShopCurrency(page),
    storeApi: storeApiRootOf(page),
  };
}

/** Returns the request for the products of a hosted store with a variant of this barcode. */
export function hostedStoreSearch(host: string, barcode: string): PageRequest {
  const url = new URL(`https://${host}/search/suggest.json`);
  url.searchParams.set('q', barcode);
  url.searchParams.set('resources[type]', 'product');
  url.searchParams.set('resources[limit]', '10');
  url.searchParams.set('resources[options][fields]', 'variants.barcode');
  return { url: url.href, accept: 'json' };
}

/** Maximum bytes of the answer to a search, or of a shop's description of itself. Larger bodies are something else. */
const MOST_BYTES = 1_048_576;

function smallJson({ body, headers }: Page): unknown {
  if (body.byteLength > MOST_BYTES) return null;
  return parseJson(decodeBody(body, headers['content-type']).text);
}

/** Returns the handles of the products in an answer to a search, in its order; null for every other body. */
export function suggestedHandles(page: Page): readonly string[] | null {
  let value: unknown = smallJson(page);
  for (const name of ['resources', 'results']) value = isNode(value) ? valueOf(value, name) : null;
  if (!isNode(value)) return null;
  return listOf(value, 'products')
    .filter(isNode)
    .map((product) => valueOf(product, 'handle'))
    .filter((handle) => typeof handle === 'string')
    .filter((handle) => /^[\p{L}\p{N}_-]{1,255}$/u.test(handle));
}

/** Returns the variant in a product's JSON that prints a barcode, as `variantWithBarcode` does; `unread` for any other body. */
export function variantPrinting(
  page: Page,
  gtin: Gtin14,
): ReturnType<typeof variantWithBarcode> | 'unread' {
  const product = storeProductOf(smallJson(page));
  return product === null ? 'unread' : variantWithBarcode(product, gtin);
}

/** Returns the currency in a hosted store's `/meta.json`; null for every other body. */
export function readMetaCurrency(page: Page): string | null {
  const meta = smallJson(page);
  const code = isNode(meta) ? valueOf(meta, 'currency') : null;
  return typeof code === 'string' && isCurrencyCode(code) ? code : null;
}

/** Whether an HTML page is from a hosted store, by its headers or its scripts. */
function isHostedStorePage(page: Page): boolean {
  const names = Object.keys(page.headers);
  if (names.some((name) => /^x-shop(?:id|ify)/.test(name))) return true;
  if (/shopify/i.test(page.headers['powered-by'] ?? '')) return true;
  return isHostedStoreHtml(decodeBody(page.body, page.headers['content-type']).text);
}

/**
 * Returns the shop's own currency from one of its HTML pages, for JSON without one (D26): the script's currency unless the
 * page is converted to another one, otherwise the tags'; null when unknown.
 */
function readShopCurrency(page: Page): string | null {
  if (page.status !== 200) return null;
  const html = readHtml(decodeBody(page.body, page.headers['content-type']).text);
  const script = readStoreScript(html);
  if (script?.isConverted === true) return null;
  if (script !== null && script.activeCurrency !== null) return script.activeCurrency;
  const url = URL.canParse(page.url) ? new URL(page.url) : null;
  const left = { offers: OFFERS_OF_PAGE };
  const words = new UnknownWords();
  const before = {
    url,
    canonical: url,
    asked: NOTHING_ASKED,
    dollarIsUs: false,
    currency: null,
    named: null,
    words,
    left,
  };
  const context = {
    ...before,
    decimalMark: null,
    askedCurrency: null,
    country: null,
    shown: null,
    nowMs: page.fetchedAtMs,
  };
  return readOpenGraph(html.metas, context).plain?.money.currency ?? null;
}

type HostedStoreAnswers = {
  readonly json?: Listing | null;
  readonly js?: Listing | null;
  readonly html?: Listing | null;
  /** The shop's own currency, from `readShopCurrency`. */
  readonly currency?: string | null;
};

/** Returns the JSON's amount in the shop's currency, or the page's amount and currency when that is unknown. */
function mergedPrice(answers: HostedStoreAnswers): Pick<Listing, 'price' | 'listPrice'> {
  const page = answers.html ?? null;
  const own = ownPrice(answers);
  if (own === null || own.price === null) {
    return { price: page?.price ?? null, listPrice: page?.listPrice ?? null };
  }
  const stated = page?.price ?? null;
  const same = stated !== null && isSameAmount(stated, own.price) ? stated.currency : null;
  const currency = own.price.currency ?? answers.currency ?? same;
  if (currency === null && stated !== null && stated.currency !== null && page !== null) {
    return { price: stated, listPrice: page.listPrice };
  }
  const list = own.listPrice;
  return {
    price: inCurrency(own.price, currency),
    listPrice: list === null ? null : inCurrency(list, currency),
  };
}

/**
 * Returns the listing whose price counts: that of `.js`, which is in hundredths in every currency, unless `.json` states the same
 * amount with more decimals.
 */
function ownPrice({ js = null, json = null }: HostedStoreAnswers): Listing | null {
  if (js === null || js.price === null) return json;
  const finer = json?.price ?? null;
  return finer?.finer !== undefined && finer.cents === js.price.cents ? json : js;
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Combines a store's answers into one listing. Facts come from `.js`, then `.json`, then the page (the only one with
 * rating, condition and seller); the price comes from `.js`, then `.json`, in the shop's currency.
 */
export function mergeHostedStore(answers: HostedStoreAnswers): Listing | null {
  const order = [answers.js, answers.json, answers.html].filter(
    (listing) => listing !== null && listing !== undefined,
  );
  const best = order[0];
  if (best === undefined) return null;
  const merged: Record<string, unknown> = { ...best };
  for (const listing of order.slice(1)) {
    for (const [name, value] of Object.entries(listing)) {
      if (isEmpty(merged[name]) && !isEmpty(value)) merged[name] = value;
    }
  }
  const whole = merged as unknown as Listing;
  const codes = joinedCodes(order.map((listing) => listing.codes));
  return { ...whole, codes, url: answers.html?.url ?? whole.url, ...mergedPrice(answers) };
}
