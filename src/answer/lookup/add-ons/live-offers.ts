// Live offers of a product: always fetched during the call, never answered from the store (D31), then stored. They come from
// the list of all sellers if a source here has it, else from the product page (D64). Concurrent calls share a fetch.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Clock } from '../../../base/clock.ts';
import { FaultError, type Fault } from '../../../base/fault.ts';
import type { Offer, OfferList } from '../../../base/listing/offer.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { withBuyBox, type LiveOffers, type Product } from '../../../rules/product/product.ts';
import { statedOffers } from '../../../rules/product/stated-offers.ts';
import { isKnownSlug, type KnownSlug } from '../../../base/retailer.ts';
import type { RetailerQuestion } from '../../../read/retailers/adapter.ts';
import { bookOf } from '../../../read/retailers/addresses/address-books.ts';
import type { Store } from '../../../data/store.ts';
import { askRetailer, type AskParts } from '../../collect/asking/ask-retailer.ts';
import type { Collect } from '../../collect/collect.ts';
import { listingKeyOf } from '../../collect/listing-key.ts';
import { storeOffers } from '../../collect/storing/store-offers.ts';
import { FRESH_MS } from '../../collect/freshness.ts';
import { tallied, writeTally } from '../../collect/storing/read-tally.ts';
import { STILL_FETCHING } from '../../collect/asking/failed-fetch.ts';
import { createSharedWork } from '../../collect/coordination/single-flight.ts';

/** A call's fetch context and start time: data fetched before it began is not live (D31). */
export type LiveCall = {
  readonly context: FetchContext;
  readonly sinceMs: number;
};

/**
 * Live offers of a product. `page` is the listing whose page was read for them; null if they came from a list of all
 * sellers.
 */
type FetchedOffers = {
  readonly live: LiveOffers;
  /** The number of sellers stated by the list or the page. */
  readonly totalOffers: number | null;
  readonly page: StoredListing | null;
};

/** Throws 503 `offers_unavailable`. */
export type FetchOffers = (product: Product, call: LiveCall) => Promise<FetchedOffers>;

type LiveOffersParts = AskParts & {
  readonly store: Store;
  readonly clock: Clock;
  readonly collect: Pick<Collect, 'collect'>;
};

type ListOutcome =
  | { readonly kind: 'read'; readonly list: OfferList; readonly fetchedAtMs: number }
  | { readonly kind: 'failed'; readonly fault: Fault };

type OffersListing = NonNullable<Product['offersFrom']>;
type OffersQuestion = Extract<RetailerQuestion, { kind: 'offers' }>;

const DEFAULT_RETRY_SECONDS = 60;

/** No marketplace has the product, so there are no other sellers. */
const NONE: FetchedOffers = {
  live: { retailer: null, offers: [], isComplete: true },
  totalOffers: null,
  page: null,
};

export function createFetchOffers(parts: LiveOffersParts): FetchOffers {
  const share = createSharedWork<ListOutcome>({ kind: 'failed', fault: STILL_FETCHING.fault });
  const listOf = createFetchList(parts);
  return async (product, call) => {
    const from = product.offersFrom;
    if (from === null || !isKnownSlug(from.retailer)) return NONE;
    const { retailer } = from;
    const identifier = bookOf(retailer).reduce(new URL(from.url));
    if (identifier === null) throw unavailable(null);
    const question: OffersQuestion = { kind: 'offers', identifier };
    // For some marketplaces the list of all sellers needs a setting that few installations can have.
    if (!parts.access.canAsk(retailer, question)) return ofPage(parts, from, call);
    const startedMs = parts.clock.now();
    const fetchList = () =>
      share(from.url, call.context, (shared) => listOf(product, from, question, shared));
    let fetched = await fetchList();
    // A shared fetch answered before this call began is too old for this call.
    if (fetched.kind === 'read' && fetched.fetchedAtMs < startedMs) fetched = await fetchList();
    // If robots.txt forbids the list, the page is read as if there were no list.
    const isForbidden = fetched.kind === 'failed' && fetched.fault.upstream === 'robots_disallowed';
    if (isForbidden) return ofPage(parts, from, call);
    if (fetched.kind === 'failed' && isOfficial(parts, retailer)) {
      // A list that refuses takes away nothing that an official API states of the product (D78).
      const stated = await ofPage(parts, from, call);
      if (stated.live.offers.length > 0) return stated;
    }
    if (fetched.kind === 'failed') throw unavailable(fetched.fault);
    const { offers, totalOffers } = fetched.list;
    const isComplete = totalOffers === null || offers.length >= totalOffers;
    const shown = marked(offers, product, parts.clock.now());
    return { live: { retailer, offers: shown, isComplete }, totalOffers, page: null };
  };
}

