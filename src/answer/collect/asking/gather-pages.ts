// Fetches and reads one product of one shop: which doors to try, in what order, and which listing their answers form together
// (D82). Stores nothing.

import type { Clock } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { MAX_FOLLOWED, type ReadAnswer } from './ask-retailer.ts';
import { reportFound } from './failed-fetch.ts';
import {
  doorOf,
  isOfEndpoint,
  refusedUntil,
  type DoorAnswer,
  type DoorQuestion,
  type EndpointAnswer,
  type Gathered,
  type GatheredPage,
  type KnownShop,
  type ShopProtocol,
} from './doors.ts';
import { PRODUCT_JSON } from './product-json-door.ts';
import { STORE_API } from './store-api-door.ts';
import { ucpDoor } from './ucp-door.ts';
import type {
  ChosenVariant,
  Fetcher,
  Page,
  PageRequest,
  PageVerdict,
} from '../../../base/listing/page.ts';
import type { Slug } from '../../../base/retailer.ts';
import {
  type StatedShopFacts,
  hostedStoreRequests,
  productPageUrl,
} from '../../../read/retailers/hosted-store.ts';
import { mayNameStoreApi } from '../../../read/retailers/store-api.ts';
import type { ShopDoor } from '../../../data/answers/shops.ts';

/** In the order in which they are tried. */
function protocolsOf({ agentProfile }: GatherParts): readonly ShopProtocol[] {
  const own = [STORE_API, PRODUCT_JSON];
  return agentProfile === null ? own : [ucpDoor(agentProfile), ...own];
}

/** The facts that were gathered, and the state of the shop's doors. */
type GatheredFromShop = Gathered & { readonly learned: readonly ShopDoor[] };

export type GatherParts = {
  readonly fetch: Fetcher;
  readonly readAnswer: ReadAnswer;
  /** Reads the facts that a page states about its shop. */
  readonly readShop: (page: Page, context: FetchContext) => Promise<StatedShopFacts>;
  readonly clock: Clock;
  /** The address of this installation's profile; null if it has none. Catalogues are then not asked (D82). */
  readonly agentProfile: string | null;
};

type GatherInput = {
  readonly url: string;
  readonly slug: Slug;
  readonly shop: KnownShop;
  readonly context: FetchContext;
  /** The listing that the address showed last; null if none is stored. */
  readonly before: Listing | null;
  /** Whether its listings count for a barcode, which some protocols do not state. */
  readonly wantsBarcode: boolean;
  /** The variant whose price counted when the address was last read; null if none is known. */
  readonly chosenBefore: ChosenVariant | null;
  /** Checks whether the page at an address, to which the shop may redirect, speaks for the shop. */
  readonly isOwn: (url: string) => boolean;
};

/** One gathering: the facts known so far, and the functions that continue it. */
function beginGathering(parts: GatherParts, input: GatherInput) {
  const nowMs = parts.clock.now();
  const url = new URL(input.url);
  // The currency at an address for visitors of a country is not the shop's.
  const isOfCountry = hostedStoreRequests(url)?.isOfCountry === true;
  const learned = new Map<string, ShopDoor>();
  const note: DoorQuestion['note'] = (door) => {
    learned.set(door.door, { host: url.hostname, learnedAtMs: nowMs, ...door });
  };
  const askEndpoint = endpointsOf(parts, input);
  let reading: Promise<GatheredPage> | null = null;
  const readPage = () => (reading ??= gatherHtml(parts, input));
  const askDoor = async (
    { door, ask }: ShopProtocol,
    detail: string | null,
    page: GatheredPage | null,
  ): Promise<DoorAnswer> => {
    const answer = await ask({
      ...input,
      detail,
      nowMs,
      page,
      readPage,
      ask: askEndpoint,
      fetchUnread: (request) => fetchUnread(parts, { ...request, insteadOf: input.url }, input),
      note,
    });
    const refusedUntilMs = answer.kind === 'refused' ? refusedUntil(answer.gathered, nowMs) : null;
    if (refusedUntilMs !== null) note({ door, isThere: true, detail, refusedUntilMs });
    return answer;
  };
  const withLearned = (gathered: Gathered): GatheredFromShop => ({
    ...gathered,
    ...(isOfCountry ? { shopFacts: null } : {}),
    learned: [...learned.values()],
  });
  return { nowMs, url, note, readPage, askDoor, withLearned };
}

