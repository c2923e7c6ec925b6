// Data fetched for a call while its caller waits: live offers with reviews, and the permissions of sellers (D17, D30, D31,
// D33).

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { AddOns } from '../../../base/call-cost.ts';
import { summarizeReviews, type ProductReviews } from '../../../rules/product/review-summary.ts';
import type { Product } from '../../../rules/product/product.ts';
import type { ItemReviews } from './item-reviews.ts';
import { withLiveOffers, type FetchOffers } from './live-offers.ts';
import { wantsOffers, type LiveAddOns, type LiveAddOnsCall } from './product-add-ons.ts';
import type { AskSellerContext } from '../../collect/asking/seller-context.ts';

export function createLiveAddOns(
  fetchOffers: FetchOffers,
  itemReviews: ItemReviews,
  askSellerContext: AskSellerContext,
): LiveAddOns<Product> {
  async function withOffers(product: Product, addOns: AddOns, call: LiveAddOnsCall<Product>) {
    if (!wantsOffers(addOns)) return product;
    const fetched = await fetchOffers(product, call);
    // The record then shows the data of the page that supplied the offers.
    const current = fetched.page === null ? product : await call.recompose(fetched.page);
    const offered = withLiveOffers(current, fetched);
    if (addOns.includeOffersReviews !== true) return offered;
    return { ...offered, reviews: await reviewsOf(itemReviews, current, call.context) };
  }
  return async (product, addOns, call) => {
    if (addOns.includeSellerContext !== true) return withOffers(product, addOns, call);
    // Both are fetched at the same time, because a lookup has one deadline for all its fetches (D37).
    const [offered, seller] = await Promise.all([
      withOffers(product, addOns, call),
      askSellerContext(product, call.context),
    ]);
    return { ...offered, ...seller };
  };
}

/** Reviews of every date. */
const ALL_DATES = { from: null, to: null } as const;

/**
 * Monthly counts are known for retailer_w only. For another anchor, or if the reviews of retailer_w cannot be read now, only
 * the totals on the anchor's own page are shown. Unlike offers, reviews need not be live.
 */
async function reviewsOf(
  itemReviews: ItemReviews,
  product: Product,
  context: FetchContext,
): Promise<ProductReviews> {
  const { itemId, anchor } = product;
  if (anchor.retailer === 'retailer_w' && itemId !== null) {
    const stored = await itemReviews.fromStore(itemId, ALL_DATES);
    const reviews = stored ?? (await itemReviews.fromShops(itemId, ALL_DATES, context));
    if ('summary' in reviews) return reviews;
  }
  const published = {
    average: product.averageRating,
    total: product.reviewCount,
    distribution: product.ratingDistribution,
  };
  return { summary: summarizeReviews([], published, false), top: [] };
}
