// The offers that a product page itself states, used if no list of all sellers can be requested (D64). They are those that its
// reader found, otherwise what the listing says about its buy box and the lowest other price.

import type { Listing } from '../../base/listing/listing.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import { offerOfListing } from '../../base/listing/listing-offer.ts';
import { EMPTY_OFFER, type Offer } from '../../base/listing/offer.ts';

/** Returns the offers, the buy box first; empty if the page states none. */
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
    // Only a retailer whose sellers also have a public number has ids of 32 characters (D32).
    sellerIdHex: /^[0-9A-F]{32}$/.test(listing.sellerId ?? '') ? listing.sellerId : null,
    shipping: shippingOf(listing),
    isBuyBox: listing.inStock !== false,
  };
}

function shippingOf({ fulfillment, price }: Listing): Money | null {
  const cents = fulfillment?.shipping?.costCents ?? null;
  return cents === null ? null : { cents, currency: price?.currency ?? null };
}
