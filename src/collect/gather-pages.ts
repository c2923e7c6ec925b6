// One product page of one shop, fetched and read: which addresses are asked, in what order, and what their
// answers add up to. Fetches through the port it is given and stores nothing.

import { DAY_MS, type Clock } from '../core/clock.ts';
import type { Listing } from '../listing/listing.ts';
import type { FetchFailure, Fetcher, Page, PageRequest, PageVerdict } from '../listing/page.ts';
import type { Slug } from '../core/retailer.ts';
import { hostedStoreRequests, mergeHostedStore } from '../retailers/hosted-store.ts';
import { missingFields } from '../retailers/expected-fields.ts';
import type { ShopFacts } from '../store/shops.ts';

/** What a shop's own HTML page tells about the shop (D26). */
type ShopReading = { readonly isHosted: boolean; readonly currency: string | null };

/** The pure readers, run where a hostile page cannot stop the service. */
export type PageReaders = {
  readonly product: (page: Page, slug?: string) => Promise<PageVerdict<Listing>>;
  readonly shop: (page: Page) => Promise<ShopReading>;
};

/** What came of it: a verdict with the page's address, or a fetch that failed. */
export type Gathered = {
  readonly result:
    | { readonly kind: 'verdict'; readonly verdict: PageVerdict<Listing>; readonly url: string }
    | { readonly kind: 'failure'; readonly failure: FetchFailure };
  /** When the newest answer arrived; null when none did. */
  readonly fetchedAtMs: number | null;
  /** What was learnt about the host, to be remembered with the listing. */
  readonly learnt: ShopFacts | null;
};

export type GatherParts = {
  readonly fetch: Fetcher;
  readonly readers: PageReaders;
  readonly clock: Clock;
};

export type GatherInput = {
  readonly url: string;
  readonly slug: Slug;
  readonly facts: ShopFacts | null;
  readonly signal: AbortSignal;
};

/** At most this many search or interstitial pages are followed to a product page. */
const MAX_FOLLOWED = 3;

export async function gatherPages(parts: GatherParts, input: GatherInput): Promise<Gathered> {
  const requests = hostedStoreRequests(new URL(input.url));
  if (requests === null || input.facts?.platform === 'other') return gatherHtml(parts, input);
  const isKnownStore = input.facts?.platform === 'hosted';
  const hasCurrency = isKnownStore && isFresh(input.facts, parts.clock.now());
  // An unknown host is asked for its page first: most shops are no hosted stores, and then one request is
  // all it takes. A known one is asked for its JSON, and for the page only once a day (D26).
  const html = hasCurrency ? null : await gatherHtml(parts, input);
  if (html !== null && html.learnt?.platform !== 'hosted' && !isKnownStore) return html;
  return gatherHostedStore(parts, input, requests, html);
}

function isFresh(facts: ShopFacts | null, nowMs: number): boolean {
  return facts !== null && facts.currency !== null && nowMs - facts.learnedAtMs < DAY_MS;
}

async function fetchAndRead(
  parts: GatherParts,
  request: PageRequest,
  input: GatherInput,
): Promise<{ gathered: Gathered; page: Page | null }> {
  const outcome = await parts.fetch(request, input.signal);
  if (!outcome.ok) {
    const result = { kind: 'failure' as const, failure: outcome.failure };
    return { gathered: { result, fetchedAtMs: null, learnt: null }, page: null };
  }
  const { page } = outcome;
  const verdict = await parts.readers.product(page, input.slug);
  const result = { kind: 'verdict' as const, verdict, url: page.url };
  return { gathered: { result, fetchedAtMs: page.fetchedAtMs, learnt: null }, page };
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
  return { ...gathered, learnt: await learn(parts, input, page) };
}

/** Only a page whose address could be a hosted store's is worth asking what its shop is. */
async function learn(
  parts: GatherParts,
  input: GatherInput,
  page: Page,
): Promise<ShopFacts | null> {
  if (hostedStoreRequests(new URL(input.url)) === null) return null;
  const shop = await parts.readers.shop(page);
  return {
    host: new URL(input.url).hostname,
    platform: shop.isHosted ? 'hosted' : 'other',
    currency: shop.currency,
    learnedAtMs: page.fetchedAtMs,
  };
}

type StoreRequests = NonNullable<ReturnType<typeof hostedStoreRequests>>;

/**
 * The store's public JSON, its `.js` twin for stock and barcode, the page for currency. Where the JSON is
 * switched off, the page alone answers.
 */
async function gatherHostedStore(
  parts: GatherParts,
  input: GatherInput,
  requests: StoreRequests,
  html: Gathered | null,
): Promise<Gathered> {
  const json = await fetchAndRead(parts, requests.json, input);
  const js = await fetchAndRead(parts, requests.js, input);
  const fromJson = readingOf(json.gathered);
  const fromJs = readingOf(js.gathered);
  // No stock without the `.js`: then the page has to tell it.
  const page = html ?? (fromJs === null ? await gatherHtml(parts, input) : null);
  const fromHtml = page === null ? null : readingOf(page);
  if (fromJson === null && fromJs === null) return page ?? json.gathered;
  const value = mergeHostedStore({
    json: fromJson?.value ?? null,
    js: fromJs?.value ?? null,
    html: fromHtml?.value ?? null,
    currency: page?.learnt?.currency ?? input.facts?.currency ?? null,
  });
  if (value === null) return page ?? json.gathered;
  const remarks = [fromJs, fromJson, fromHtml].flatMap((each) => each?.notes.remarks ?? []);
  const notes = { missing: missingFields(value), remarks };
  const verdict: PageVerdict<Listing> = { kind: 'read', value, notes };
  const times = [json, js].map((each) => each.gathered.fetchedAtMs ?? 0);
  return {
    result: { kind: 'verdict', verdict, url: input.url },
    fetchedAtMs: Math.max(...times, page?.fetchedAtMs ?? 0),
    learnt: page?.learnt ?? null,
  };
}

type ReadVerdict = Extract<PageVerdict<Listing>, { kind: 'read' }>;

function readingOf({ result }: Gathered): ReadVerdict | null {
  return result.kind === 'verdict' && result.verdict.kind === 'read' ? result.verdict : null;
}
