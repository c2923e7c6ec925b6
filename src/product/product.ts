// A product as the service answers it: one anchor listing for everything that belongs to an offer or a
// page, the best source for identity and physical facts (D27). Types only; `compose.ts` makes it.

import type { Cell } from './cell.ts';
import type { Fees } from '../fees/listing-fees.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Condition, Dimensions, Fulfillment, Listing, Spec } from '../listing/listing.ts';
import type { SeenOffer } from '../history/offer-archive.ts';
import type { Offer } from '../listing/offer.ts';
import type { ObservedSpan, PriceBar, Windows } from '../history/daily-bars.ts';
import type { Slug } from '../core/retailer.ts';
import type { ProductReviews } from './review-summary.ts';
import type { FoundVia, ListingAddress } from '../listing/stored-listing.ts';
import type { SellerContext } from '../listing/seller.ts';
import type { Agreement } from '../matching/matcher.ts';

export type AsinMatch = {
  readonly state: 'exact' | 'substituted' | 'unknown';
  readonly matchedAsin: string | null;
};

export type RetailerLink = {
  readonly retailer: Slug;
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly identityState: 'confirmed' | 'unconfirmed';
};

/** Which listing supplied a field; null where no listing did. */
export type Sources = {
  readonly title: Slug | null;
  readonly brand: Slug | null;
  readonly weightLbs: Slug | null;
  readonly dimensions: Slug | null;
  readonly price: Slug;
};
/** Offers fetched during the call, of the listing that anchors the product (D31). */
export type LiveOffers = {
  readonly retailer: Slug;
  /** In the order of the retailer's list. */
  readonly offers: readonly Offer[];
  /** Sellers that the list states. */
  readonly totalOffers: number | null;
};

/** Sellers' offers of the product as they were seen before, newest first. */
export type OffersHistory = {
  /** Of all that are kept, not of those in `offers`. */
  readonly total: number;
  readonly offers: readonly ArchivedOffer[];
};

/** Its `wasPrice` is the list's own, else what the same offer cost when it was seen before. */
export type ArchivedOffer = SeenOffer;
/** The seller's side of the anchor, and of every marketplace listing that was asked, the anchor's first. */
export type ProductSellerContext = SellerContext & {
  readonly listings: readonly (ListingAddress & SellerContext)[];
};

/** A cell with what goes with its listing beside the facts. */
export type CellWithFees = Cell & {
  /** Of its own card and price (D44); null without a listing and without a marketplace. */
  readonly fees: Fees | null;
  /** What only the retailer itself could say of it during the call; null unless that was asked. */
  readonly sellerContext: SellerContext | null;
};

/** What stands in a record only when it was asked for: a key is there exactly when it was. */
export type RequestedAddOns = {
  readonly crossRetailer?: readonly CellWithFees[];
  readonly offersHistory?: OffersHistory;
  /** Every bar that is held of the history shown, newest first; only of retailer_w (D29). */
  readonly priceSeries?: readonly PriceBar[];
  /** Null where the anchor is no marketplace. */
  readonly sellerContext?: ProductSellerContext | null;
};

export type Product = RequestedAddOns & {
  readonly itemId: string | null;
  readonly gtin: Gtin14 | null;
  readonly asin: string | null;
  readonly mpn: string | null;
  readonly model: string | null;
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly categories: readonly string[];
  readonly specs: readonly Spec[];
  readonly retailerWUrl: string | null;
  readonly packCount: number | null;
  readonly weightLbs: number | null;
  readonly weightAssembledLbs: number | null;
  readonly weightPackageLbs: number | null;
  readonly dimensions: Dimensions | null;
  readonly dimensionsAssembled: Dimensions | null;
  readonly dimensionsPackage: Dimensions | null;

  /** USD hundredths; null out of stock, in another currency, unknown (D26, D28). */
  readonly currentPriceCents: number | null;
  readonly msrpCents: number | null;
  readonly secondaryOfferCents: number | null;
  /** What the page asks in its own currency, when that is not known to be USD (D26). */
  readonly nativePrice: { readonly cents: number; readonly currency: string | null } | null;
  readonly totalOffers: number | null;
  /** Live offers, else those of the newest list that is not older than a day (D31). */
  readonly offersCount: number | null;
  readonly deliveryDate: string | null;
  readonly fulfillment: Fulfillment | null;
  readonly sellerName: string | null;
  readonly sellerId: string | null;
  readonly sellerType: '1p' | '3p' | null;
  readonly sellerRating: number | null;
  readonly averageRating: number | null;
  readonly reviewCount: number | null;
  /** Stars "5".."1" to number of reviews. */
  readonly ratingDistribution: Listing['ratingDistribution'];
  readonly condition: Condition | null;
  readonly soldTag: string | null;
  readonly isBestSeller: boolean | null;
  readonly hazmat: boolean | null;
  /** The anchor's, at its price and on the day of the lookup (D44); null without a marketplace. */
  readonly fees: Fees | null;

  /** Over all listings of the product (specification: conventions). */
  readonly inStock: boolean | null;
  readonly priceHistory: ObservedSpan;
  readonly windows: Windows;
  /** Bars of the last 30 days of the same history, newest first. */
  readonly recentBars: readonly PriceBar[];
  readonly statsPriceCents: number | null;
  /** Null where the field does not stand at all: no barcode known, or asked by `item_id` (D39). */
  readonly retailerLinks: readonly RetailerLink[] | null;
  readonly asinMatch: AsinMatch | null;
  readonly refreshedAtMs: number;
  readonly sources: Sources;
  readonly agreement: Pick<Agreement, 'disagreements' | 'score'>;
  /** The listing that everything of an offer comes from. */
  readonly anchor: ListingAddress & { readonly listingId: string };
  /** Every listing that the record may draw on, the anchor first; with `retailer=` the anchor alone (D18). */
  readonly listings: readonly ListingAddress[];
  /** Null unless the call asked for them. */
  readonly offers: LiveOffers | null;
  readonly reviews: ProductReviews | null;
  /** True when a retailer_b identifier resolved there (D27: `_meta.source`). */
  readonly resolvedByRetailerB: boolean;
};

/**
 * Marks the buy box where a list does not say who holds it: the one offer in stock of the very seller, at the
 * very price, that the product's own page shows behind its buy button. No such offer, or two: nobody knows.
 */
export function withBuyBox(
  offers: readonly Offer[],
  { sellerId, currentPriceCents }: Pick<Product, 'sellerId' | 'currentPriceCents'>,
): readonly Offer[] {
  if (sellerId === null || currentPriceCents === null) return offers;
  if (offers.some(({ isBuyBox }) => isBuyBox !== null)) return offers;
  const holders = offers.filter(
    (offer) =>
      [offer.sellerIdHex, offer.sellerId].includes(sellerId) &&
      offer.price?.currency === 'USD' &&
      offer.price.cents === currentPriceCents &&
      offer.inStock !== false,
  );
  if (holders.length !== 1) return offers;
  return offers.map((offer) => ({ ...offer, isBuyBox: holders.includes(offer) }));
}
