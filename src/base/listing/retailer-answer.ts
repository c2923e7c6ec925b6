// A retailer's answer as its reader understood it: one case per kind of request.

import type { Listing } from './listing.ts';
import type { OfferList } from './offer.ts';
import type { ReviewPage } from './review.ts';
import type { SellerProfile, FulfillmentEligibility, Restriction } from './seller.ts';

export type RetailerAnswer =
  | { readonly kind: 'product'; readonly listing: Listing }
  | {
      readonly kind: 'offers';
      readonly offers: OfferList;
      /** Facts about the product itself, where the list of offers states any. */
      readonly product?: Listing;
    }
  /** Hits are listings with few facts. */
  | { readonly kind: 'search'; readonly hits: readonly Listing[]; readonly total: number | null }
  | { readonly kind: 'seller'; readonly seller: SellerProfile }
  | { readonly kind: 'reviews'; readonly reviews: ReviewPage }
  | { readonly kind: 'restriction'; readonly restriction: Restriction }
  | {
      readonly kind: 'fulfillment_eligibility';
      readonly eligibility: FulfillmentEligibility;
    };