function createFetchList(parts: LiveOffersParts) {
  return async (
    product: Product,
    { retailer, listingId }: OffersListing,
    question: OffersQuestion,
    context: FetchContext,
  ): Promise<ListOutcome> => {
    if (!isKnownSlug(retailer)) return { kind: 'failed', fault: NO_LIST };
    const counting = tallied(parts);
    const outcome = await askRetailer(counting, retailer, question, context);
    if (outcome.kind !== 'read' || outcome.answer.kind !== 'offers') {
      await writeTally(parts.store, counting.tally);
      return { kind: 'failed', fault: outcome.kind === 'failed' ? outcome.fault : NO_LIST };
    }
    const { fetchedAtMs, origin } = outcome;
    const offers = marked(outcome.answer.offers.offers, product, parts.clock.now());
    const list = { listingId, retailer, offers, fetchedAtMs, origin, isPartial: false };
    await storeOffers(parts.store, list, counting.tally.take());
    return { kind: 'read', list: outcome.answer.offers, fetchedAtMs };
  };
}

/** Whether an official source states products of the retailer. */
function isOfficial({ access }: LiveOffersParts, retailer: KnownSlug): boolean {
  return access
    .sourcesOf(retailer)
    .some((each) => each.isOfficial === true && each.takes?.includes('product') !== false);
}

/**
 * Reads the offers from the product page, fetched during the call. It names the holder of the buy box, and seldom all other
 * sellers (D64).
 */
async function ofPage(
  { store, collect }: LiveOffersParts,
  { retailer, url }: OffersListing,
  { context, sinceMs }: LiveCall,
): Promise<FetchedOffers> {
  const key = listingKeyOf({ kind: 'url', value: url });
  if (key === null) throw unavailable(null);
  const collected = await collect.collect(key, sinceMs, context);
  if (collected.kind === 'miss') throw unavailable(NO_LIST);
  if (collected.kind === 'failed') throw unavailable(collected.fault);
  // A known retailer's identifier never leads to another product's page.
  if (collected.kind === 'moved') throw unavailable(NO_LIST);
  const { stored: page } = collected;
  const offers = statedOffers(page.listing);
  const { id: listingId, fetchedAtMs, origin } = page;
  await storeOffers(store, { listingId, retailer, offers, fetchedAtMs, origin, isPartial: true });
  const live = { retailer, offers, isComplete: false };
  return { live, totalOffers: page.listing.offersCount, page };
}

/** A product page that is older than a day, or another retailer's, does not show who holds the buy box now. */
function marked(offers: readonly Offer[], product: Product, nowMs: number): readonly Offer[] {
  const { anchor, offersFrom, refreshedAtMs } = product;
  const isOwn = offersFrom?.listingId === anchor.listingId;
  return isOwn && nowMs - refreshedAtMs <= FRESH_MS ? withBuyBox(offers, product) : offers;
}

/** Returns the product with the offers fetched for it. */
export function withLiveOffers(product: Product, { live, totalOffers }: FetchedOffers): Product {
  const isOwn = live.retailer === product.anchor.retailer;
  return {
    ...product,
    offers: live,
    offersCount: live.offers.length,
    // The anchor's page states only the number of its own sellers.
    totalOffers: totalOffers ?? (isOwn || live.retailer === null ? product.totalOffers : null),
  };
}

const NO_LIST: Fault = {
  code: 'offers_unavailable',
  upstream: 'upstream_bad_response',
  detail: 'The retailer shows no list of offers for this product.',
};

/** D31: the same fault for every reason and every identifier. */
function unavailable(cause: Fault | null): FaultError {
  return new FaultError({
    code: 'offers_unavailable',
    ...(cause?.upstream === undefined ? {} : { upstream: cause.upstream }),
    retryAfterSeconds: cause?.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS,
    detail:
      'Live offers cannot be fetched now, and older offers are never returned instead. Try again ' +
      'later, or call without include_offers and include_offers_reviews.',
  });
}
