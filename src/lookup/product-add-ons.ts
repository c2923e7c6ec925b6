// What a caller may ask for beside the base record: what is fetched for it (live offers with reviews, what sellers
// may do: D17, D30, D31, D33) and what is read from the store.

import type { FetchContext } from '../core/fetch-context.ts';
import type { AddOns } from '../core/call-cost.ts';
import type { IdentifierMatch } from '../product/cell.ts';
import type { Clock } from '../core/clock.ts';
import type { ListingHistory } from '../product/compose.ts';
import { summarizeReviews, type ProductReviews } from '../product/review-summary.ts';
import type { RequestedAddOns, Product } from '../product/product.ts';
import type { Slug } from '../core/retailer.ts';
import type { Store } from '../store/store.ts';
import { crossRetailer, type Awaited, type HeldCells } from './cross-retailer.ts';
import type { ItemReviews } from './item-reviews.ts';
import type { AddOffers } from './live-offers.ts';
import { offersHistoryOf } from './offers-history.ts';
import { priceSeriesOf } from './price-series.ts';
import type { AskSellerContext } from '../collect/seller-context.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** Something is fetched whatever is held (D31, D33). */
export function needsFetch(asked: AddOns): boolean {
  return asksOffers(asked) || asked.includeSellerContext === true;
}

function asksOffers(asked: AddOns): boolean {
  return asked.includeOffers === true || asked.includeOffersReviews === true;
}

/** The product with what must be live. Throws 503 `offers_unavailable` or `upstream_unavailable`. */
export type LiveAddOns = (
  product: Product,
  asked: AddOns,
  context: FetchContext,
) => Promise<Product>;

export function createLiveAddOns(
  addOffers: AddOffers,
  itemReviews: ItemReviews,
  askSellerContext: AskSellerContext,
): LiveAddOns {
  async function withOffers(product: Product, asked: AddOns, context: FetchContext) {
    if (!asksOffers(asked)) return product;
    const offered = await addOffers(product, context);
    if (asked.includeOffersReviews !== true) return offered;
    return { ...offered, reviews: await reviewsOf(itemReviews, product, context) };
  }
  return async (product, asked, context) => {
    if (asked.includeSellerContext !== true) return withOffers(product, asked, context);
    // Side by side: a lookup has one deadline over all it asks (D37).
    const [offered, seller] = await Promise.all([
      withOffers(product, asked, context),
      askSellerContext(product, context),
    ]);
    return { ...offered, ...seller };
  };
}

/** What is held of a product: its cells, all its listings with the anchor first, the history it shows. */
export type HeldProduct = HeldCells & {
  readonly listings: readonly StoredListing[];
  readonly history: ListingHistory | null;
  /** D18: only this retailer fills the record; null in the unified view. */
  readonly onlyRetailer: Slug | null;
};

/** What was asked for and is read from the store: exactly the fields that were asked for. */
export type HeldAddOns = (
  held: HeldProduct,
  asked: AddOns,
  match: IdentifierMatch,
) => Promise<RequestedAddOns>;

export function createHeldAddOns(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly awaited: Awaited;
}): HeldAddOns {
  const { store } = parts;
  return async (held, asked, match) => ({
    ...(asked.includeCrossRetailer === true
      ? { crossRetailer: await crossRetailer(parts, held, match) }
      : {}),
    ...(asked.includeOffersHistory === true
      ? { offersHistory: await offersHistoryOf(store, ofRetailerW(held)) }
      : {}),
    ...(asked.includePriceSeries === true
      ? { priceSeries: await priceSeriesOf(store, held.history) }
      : {}),
  });
}

/** retailer_w's listing of the product, unless another retailer alone fills the record. */
function ofRetailerW({ listings, onlyRetailer }: HeldProduct): StoredListing | null {
  if (onlyRetailer !== null && onlyRetailer !== 'retailer_w') return null;
  return listings.find(({ retailer }) => retailer === 'retailer_w') ?? null;
}

const ALWAYS = { from: null, to: null } as const;

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
    const held = await itemReviews.held(itemId, ALWAYS);
    const found = held ?? (await itemReviews.fetched(itemId, ALWAYS, context));
    if ('summary' in found) return found;
  }
  const published = {
    average: product.averageRating,
    total: product.reviewCount,
    distribution: product.ratingDistribution,
  };
  return { summary: summarizeReviews([], published, false), top: [] };
}
