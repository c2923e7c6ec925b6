// Fetches and reads one product page of one shop: which addresses to fetch, in what order, and which listing their answers
// form together. Stores nothing.

import type { FetchContext } from '../../../base/fetch-context.ts';
import { DAY_MS, isDoneSince, type Clock } from '../../../base/clock.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { MAX_FOLLOWED, type ReadAnswer } from './ask-retailer.ts';
import { reportFound } from './failed-fetch.ts';
import type {
  ChosenVariant,
  FailedVerdict,
  FetchFailure,
  Fetcher,
  Page,
  PageRequest,
  PageVerdict,
  ReadNotes,
} from '../../../base/listing/page.ts';
import { strictest } from '../../../base/listing/signals.ts';
import type { Slug } from '../../../base/retailer.ts';
import {
  type StatedShopFacts,
  hostedStoreRequests,
  mergeHostedStore,
  productPageUrl,
} from '../../../read/retailers/hosted-store.ts';
import { missingFields } from '../../../read/retailers/expected-fields.ts';
import type { ShopFacts } from '../../../data/answers/shops.ts';

type Read = {
  readonly kind: 'read';
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** The address that answered, after redirects. */
  readonly url: string;
};

/** A listing, a page without one, or a failed fetch. */
export type Gathered = {
  readonly result:
    | Read
    | { readonly kind: 'verdict'; readonly verdict: FailedVerdict }
    | { readonly kind: 'failure'; readonly failure: FetchFailure }
    /** The address led to a page that does not speak for the shop; `read` is null if it is no product page either. */
    | { readonly kind: 'elsewhere'; readonly read: Read | null };
  /** When the newest answer arrived; null if none did. */
  readonly fetchedAtMs: number | null;
  /** Which answer names the product. */
  readonly door: 'page' | 'product_json';
  /** What the page states about its shop. Null without a page, or if its address cannot be a hosted store's. */
  readonly shopFacts: ShopFacts | null;
};

export type GatherParts = {
  readonly fetch: Fetcher;
  readonly readAnswer: ReadAnswer;
  /** Reads what a page says about its shop. */
  readonly readShop: (page: Page, context: FetchContext) => Promise<StatedShopFacts>;
  readonly clock: Clock;
};

type GatherInput = {
  readonly url: string;
  readonly slug: Slug;
  readonly facts: ShopFacts | null;
  readonly context: FetchContext;
  /** The variant whose price counted when the address was last read; null if none is known. */
  readonly chosenBefore: ChosenVariant | null;
  /** Checks whether the page at an address, to which the shop may redirect, speaks for the shop. */
  readonly isOwn: (url: string) => boolean;
};

export async function gatherPages(parts: GatherParts, input: GatherInput): Promise<Gathered> {
  const requests = hostedStoreRequests(new URL(input.url));
  if (requests === null || input.facts?.platform === 'other') return gatherHtml(parts, input);
  const isKnownStore = input.facts?.platform === 'hosted';
  const hasCurrency = isKnownStore && isFresh(input.facts, parts.clock.now());
  // For an unknown host the page is fetched first: most shops are not hosted stores, and one request is then enough. For a
  // known hosted store the JSON is fetched, and the page only once a day (D26).
  const html = hasCurrency ? null : await gatherHtml(parts, input);
  if (html !== null && html.shopFacts?.platform !== 'hosted' && !isKnownStore) return html;
  return gatherHostedStore(parts, input, requests, html);
}

function isFresh(facts: ShopFacts | null, nowMs: number): boolean {
  return (
    facts !== null &&
    facts.currency !== null &&
    isDoneSince(facts.learnedAtMs, nowMs - DAY_MS, nowMs)
  );
}

async function fetchAndRead(
  parts: GatherParts,
  request: PageRequest,
  input: GatherInput,
): Promise<{ gathered: Gathered; page: Page | null }> {
  const outcome = await parts.fetch(request, input.context);
  if (!outcome.ok) {
    const result = { kind: 'failure' as const, failure: outcome.failure };
    return { gathered: { result, fetchedAtMs: null, door: 'page', shopFacts: null }, page: null };
  }
  const { chosenBefore } = input;
  const page = { ...outcome.page, ...(chosenBefore === null ? {} : { chosenBefore }) };
  const verdict = await parts.readAnswer(page, 'product', input.slug, input.context);
  if (verdict !== null) await reportFound(outcome, verdict);
  const isElsewhere = !input.isOwn(page.url);
  // A refusal page may be on another host.
  const isRefusal = verdict?.kind === 'blocked' || verdict?.kind === 'retry';
  const found = resultOf(verdict, addressOf(page, input));
  const read = found.kind === 'read' ? found : null;
  const result = isElsewhere && !isRefusal ? ({ kind: 'elsewhere', read } as const) : found;
  const gathered = {
    result,
    fetchedAtMs: page.fetchedAtMs,
    door: 'page',
    shopFacts: null,
  } as const;
  return { gathered, page };
}

