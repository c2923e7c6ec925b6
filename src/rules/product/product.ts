// The product record before it becomes JSON: offer and page facts come from one anchor listing, identity and physical
// facts from the best source (D27). Mostly types; `compose.ts` makes a product.

import type { Cell } from './cell.ts';
import type { Fees } from '../fees/listing-fees.ts';
import type { BarcodeDatabase } from '../../base/identity-facts.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Dimensions, Fulfillment, Listing, Spec } from '../../base/listing/listing.ts';
import type { Condition } from '../../base/listing/offer.ts';
import type { SeenOffer } from '../history/offer-archive.ts';
import type { Offer } from '../../base/listing/offer.ts';
import type { ObservedSpan, PriceBar, Windows } from '../history/daily-bars.ts';
import type { SuspectReason } from '../history/suspect-reason.ts';
import type { Door } from '../../base/listing/origin.ts';
import type { Signals } from '../../base/listing/signals.ts';
import type { Slug } from '../../base/retailer.ts';
import type { ProductReviews } from './review-summary.ts';
import type { FoundVia, Limits, ListingAddress } from '../../base/listing/stored-listing.ts';
import type { SellerContext } from '../../base/listing/seller.ts';
import type { Agreement } from '../matching/agreement.ts';
import type { BestPrice } from './best-price.ts';
import type { UnitPrice } from './unit-price.ts';

export type AsinMatch = {
  readonly state: 'exact' | 'substituted' | 'unknown';
  readonly matchedAsin: string | null;
};

export type RetailerLink = {
  readonly retailer: Slug;
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly identityState: 'confirmed' | 'unconfirmed' | 'disputed';
};

/** The retailer that supplied a field; null when none did. */
type Sources = {
  readonly title: Slug | null;
  readonly brand: Slug | null;
  readonly weightLbs: Slug | null;
  readonly dimensions: Slug | null;
  /** Null only with `identityFrom`. */
  readonly price: Slug | null;
};

/** The database that supplies all facts of a product that no retailer has. */
export type IdentityFrom = {
  readonly source: BarcodeDatabase;
  /** In words, with the attribution that the licence requires. */
  readonly licence: string;
  readonly url: string;
  /** Retailers that could have the product and gave no answer. */
  readonly silent: readonly Slug[];
};

/** Offers of one listing of the product, fetched during the call (D31, D64). */
export type LiveOffers = {
  /** The retailer of the offers; null if no marketplace has the product. */
  readonly retailer: Slug | null;
  /** In the order of the retailer's list, or of its page. */
  readonly offers: readonly Offer[];
  /** False if there may be further offers that are not in the answer. */
  readonly isComplete: boolean;
};

/** Earlier offers of the product, newest first. */
export type OffersHistory = {
  /** The number of stored offers; `offers` may have fewer. */
  readonly total: number;
  readonly offers: readonly ArchivedOffer[];
};

/** A stored offer. `wasPrice` is the list's own, or else the price of the same offer when it was last seen. */
export type ArchivedOffer = SeenOffer;

/** The seller facts of the anchor, and of every marketplace listing that was fetched, the anchor's first. */
export type ProductSellerContext = SellerContext & {
  readonly listings: readonly (ListingAddress & SellerContext)[];
};

/** A cell with the fees and seller facts of its listing. */
export type CellWithFees = Cell & {
  /** Fees by its own rate card and price (D44). Null without a listing, or for a retailer without a marketplace. */
  readonly fees: Fees | null;
  /** Why its price is suspect (D68). Null if it is not, or without a price. */
  readonly priceSuspect: SuspectReason | null;
  /** The retailer's statements during the call; null unless requested. */
  readonly sellerContext: SellerContext | null;
};

/**
 * Why no restrictions are known: the anchor's retailer has no other sellers; no source here can be queried; the source does
 * not know the listing.
 */
export const SELLER_CONTEXT_NULL = ['first_party_retailer', 'no_source', 'not_known'] as const;
export type SellerContextNull = (typeof SELLER_CONTEXT_NULL)[number];

