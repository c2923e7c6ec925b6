// A listing: the facts that one retailer stated about one product at one moment. Null means that the page did not state it;
// a reader never fills a gap with a guess (D23).

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Condition } from './offer.ts';
import type { Money } from './money/minor-units.ts';
import type { Offer } from './offer.ts';
import type { SalesRank } from './vocabularies/sales-rank.ts';

/** Inches. A side that the page does not state is null; without any side the whole object is null. */
export type Dimensions = {
  readonly heightIn: number | null;
  readonly widthIn: number | null;
  readonly lengthIn: number | null;
};

export type Spec = { readonly name: string; readonly value: string };

export type FulfillmentOption = {
  readonly available: boolean | null;
  readonly costCents: number | null;
  readonly date: string | null;
};

export type Fulfillment = {
  readonly shipping: FulfillmentOption | null;
  readonly delivery: FulfillmentOption | null;
  readonly pickup: FulfillmentOption | null;
};

/** How a price was read: from structured data, a state of the page's scripts, its visible text, or an API. */
export const PRICE_READ_FROM = [
  'json_ld',
  'microdata',
  'rdfa',
  'open_graph',
  'state',
  'visible',
  'api',
  'rule',
  'doubtful_rule',
] as const;
export type PriceReadFrom = (typeof PRICE_READ_FROM)[number];

export type Listing = {
  /** The page's canonical address, otherwise the address that responded. */
  readonly url: string | null;
  /** The retailer's own listing id. */
  readonly itemId: string | null;
  readonly asin: string | null;
  /** retailer_b's 10-character product id. */
  readonly productId: string | null;
  readonly gtin: Gtin14 | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  /** Barcodes, SKUs and part numbers of every variant that the page lists, in the form of `comparableCodes` (D90). */
  readonly codes: readonly string[];
  readonly model: string | null;
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly categories: readonly string[];
  readonly specs: readonly Spec[];
  /**
   * The price that a buyer pays now, before shipping, in the page's own currency. Zero does not count as a price (D26).
   */
  readonly price: Money | null;
  /** Null without a price, and for listings stored before this field existed. */
  readonly priceReadFrom: PriceReadFrom | null;
  /** A different price for the same offer in the page's data, although the page displays `price`. */
  readonly otherPrice: Money | null;
  /** Was-price, strike-through price or MSRP: in the currency of `price`, and never below it. */
  readonly listPrice: Money | null;
  /**
   * Total of the page's instalments, for a price of nines that they support (D89). Null without any, and for listings stored
   * before this field existed.
   */
  readonly instalmentTotal: Money | null;
  /** The lowest price the page states for another seller's or condition's offer. */
  readonly secondaryOfferPrice: Money | null;
  readonly inStock: boolean | null;
  /** True if the retailer says that the listing is gone, ended or discontinued (D24). */
  readonly unavailable: boolean | null;
  readonly condition: Condition | null;
  readonly rating: number | null;
  readonly reviewCount: number | null;
  /** Stars "5".."1" to number of reviews. */
  readonly ratingDistribution: Readonly<Record<string, number>> | null;
  readonly sellerName: string | null;
  readonly sellerId: string | null;
  readonly sellerType: '1p' | '3p' | null;
  /** The seller's public number, where it differs from `sellerId` (D32). */
  readonly catalogSellerId: string | null;
  /** 0 to 5. */
  readonly sellerRating: number | null;
  readonly sellerReviewCount: number | null;
  /** The number of sellers that the page states. */
  readonly offersCount: number | null;
  /** Offers on the page itself, the one of its buy button first; rarely all offers (D64). */
  readonly offers: readonly Offer[];
  readonly deliveryDate: string | null;
  readonly fulfillment: Fulfillment | null;
  /** The weight if the page does not say whether it applies to the assembled product or to the package. */
  readonly weightLbs: number | null;
  readonly weightAssembledLbs: number | null;
  readonly weightPackageLbs: number | null;
  readonly dimensions: Dimensions | null;
  readonly dimensionsAssembled: Dimensions | null;
  readonly dimensionsPackage: Dimensions | null;
  readonly soldTag: string | null;
  readonly isBestSeller: boolean | null;
  /** The listing's sales ranks in the retailer's categories, the widest category first; empty when the page states none. */
  readonly salesRank: readonly SalesRank[];
  readonly packCount: number | null;
  readonly hazmat: boolean | null;
  /** The shop's number for the variant that these facts describe. */
  readonly variantId: string | null;
};

/** An empty listing: readers start from it and fill in the facts that they find. */
export const EMPTY_LISTING: Listing = Object.freeze({
  url: null,
  itemId: null,
  asin: null,
  productId: null,
  gtin: null,
  sku: null,
  mpn: null,
  codes: [],
  model: null,
  title: null,
  brand: null,
  description: null,
  imageUrl: null,
  categories: [],
  specs: [],
  price: null,
  priceReadFrom: null,
  otherPrice: null,
  listPrice: null,
  instalmentTotal: null,
  secondaryOfferPrice: null,
  inStock: null,
  unavailable: null,
  condition: null,
  rating: null,
  reviewCount: null,
  ratingDistribution: null,
  sellerName: null,
  sellerId: null,
  sellerType: null,
  catalogSellerId: null,
  sellerRating: null,
  sellerReviewCount: null,
  offersCount: null,
  offers: [],
  deliveryDate: null,
  fulfillment: null,
  weightLbs: null,
  weightAssembledLbs: null,
  weightPackageLbs: null,
  dimensions: null,
  dimensionsAssembled: null,
  dimensionsPackage: null,
  soldTag: null,
  isBestSeller: null,
  salesRank: [],
  packCount: null,
  hazmat: null,
  variantId: null,
});

/**
 * The weight fields, best first (D76): the assembled product, the package, and the one for which the page does not say what was
 * weighed.
 */
export const WEIGHT_FIELDS = ['weightAssembledLbs', 'weightPackageLbs', 'weightLbs'] as const;

/** The fields of the dimensions, in the same order. */
export const DIMENSION_FIELDS = ['dimensionsAssembled', 'dimensionsPackage', 'dimensions'] as const;

/** Returns the best weight that a listing states, in pounds. */
export function bestWeight(listing: Listing): number | null {
  return firstStated(WEIGHT_FIELDS.map((field) => listing[field]));
}

/** Returns the best dimensions that a listing states, in inches. */
export function bestDimensions(listing: Listing): Dimensions | null {
  return firstStated(DIMENSION_FIELDS.map((field) => listing[field]));
}

function firstStated<T>(values: readonly (T | null)[]): T | null {
  return values.find((value) => value !== null) ?? null;
}
