// What is true of a listing at an instant, and which of it each of the retailer's answers states. Written from
// the market, never read from a page; names follow the record's vocabulary.

import { isoTimestamp } from '../../domain/clock.ts';
import type { KnownSlug } from '../../domain/retailer.ts';
import { productIdOf } from './codes.ts';
import type { Sides } from './goods.ts';
import type { ListingView } from './view.ts';
import { dollarsOf } from './view.ts';

type Plain =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | Readonly<Record<string, unknown>>;

export type Facts = Readonly<Record<string, Plain>>;

export type ListingTruth = {
  readonly at: string;
  readonly retailer: KnownSlug;
  readonly url: string;
  readonly facts: Facts;
  /** By answer (`page`, `api:<name>`): the facts it states. A fact that is null there is not stated. */
  readonly exposes: Readonly<Record<string, readonly string[]>>;
  /** The barcode of the thing itself, whatever the listing publishes. */
  readonly true_gtin: string;
  readonly has_wrong_barcode: boolean;
  readonly trouble: string | null;
};

function sidesFact({ height, width, length }: Sides): Readonly<Record<string, number>> {
  return { height_in: height, width_in: width, length_in: length };
}

/** The facts that are told in the same way for every retailer. */
export function sharedFacts(view: ListingView, url: string): Record<string, Plain> {
  const { product, listing, totals } = view;
  return {
    url,
    item_id: listing.slug === 'retailer_a' ? null : listing.id,
    asin: listing.slug === 'retailer_a' ? listing.id : null,
    product_id: listing.slug === 'retailer_b' ? productIdOf(product.index) : null,
    gtin: listing.publishedGtin,
    mpn: product.mpn,
    model: product.model,
    title: product.title,
    brand: product.brand,
    description: product.description,
    image: view.images[0],
    categories: product.categories,
    price: dollarsOf(view.cents),
    currency: view.currency,
    list_price: dollarsOf(view.wasCents),
    secondary_offer_price: null,
    in_stock: view.inStock,
    unavailable: view.isEnded,
    condition: listing.condition,
    rating: totals.average,
    review_count: totals.count === 0 ? null : totals.count,
    rating_distribution: totals.count === 0 ? null : totals.distribution,
    sold_tag: view.soldTag,
    estimated_sales: view.soldAMonth,
    is_best_seller: view.isBestSeller ? true : null,
    pack_count: product.packCount,
    hazmat: null,
    weight_lbs: product.pounds,
    dimensions: sidesFact(product.sides),
  };
}

/** Weights and sizes where the answer tells the thing from its box. */
export function bothMeasures({ product }: ListingView): Record<string, Plain> {
  return {
    weight_assembled_lbs: product.pounds,
    weight_package_lbs: product.packagePounds,
    dimensions_assembled: sidesFact(product.sides),
    dimensions_package: sidesFact(product.packageSides),
  };
}

export function truthFrom(
  view: ListingView,
  url: string,
  facts: Facts,
  exposes: ListingTruth['exposes'],
): ListingTruth {
  const { listing, product } = view;
  return {
    at: isoTimestamp(view.atMs),
    retailer: listing.slug,
    url,
    facts,
    exposes,
    true_gtin: product.gtin14,
    has_wrong_barcode: listing.hasWrongBarcode,
    trouble: product.trouble?.slug === listing.slug ? product.trouble.kind : null,
  };
}
