// Offers of the listing that anchors a product, fetched during the call and never answered from what is held (D31), then
// stored. Calls at the same time share one fetch.

import type { FetchContext } from '../core/fetch-context.ts';
import type { Clock } from '../core/clock.ts';
import { FaultError, type Fault } from '../core/fault.ts';
import type { Offer, OfferList } from '../listing/offer.ts';
import { withBuyBox, type LiveOffers, type Product } from '../product/product.ts';
import { isKnownSlug, RETAILERS } from '../core/retailer.ts';
import { bookOf } from '../retailers/address-books.ts';
import type { Store } from '../store/store.ts';
import { askRetailer, type AskParts } from '../collect/ask-retailer.ts';
import { storeOffers } from '../collect/store-offers.ts';
import { FRESH_MS } from '../collect/freshness.ts';
import { tallied, writeTally } from '../collect/read-tally.ts';
import { createSingleFlight } from '../collect/single-flight.ts';

/** The product with its live offers. Throws 503 `offers_unavailable`. */
export type AddOffers = (product: Product, context: FetchContext) => Promise<Product>;

type LiveOffersParts = AskParts & { readonly store: Store; readonly clock: Clock };

type OffersOutcome =
  | { readonly kind: 'read'; readonly list: OfferList; readonly fetchedAtMs: number }
  | { readonly kind: 'failed'; readonly fault: Fault };

const DEFAULT_RETRY_SECONDS = 60;

export function createLiveOffers(parts: LiveOffersParts): AddOffers {
  const share = createSingleFlight<OffersOutcome>();
  return async (product, context) => {
    const { retailer, url, listingId } = product.anchor;
    // A retailer without a marketplace has no other sellers.
    if (!isKnownSlug(retailer) || !RETAILERS[retailer].marketplace) {
      return withOffers(product, { retailer, offers: [], totalOffers: null });
    }
    const identifier = bookOf(retailer).reduce(new URL(url));
    if (identifier === null) throw unavailable(null);
    const startedMs = parts.clock.now();
    const fetchList = () =>
      share(url, async (): Promise<OffersOutcome> => {
        const counting = tallied(parts);
        const outcome = await askRetailer(
          counting,
          retailer,
          { kind: 'offers', identifier },
          context,
        );
        if (outcome.kind !== 'read' || outcome.answer.kind !== 'offers') {
          await writeTally(parts.store, counting.tally);
          return { kind: 'failed', fault: outcome.kind === 'failed' ? outcome.fault : NO_LIST };
        }
        const { fetchedAtMs } = outcome;
        const offers = marked(outcome.answer.offers.offers, product, startedMs);
        const list = { listingId, retailer, offers, fetchedAtMs };
        await storeOffers(parts.store, list, counting.tally.take());
        return { kind: 'read', list: outcome.answer.offers, fetchedAtMs };
      });
    let fetched = await fetchList();
    // A shared fetch that had its answer before this call began is too old for it.
    if (fetched.kind === 'read' && fetched.fetchedAtMs < startedMs) fetched = await fetchList();
    if (fetched.kind === 'failed') throw unavailable(fetched.fault);
    const offers = marked(fetched.list.offers, product, startedMs);
    return withOffers(product, { retailer, offers, totalOffers: fetched.list.totalOffers });
  };
}

/** A product page that is older than a day does not state who holds the buy box now. */
function marked(offers: readonly Offer[], product: Product, nowMs: number): readonly Offer[] {
  return nowMs - product.refreshedAtMs <= FRESH_MS ? withBuyBox(offers, product) : offers;
}

function withOffers(product: Product, offers: LiveOffers): Product {
  return {
    ...product,
    offers,
    offersCount: offers.offers.length,
    totalOffers: offers.totalOffers ?? product.totalOffers,
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
      'Live offers cannot be fetched now, and older offers are never returned instead. Try later, or call ' +
      'without include_offers and include_offers_reviews.',
  });
}
