// The add-ons of a product: what is fetched for the call (live offers with reviews, what sellers may do: D17, D30, D31,
// D33), and what is read from the store (cells, archived offers, daily bars).

import type { FetchContext } from '../core/fetch-context.ts';
import type { AddOns } from '../core/call-cost.ts';
import type { IdentifierMatch } from '../product/cell.ts';
import { barsOf, type PriceBar } from '../history/daily-bars.ts';
import { summarizeReviews, type ProductReviews } from '../product/review-summary.ts';
import type { RequestedAddOns, Product } from '../product/product.ts';
import type { Slug } from '../core/retailer.ts';
import { crossRetailer, type CellParts, type HeldCells } from './cross-retailer.ts';
import type { ItemReviews } from './item-reviews.ts';
import { withLiveOffers, type FetchOffers, type LiveCall } from './live-offers.ts';
import { offersHistoryOf } from './offers-history.ts';
import { peersOf, type PeerParts } from '../collect/price-peers.ts';
import type { AskSellerContext } from '../collect/seller-context.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** Whether these add-ons are fetched during the call, whatever is held (D31, D33). */
export function needsFetch(addOns: AddOns): boolean {
  return wantsOffers(addOns) || addOns.includeSellerContext === true;
}

function wantsOffers(addOns: AddOns): boolean {
  return addOns.includeOffers === true || addOns.includeOffersReviews === true;
}

/** A call whose answer may be composed again, from a page that was read for its offers. */
export type LiveAddOnsCall<Found> = LiveCall & {
  readonly recompose: (page: StoredListing) => Promise<Found>;
};

/** The same with what must be live. Throws 503 `offers_unavailable` or `upstream_unavailable`. */
export type LiveAddOns<Found> = (
  found: Found,
  addOns: AddOns,
  call: LiveAddOnsCall<Found>,
) => Promise<Found>;

export function createLiveAddOns(
  fetchOffers: FetchOffers,
  itemReviews: ItemReviews,
  askSellerContext: AskSellerContext,
): LiveAddOns<Product> {
  async function withOffers(product: Product, addOns: AddOns, call: LiveAddOnsCall<Product>) {
    if (!wantsOffers(addOns)) return product;
    const fetched = await fetchOffers(product, call);
    // The record says what the page said that its offers are from.
    const current = fetched.page === null ? product : await call.recompose(fetched.page);
    const offered = withLiveOffers(current, fetched);
    if (addOns.includeOffersReviews !== true) return offered;
    return { ...offered, reviews: await reviewsOf(itemReviews, current, call.context) };
  }
  return async (product, addOns, call) => {
    if (addOns.includeSellerContext !== true) return withOffers(product, addOns, call);
    // At the same time: a lookup has one deadline over all its fetches (D37).
    const [offered, seller] = await Promise.all([
      withOffers(product, addOns, call),
      askSellerContext(product, call.context),
    ]);
    return { ...offered, ...seller };
  };
}

/** What is held of a product, with the listings that supply its record. */
export type HeldProduct = HeldCells & {
  /** The anchor first. */
  readonly sources: readonly StoredListing[];
  /** D18: only this retailer fills the record; null in the unified view. */
  readonly onlyRetailer: Slug | null;
};

/** The requested add-ons that are read from the store, and no others: a field that was not requested is absent (D23). */
export type HeldAddOns = (
  held: HeldProduct,
  addOns: AddOns,
  match: IdentifierMatch,
) => Promise<RequestedAddOns>;

export function createHeldAddOns(parts: CellParts): HeldAddOns {
  const { store } = parts;
  return async (held, addOns, match) => ({
    ...(addOns.includeCrossRetailer === true
      ? { crossRetailer: await crossRetailer(parts, held, match) }
      : {}),
    ...(addOns.includeOffersHistory === true
      ? { offersHistory: await offersHistoryOf(store, ofRetailerW(held)) }
      : {}),
    ...(addOns.includePriceSeries === true
      ? { priceSeries: await priceSeriesOf(parts, ofRetailerW(held), held.carriers) }
      : {}),
  });
}

/** retailer_w's listing of the product, unless another retailer alone fills the record. */
function ofRetailerW({ sources, onlyRetailer }: HeldProduct): StoredListing | null {
  if (onlyRetailer !== null && onlyRetailer !== 'retailer_w') return null;
  return sources.find(({ retailer }) => retailer === 'retailer_w') ?? null;
}

/**
 * The daily bars of all that is held of retailer_w's listing of the product, whichever the anchor is, newest first (D29).
 */
async function priceSeriesOf(
  parts: PeerParts,
  own: StoredListing | null,
  carriers: readonly StoredListing[],
): Promise<readonly PriceBar[]> {
  if (own === null) return [];
  const { observations } = await parts.store.observations.findSinceOf(own, 0);
  return barsOf(observations, await peersOf(parts, { own, observations, carriers, fromMs: 0 }));
}

/** Reviews of every date. */
const ALL_DATES = { from: null, to: null } as const;

/**
 * Months are known of retailer_w only. Elsewhere, and where its reviews cannot be read now, what the anchor's own
 * page states stands alone: reviews, unlike offers, need not be of this moment.
 */
async function reviewsOf(
  itemReviews: ItemReviews,
  product: Product,
  context: FetchContext,
): Promise<ProductReviews> {
  const { itemId, anchor } = product;
  if (anchor.retailer === 'retailer_w' && itemId !== null) {
    const held = await itemReviews.held(itemId, ALL_DATES);
    const reviews = held ?? (await itemReviews.fetched(itemId, ALL_DATES, context));
    if ('summary' in reviews) return reviews;
  }
  const published = {
    average: product.averageRating,
    total: product.reviewCount,
    distribution: product.ratingDistribution,
  };
  return { summary: summarizeReviews([], published, false), top: [] };
}