/**
 * Tries the protocols that the shop is known to speak, then its page, then the protocols that the page announces. A shop
 * that speaks none gets one request.
 */
export async function gatherPages(
  parts: GatherParts,
  input: GatherInput,
): Promise<GatheredFromShop> {
  const { nowMs, url, note, readPage, askDoor, withLearned } = beginGathering(parts, input);
  const protocols = protocolsOf(parts);
  const asked = new Set<ShopProtocol>();
  const missing: ShopProtocol[] = [];
  let heldUntilMs = 0;
  for (const protocol of protocols) {
    const known = doorOf(input.shop, protocol.door, nowMs);
    if (known?.isThere === false) asked.add(protocol);
    if (asked.has(protocol) || !protocol.isSpoken(input.shop, url)) continue;
    asked.add(protocol);
    const answer = await askDoor(protocol, known?.detail ?? null, null);
    if ('gathered' in answer) return withLearned(answer.gathered);
    if (answer.kind === 'not_there') missing.push(protocol);
    heldUntilMs = Math.max(heldUntilMs, known?.refusedUntilMs ?? 0);
    if (heldUntilMs > nowMs) return withLearned(refusedBefore(heldUntilMs - nowMs));
  }
  const page = await readPage();
  if (!mayBeProduct(page)) return withLearned(page);
  for (const protocol of protocols) {
    const detail = page.shop === null ? null : protocol.recognize(page.shop, url);
    if (asked.has(protocol) || detail === null) continue;
    const answer = await askDoor(protocol, detail, page);
    if (answer.kind === 'refused') break;
    if (answer.kind === 'not_there') missing.push(protocol);
    if (answer.kind === 'answered' || answer.kind === 'failed') {
      note({ door: protocol.door, isThere: true, detail, refusedUntilMs: null });
    }
    if (answer.kind === 'answered') return withLearned(answer.gathered);
  }
  if (page.result.kind === 'read') {
    for (const { door } of missing) {
      note({ door, isThere: false, detail: null, refusedUntilMs: null });
    }
  }
  return withLearned(page);
}

/** Returns a function that asks an endpoint once: two protocols may need the same answer. */
function endpointsOf(parts: GatherParts, input: GatherInput): DoorQuestion['ask'] {
  const answers = new Map<string, Promise<EndpointAnswer>>();
  return (request, follows = true) => {
    const name = `${request.url} ${request.body ?? ''}`;
    const first = { ...request, insteadOf: input.url };
    const known = answers.get(name);
    const answer =
      known ?? (follows ? following(parts, first, input) : fetchAndRead(parts, first, input));
    answers.set(name, answer);
    return answer;
  };
}

/** Checks whether a page shows a product, or may be about one that its reader does not find. */
function mayBeProduct({ result }: Gathered): boolean {
  if (result.kind !== 'verdict') return result.kind === 'read';
  return result.verdict.kind === 'unreadable' || result.verdict.kind === 'not_a_product';
}

function refusedBefore(leftMs: number): Gathered {
  const why = 'the shop refused an earlier request, and its protocol does not answer';
  const verdict = { kind: 'blocked', why, retryAfterSeconds: Math.ceil(leftMs / 1_000) } as const;
  return {
    result: { kind: 'verdict', verdict },
    fetchedAtMs: null,
    door: 'page',
    shopFacts: null,
  };
}

