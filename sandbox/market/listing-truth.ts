// The facts of a listing at an instant, and which of them each answer of the retailer states: made from the market,
// never read from a page. Names are those of the product record.

import { isoTimestamp } from '../../src/base/clock.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { itemNumber, productIdOf } from './codes.ts';
import type { Sides } from './goods.ts';
import type { ListingView } from './listing-view.ts';
import { dollarsOf, siblingsOf } from './listing-view.ts';

type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | readonly Readonly<Record<string, unknown>>[]
  | Readonly<Record<string, unknown>>;

type Facts = Readonly<Record<string, FactValue>>;

export type ListingTruth = {
  readonly at: string;
  readonly retailer: KnownSlug;
  readonly url: string;
  readonly facts: Facts;
  /** The facts that each answer (`page`, `api:<name>`) states. A fact that is null is not stated. */
  readonly exposes: Readonly<Record<string, readonly string[]>>;
  /** The barcode of the product, regardless of what the listing publishes. */
  readonly true_gtin: string;
  readonly has_wrong_barcode: boolean;
  readonly trouble: string | null;
};

function sidesFact({ height, width, length }: Sides): Readonly<Record<string, number>> {
  return { height_in: height, width_in: width, length_in: length };
}

/** Returns the colour's id, if the page offers several. */
function variantOf(view: ListingView): string | null {
  const { slug, id } = view.listing;
  if (slug === 'retailer_e') return /\?var=(\d+)$/.exec(id)?.[1] ?? null;
  return siblingsOf(view).length > 1 ? id : null;
}

/** Returns whether shipping and pickup are offered. */
export function waysOf(view: ListingView): Record<string, FactValue> {
  return { can_ship: view.inStock, can_pick_up: view.inStock && view.hasPickup };
}

/** Returns the facts that are derived in the same way for every retailer. */
export function sharedFacts(view: ListingView, url: string): Record<string, FactValue> {
  const { product, listing, totals } = view;
  return {
    url,
    item_id: listing.slug === 'retailer_a' ? null : itemNumber(listing.id),
    variant_id: variantOf(view),
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
    // Without an amount there is no currency.
    currency: view.cents === null ? null : view.currency,
    list_price: dollarsOf(view.wasCents),
    secondary_offer_price: null,
    in_stock: view.inStock,
    unavailable: view.isEnded,
    condition: listing.condition,
    rating: totals.average,
    review_count: totals.count,
    rating_distribution: totals.count === 0 ? null : totals.distribution,
    sold_tag: view.soldTag,
    estimated_sales: view.soldAMonth,
    is_best_seller: view.isBestSeller,
    sales_rank: view.salesRanks.length === 0 ? null : view.salesRanks,
    pack_count: product.packCount,
    hazmat: null,
    weight_lbs: product.pounds,
    dimensions: sidesFact(product.sides),
  };
}

/** Returns weights and sizes for answers that distinguish the product from its box. */
export function bothMeasures({ product }: ListingView): Record<string, FactValue> {
  return {
    weight_assembled_lbs: product.pounds,
    weight_package_lbs: product.packagePounds,
    dimensions_assembled: sidesFact(product.sides),
    dimensions_package: sidesFact(product.packageSides),
  };
}

/**
 * Returns facts that no answer states about this listing: a missing badge may be read as false or as unknown, and most
 * retailers omit the number of reviews if there are none.
 */
function unsaidBy({
  isBestSeller,
  totals,
  isEnded,
  currency,
  listing,
}: ListingView): ReadonlySet<string> {
  const names: string[] = [];
  if (!isBestSeller) names.push('is_best_seller');
  if (totals.count === 0) names.push('review_count');
  // Shipping costs are stated in dollars or not at all.
  if (currency !== 'USD') names.push('shipping_cost');
  // retailer_e shows neither price nor terms once a listing has ended.
  if (isEnded && listing.slug === 'retailer_e') {
    names.push('price', 'currency', 'list_price', 'shipping_cost', 'delivery_date', 'sold_tag');
  }
  return new Set(names);
}

/** Fields that an API without a currency field omits for a listing that is not in dollars. */
export const PRICES: readonly string[] = ['price', 'currency', 'list_price'];

export function without(names: readonly string[], left: readonly string[]): readonly string[] {
  return names.filter((name) => !left.includes(name));
}

export function truthFrom(
  view: ListingView,
  url: string,
  facts: Facts,
  exposes: ListingTruth['exposes'],
): ListingTruth {
  const { listing, product } = view;
  const unsaid = unsaidBy(view);
  return {
    at: isoTimestamp(view.atMs),
    retailer: listing.slug,
    url,
    facts,
    exposes: Object.fromEntries(
      Object.entries(exposes).map(([answer, names]) => [
        answer,
        names.filter((name) => !unsaid.has(name)),
      ]),
    ),
    true_gtin: product.gtin14,
    has_wrong_barcode: listing.hasWrongBarcode,
    trouble: product.trouble?.slug === listing.slug ? product.trouble.kind : null,
  };
}
