// The add-ons that a lookup's parameters request.

import type { AddOns } from '../../base/call-cost.ts';
import type { ProductQuery } from './query.ts';

/** Returns the add-ons that a lookup requests. */
export function addOnsOf(query: Partial<ProductQuery>): AddOns {
  return {
    includeOffers: query.include_offers === true,
    includeOffersReviews: query.include_offers_reviews === true,
    includeOffersHistory: query.include_offers_history === true,
    // The series is part of `price_history`; without that there is no series and no charge.
    includePriceSeries: query.include_price_series === true && query.include_history !== false,
    includeCrossRetailer: query.include_cross_retailer === true,
    includeSellerContext: query.include_seller_context === true,
    includeForceRefresh: query.include_force_refresh === true,
  };
}
