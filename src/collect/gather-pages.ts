// One product page of one shop, fetched and read: which addresses are asked, in what order, and what their
// answers add up to. Fetches through the port it is given and stores nothing.

import type { FetchContext } from '../core/fetch-context.ts';
import { DAY_MS, type Clock } from '../core/clock.ts';
import type { Listing } from '../listing/listing.ts';
import type { RetailerAnswer } from '../listing/retailer-answer.ts';
import type { ReadAnswer } from './ask-retailer.ts';
import type {
  FetchFailure,
  Fetcher,
  Page,
  PageRequest,
  PageVerdict,
  ReadNotes,
} from '../listing/page.ts';
import type { Slug } from '../core/retailer.ts';
import { hostedStoreRequests, mergeHostedStore } from '../retailers/hosted-store.ts';
import { missingFields } from '../retailers/expected-fields.ts';
import type { ShopFacts } from '../store/shops.ts';

/** What a shop's own HTML page tells about the shop (D26). */
type StatedShopFacts = { readonly isHosted: boolean; readonly currency: string | null };

/** A page of which no listing was read, and why. */
export type OtherVerdict = Exclude<PageVerdict<RetailerAnswer>, { kind: 'read' }>;

type Read = { readonly kind: 'read'; readonly listing: Listing; readonly notes: ReadNotes };

/** What came of it: the listing, a page that held none, or a fetch that failed. */
export type Gathered = {
  readonly result:
    | Read
    | { readonly kind: 'verdict'; readonly verdict: OtherVerdict }
    | { readonly kind: 'failure'; readonly failure: FetchFailure };
  /** When the newest answer arrived; null when none did. */
  readonly fetchedAtMs: number | null;
  /** What was learnt about the host, to be remembered with the listing. */
  readonly learnt: ShopFacts | null;
};

export type GatherParts = {
  readonly fetch: Fetcher;
  readonly readAnswer: ReadAnswer;
  /** What a page says about its shop. */
  readonly readShop: (page: Page) => Promise<StatedShopFacts>;
  readonly clock: Clock;
};

export type GatherInput = {
  readonly url: string;
  readonly slug: Slug;
  readonly facts: ShopFacts | null;
  readonly context: FetchContext;
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
  const outcome = await parts.fetch(request, input.context);
  if (!outcome.ok) {
    const result = { kind: 'failure' as const, failure: outcome.failure };
    return { gathered: { result, fetchedAtMs: null, learnt: null }, page: null };
  }
  const { page } = outcome;
  const result = resultOf(await parts.readAnswer(page, 'product', input.slug));
  return { gathered: { result, fetchedAtMs: page.fetchedAtMs, learnt: null }, page };
}

/** Every shop has a reader of product pages; one that tells something else of the page says that it is none. */
function resultOf(verdict: PageVerdict<RetailerAnswer> | null): Gathered['result'] {
  if (verdict === null) {
    return { kind: 'verdict', verdict: { kind: 'unreadable', why: 'no reader' } };
  }
  if (verdict.kind !== 'read') return { kind: 'verdict', verdict };
  const { value, notes } = verdict;
  if (value.kind === 'product') return { kind: 'read', listing: value.listing, notes };
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
  return { ...gathered, learnt: await learn(parts, input, page) };
}

/** Only a page whose address could be a hosted store's is worth asking what its shop is. */
async function learn(
  parts: GatherParts,
  input: GatherInput,
  page: Page,
): Promise<ShopFacts | null> {
  if (hostedStoreRequests(new URL(input.url)) === null) return null;
  const shop = await parts.readShop(page);
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
  const fromJson = readIn(json.gathered);
  const fromJs = readIn(js.gathered);
  // No stock without the `.js`: then the page has to tell it.
  const page = html ?? (fromJs === null ? await gatherHtml(parts, input) : null);
  const fromHtml = page === null ? null : readIn(page);
  if (fromJson === null && fromJs === null) return page ?? json.gathered;
  const listing = mergeHostedStore({
    json: fromJson?.listing ?? null,
    js: fromJs?.listing ?? null,
    html: fromHtml?.listing ?? null,
    currency: page?.learnt?.currency ?? input.facts?.currency ?? null,
  });
  if (listing === null) return page ?? json.gathered;
  const remarks = [fromJs, fromJson, fromHtml].flatMap((each) => each?.notes.remarks ?? []);
  const notes = { missing: missingFields(listing), remarks };
  const times = [json, js].map((each) => each.gathered.fetchedAtMs ?? 0);
  return {
    result: { kind: 'read', listing, notes },
    fetchedAtMs: Math.max(...times, page?.fetchedAtMs ?? 0),
    learnt: page?.learnt ?? null,
  };
}

function readIn({ result }: Gathered): Read | null {
  return result.kind === 'read' ? result : null;
}