async function fetchAndRead(
  parts: GatherParts,
  request: PageRequest,
  input: GatherInput,
): Promise<EndpointAnswer> {
  const outcome = await parts.fetch(request, input.context);
  if (!outcome.ok) {
    const result = { kind: 'failure' as const, failure: outcome.failure };
    return { gathered: { result, fetchedAtMs: null, door: 'page', shopFacts: null }, page: null };
  }
  const { chosenBefore } = input;
  const { insteadOf } = request;
  const page = {
    ...outcome.page,
    ...(chosenBefore === null ? {} : { chosenBefore }),
    ...(insteadOf === undefined ? {} : { insteadOf }),
  };
  const verdict = await verdictOn(parts, page, input);
  if (verdict !== null) await reportFound(outcome, verdict);
  const isElsewhere = !input.isOwn(page.url) || (insteadOf !== undefined && isLedAway(page));
  // A refusal page may be on another host.
  const isRefusal = verdict?.kind === 'blocked' || verdict?.kind === 'retry';
  const found = resultOf(verdict, addressOf(page));
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

/** Whether a redirect led to another host or to an address for visitors of a country: the currency there may be another one. */
function isLedAway({ url, requestedUrl }: Page): boolean {
  const [to, from] = [new URL(url), new URL(requestedUrl)];
  const hostOf = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const isOfCountry = (each: URL) => hostedStoreRequests(each)?.isOfCountry === true;
  return hostOf(to) !== hostOf(from) || isOfCountry(to) !== isOfCountry(from);
}

/**
 * Returns the verdict on a page. A page received in place of an endpoint's answer can only show whether the shop refused.
 */
async function verdictOn(
  parts: GatherParts,
  page: Page,
  { slug, context }: GatherInput,
): Promise<PageVerdict<RetailerAnswer> | null> {
  if (page.insteadOf === undefined || isOfEndpoint(page)) {
    return parts.readAnswer(page, 'product', slug, context);
  }
  const without = { kind: 'unreadable', why: `the endpoint answered ${page.status}` } as const;
  if (page.status >= 400 && page.status < 429) return without;
  const verdict = await parts.readAnswer(page, 'product', slug, context);
  return verdict?.kind === 'blocked' || verdict?.kind === 'retry' ? verdict : without;
}

/** Returns the product page that an answer represents: a store's JSON represents the page of the same name. */
function addressOf(page: Page): string {
  if (page.insteadOf === undefined) return page.url;
  return page.url === page.requestedUrl ? page.insteadOf : (productPageUrl(page) ?? page.url);
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

/** Fetches an endpoint's answer that is not a product. */
async function fetchUnread(
  parts: GatherParts,
  request: PageRequest,
  input: GatherInput,
): Promise<EndpointAnswer> {
  const readAnswer: ReadAnswer = async (page, ...of) =>
    isOfEndpoint(page) && page.status < 400 ? UNREAD : parts.readAnswer(page, ...of);
  return await fetchAndRead({ ...parts, readAnswer }, request, input);
}

const UNREAD = { kind: 'unreadable', why: 'no product was requested' } as const;

async function following(
  parts: GatherParts,
  first: PageRequest,
  input: GatherInput,
): Promise<EndpointAnswer> {
  let answer = await fetchAndRead(parts, first, input);
  for (let followed = 0; followed < MAX_FOLLOWED; followed += 1) {
    const { result } = answer.gathered;
    if (result.kind !== 'verdict' || result.verdict.kind !== 'follow') break;
    const { insteadOf } = first;
    const instead = insteadOf === undefined ? {} : { insteadOf };
    answer = await fetchAndRead(parts, { ...result.verdict.request, ...instead }, input);
  }
  return answer;
}

async function gatherHtml(parts: GatherParts, input: GatherInput): Promise<GatheredPage> {
  const { gathered, page } = await following(parts, { url: input.url, accept: 'html' }, input);
  if (page === null || page.status >= 400) return { ...gathered, shop: null };
  const isStore = hostedStoreRequests(new URL(input.url)) !== null;
  if (!isStore && !mayNameStoreApi(page)) return { ...gathered, shop: null };
  const shop = await parts.readShop(page, input.context);
  const shopFacts =
    isStore && !isLedAway(page)
      ? {
          host: new URL(input.url).hostname,
          platform: shop.isHosted ? ('hosted' as const) : ('other' as const),
          currency: shop.currency,
          learnedAtMs: page.fetchedAtMs,
        }
      : null;
  return { ...gathered, shop, shopFacts };
}
