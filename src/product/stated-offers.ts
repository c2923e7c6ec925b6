// The offers that a product page itself states, for where no list of all sellers can be asked (D64): those that its reader
// found, else what the listing says of its own buy button and of the lowest other price.

import type { Listing } from '../listing/listing.ts';
import type { Money } from '../listing/money/money.ts';
import { offerOfListing } from '../listing/listing-offer.ts';
import { EMPTY_OFFER, type Offer } from '../listing/offer.ts';

/** That of the buy button first; empty where the page states none. */
export function statedOffers(listing: Listing): readonly Offer[] {
  if (listing.offers.length > 0) return listing.offers;
  const { price, sellerName, secondaryOfferPrice: other } = listing;
  return [
    ...((price ?? sellerName) === null ? [] : [buyBoxOffer(listing)]),
    ...(other === null ? [] : [{ ...EMPTY_OFFER, price: other, isBuyBox: false }]),
  ];
}

function buyBoxOffer(listing: Listing): Offer {
  return {
    ...offerOfListing(listing),
    sellerId: listing.catalogSellerId ?? listing.sellerId,
    // Only a retailer whose sellers have a public number too has ids of 32 characters (D32).
    sellerIdHex: /^[0-9A-F]{32}$/.test(listing.sellerId ?? '') ? listing.sellerId : null,
    shipping: shippingOf(listing),
    isBuyBox: listing.inStock !== false,
  };
}

function shippingOf({ fulfillment, price }: Listing): Money | null {
  const cents = fulfillment?.shipping?.costCents ?? null;
  return cents === null ? null : { cents, currency: price?.currency ?? null };
}
