// The offer that a listing itself states: what its seller asks for it and on which terms. Pure.

import type { Listing } from './listing.ts';
import { EMPTY_OFFER, type Offer } from './offer.ts';

/** An offer with the facts that listings and offers share; the rest of it is empty. */
export function offerOfListing(listing: Listing): Offer {
  const { sellerId, sellerName, sellerType, sellerRating, sellerReviewCount } = listing;
  const { price, listPrice, inStock, condition, deliveryDate } = listing;
  const seller = { sellerId, sellerName, sellerType, sellerRating, sellerReviewCount };
  return {
    ...EMPTY_OFFER,
    ...seller,
    price,
    wasPrice: listPrice,
    inStock,
    condition,
    deliveryDate,
  };
}
