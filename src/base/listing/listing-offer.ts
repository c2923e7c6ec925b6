// The offer that a listing itself states: its seller's price and terms. Pure.

import type { Listing } from './listing.ts';
import { EMPTY_OFFER, type Offer } from './offer.ts';

/** Creates an offer from the facts that listings and offers share; all other fields are empty. */
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