/** The parts of a record that exist only on request: a key is present exactly when it was requested. */
export type RequestedAddOns = {
  readonly crossRetailer?: readonly CellWithFees[];
  readonly offersHistory?: OffersHistory;
  /** Every stored bar of retailer_w's listing of the product, newest first (D29). */
  readonly priceSeries?: readonly PriceBar[];
  /** Null when the anchor is not on a marketplace. */
  readonly sellerContext?: ProductSellerContext | null;
  /** Why no restriction is known; null if one is. */
  readonly sellerContextNull?: SellerContextNull | null;
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

  /** The currency of every price, bar and window; fees are dollars (D87). */
  readonly currency: string;
  /** In minor units; null when out of stock, in another currency or unknown (D26, D28). */
  readonly currentPriceCents: number | null;
  readonly msrpCents: number | null;
  readonly secondaryOfferCents: number | null;
  /** The price in the page's currency, if that is another one than the record's or is unknown (D26). */
  readonly nativePrice: { readonly cents: number; readonly currency: string | null } | null;
  /** How the current or native price was read (`PRICE_READ_FROM`). Null without a price, or if that was not noted. */
  readonly priceReadFrom: Listing['priceReadFrom'];
  /** A different price for the same offer in the page's data, if the page shows the current price instead. */
  readonly otherPrice: { readonly cents: number; readonly currency: string | null } | null;
  /** Undefined if the record has no such field: without a known barcode, and with `retailer=` (D60). */
  readonly bestPrice?: BestPrice | null;
  /** Retailers that were not asked for the barcode yet, and will be in the background. Absent if none is asked. */
  readonly notAsked?: readonly Slug[];
  /** Retailers that would have been asked first and cannot be asked in this installation. Absent if there are none. */
  readonly cannotAsk?: readonly Slug[];
  readonly unitPrice: UnitPrice | null;
  readonly totalOffers: number | null;
  /** The number of live offers, or else of offers in the newest list of the last day (D31). */
  readonly offersCount: number | null;
  readonly deliveryDate: string | null;
  readonly fulfillment: Fulfillment | null;
  readonly sellerName: string | null;
  readonly sellerId: string | null;
  readonly sellerType: '1p' | '3p' | null;
  readonly sellerRating: number | null;
  readonly averageRating: number | null;
  readonly reviewCount: number | null;
  /** Stars "5" to "1" -> number of reviews. */
  readonly ratingDistribution: Listing['ratingDistribution'];
  readonly condition: Condition | null;
  readonly soldTag: string | null;
  readonly isBestSeller: boolean | null;
  /** Empty if the anchor's retailer states none. */
  readonly salesRank: Listing['salesRank'];
  readonly hazmat: boolean | null;
  /** Fees of the anchor at its price on the day of the lookup (D44); null without a marketplace. */
  readonly fees: Fees | null;

  /** Over all listings of the product: see `inStockOf`. */
  readonly inStock: boolean | null;
  readonly priceHistory: ObservedSpan;
  /** Why the current price may be unintended (D68). Null if it is not suspect, or without a price. */
  readonly priceSuspect: SuspectReason | null;
  readonly windows: Windows;
  /** Bars of the last 30 days of that history, newest first. */
  readonly recentBars: readonly PriceBar[];
  /** Null when the record has no such field: without a known barcode, and in a lookup by `item_id` (D39). */
  readonly retailerLinks: readonly RetailerLink[] | null;
  readonly asinMatch: AsinMatch | null;
  readonly refreshedAtMs: number;
  readonly sources: Sources;
  readonly agreement: Pick<Agreement, 'disagreements' | 'score'>;
  /** The listing that supplies every offer fact. */
  readonly anchor: ListingAddress & { readonly listingId: string };
  /**
   * The listing whose offers are requested (D64): the anchor or, if the anchor's retailer has no marketplace, the first
   * listing of a retailer that has one; null if none has the product.
   */
  readonly offersFrom: (ListingAddress & { readonly listingId: string }) | null;
  /** Every listing that supplies facts, the anchor first; with `retailer=` only the anchor (D18). */
  readonly listings: readonly ListingAddress[];
  /** Null unless the call requested them. */
  readonly offers: LiveOffers | null;
  readonly reviews: ProductReviews | null;
  /** The terms of the anchor's source; null without terms (D81). */
  readonly limits: Limits | null;
  /** The combined signals of the shops that supply facts; undefined if there are none (D83). */
  readonly signals: Signals | undefined;
  /** The limits of every listing that supplies facts. */
  readonly limitsOfSources: readonly Limits[];
  /** How the anchor was reached; null if it was stored before that was. */
  readonly via: Door | null;
  /** Present if no retailer supplies anything: the barcode database that does (D86). */
  readonly identityFrom?: IdentityFrom;
  /** True when retailer_b itself resolved one of its identifiers (D27: `_meta.source`). */
  readonly resolvedByRetailerB: boolean;
  /** The requested address, if it previously showed another product and now leads to this one (D90). */
  readonly movedFrom?: string;
};

/** Returns when the terms of a source next withhold something of the product (ms since 1970); null for never. */
export function givenUntilMs({
  limitsOfSources,
  crossRetailer = [],
}: Pick<Product, 'limitsOfSources' | 'crossRetailer'>): number | null {
  const cells = crossRetailer.flatMap(({ stored }) => stored?.limits ?? []);
  const ends = [...limitsOfSources, ...cells].map(({ endsAtMs }) => endsAtMs ?? Infinity);
  const first = Math.min(...ends);
  return Number.isFinite(first) ? first : null;
}

/**
 * Marks the buy box in a list that does not state it: the offer in stock with the seller and price shown next to the
 * product page's buy button. Without such an offer, or with two, the list is unchanged. The result is stored, so it does not
 * depend on the currency of the record: it is known of prices in dollars.
 */
export function withBuyBox(
  offers: readonly Offer[],
  product: Pick<Product, 'sellerId' | 'currency' | 'currentPriceCents' | 'nativePrice'>,
): readonly Offer[] {
  const { sellerId } = product;
  const dollarCents = dollarCentsOf(product);
  if (sellerId === null || dollarCents === null) return offers;
  if (offers.some(({ isBuyBox }) => isBuyBox !== null)) return offers;
  const holders = offers.filter(
    (offer) =>
      [offer.sellerIdHex, offer.sellerId].includes(sellerId) &&
      offer.price?.currency === 'USD' &&
      offer.price.cents === dollarCents &&
      offer.inStock !== false,
  );
  if (holders.length !== 1) return offers;
  return offers.map((offer) => ({ ...offer, isBuyBox: holders.includes(offer) }));
}

function dollarCentsOf({
  currency,
  currentPriceCents,
  nativePrice,
}: Pick<Product, 'currency' | 'currentPriceCents' | 'nativePrice'>): number | null {
  if (currency === 'USD') return currentPriceCents;
  return nativePrice?.currency === 'USD' ? nativePrice.cents : null;
}