/** Returns the product page that an answer represents: a hosted store's JSON represents the page of the same name. */
function addressOf(page: Page, { url }: GatherInput): string {
  const requests = hostedStoreRequests(new URL(url));
  const isJson =
    requests !== null && [requests.json.url, requests.js.url].includes(page.requestedUrl);
  if (!isJson) return page.url;
  return page.url === page.requestedUrl ? url : (productPageUrl(page) ?? page.url);
}

/** Every shop has a reader of product pages. An answer of another kind means that the page is not a product page. */
function resultOf(
  verdict: PageVerdict<RetailerAnswer> | null,
  url: string,
): Exclude<Gathered['result'], { kind: 'elsewhere' }> {
  if (verdict === null) {
    return { kind: 'verdict', verdict: { kind: 'unreadable', why: 'no reader' } };
  }
  if (verdict.kind !== 'read') return { kind: 'verdict', verdict };
  const { value, notes } = verdict;
  if (value.kind === 'product') return { kind: 'read', listing: value.listing, notes, url };
  const why = `the page is ${value.kind}`;
  return { kind: 'verdict', verdict: { kind: 'not_a_product', why } };
}

async function gatherHtml(parts: GatherParts, input: GatherInput): Promise<Gathered> {
  let request: PageRequest = { url: input.url, accept: 'html' };
  let { gathered, page } = await fetchAndRead(parts, request, input);
  for (let followed = 0; followed < MAX_FOLLOWED; followed += 1) {
    const { result } = gathered;
    if (result.kind !== 'verdict' || result.verdict.kind !== 'follow') break;
    request = result.verdict.request;
    ({ gathered, page } = await fetchAndRead(parts, request, input));
  }
  if (page === null || page.status >= 400) return gathered;
  return { ...gathered, shopFacts: await shopFactsOf(parts, input, page) };
}

/** Returns facts about the shop; null for a page whose address cannot be a hosted store's. */
async function shopFactsOf(
  parts: GatherParts,
  input: GatherInput,
  page: Page,
): Promise<ShopFacts | null> {
  if (hostedStoreRequests(new URL(input.url)) === null) return null;
  const shop = await parts.readShop(page, input.context);
  return {
    host: new URL(input.url).hostname,
    platform: shop.isHosted ? 'hosted' : 'other',
    currency: shop.currency,
    learnedAtMs: page.fetchedAtMs,
  };
}

type StoreRequests = NonNullable<ReturnType<typeof hostedStoreRequests>>;

/**
 * Reads the store's public JSON, its `.js` twin for stock and barcode, and the page for the currency. If the JSON is
 * disabled, the page alone is used.
 */
async function gatherHostedStore(
  parts: GatherParts,
  input: GatherInput,
  requests: StoreRequests,
  html: Gathered | null,
): Promise<Gathered> {
  const json = await fetchAndRead(parts, requests.json, input);
  const js = await fetchAndRead(parts, requests.js, input);
  const fromJson = readIn(json.gathered);
  const fromJs = readIn(js.gathered);
  // Only the `.js` and the page state the stock.
  const page = html ?? (fromJs === null ? await gatherHtml(parts, input) : null);
  const fromHtml = page === null ? null : readIn(page);
  if (fromJson === null && fromJs === null) return page ?? json.gathered;
  const listing = mergeHostedStore({
    json: fromJson?.listing ?? null,
    js: fromJs?.listing ?? null,
    html: fromHtml?.listing ?? null,
    currency: page?.shopFacts?.currency ?? input.facts?.currency ?? null,
  });
  if (listing === null) return page ?? json.gathered;
  const { url } = fromHtml ?? fromJs ?? fromJson ?? { url: input.url };
  const remarks = [fromJs, fromJson, fromHtml].flatMap((each) => each?.notes.remarks ?? []);
  const chosen = [fromJs, fromJson, fromHtml].map((each) => each?.notes.chosen).find(Boolean);
  const signals = strictest([fromJs, fromJson, fromHtml].map((each) => each?.notes.signals));
  const notes = {
    missing: missingFields(listing),
    remarks,
    ...(chosen === undefined ? {} : { chosen }),
    ...(signals === undefined ? {} : { signals }),
  };
  const times = [json, js].map((each) => each.gathered.fetchedAtMs ?? 0);
  return {
    result: { kind: 'read', listing, notes, url },
    fetchedAtMs: Math.max(...times, page?.fetchedAtMs ?? 0),
    door: 'product_json',
    shopFacts: page?.shopFacts ?? null,
  };
}

function readIn({ result }: Gathered): Read | null {
  return result.kind === 'read' ? result : null;
}
