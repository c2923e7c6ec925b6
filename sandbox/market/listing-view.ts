// A listing at one instant, with everything that its pages and API answers state. Retailers publish the same facts in
// different ways.

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import { chance, chanceBetween, chanceOf } from '../chance.ts';
import type { CatalogProduct } from './catalog.ts';
import { itemNumber, printedCode } from './codes.ts';
import type { Market, MarketListing } from './market.ts';
import { hasStock, offersAt } from './offers.ts';
import type { MarketOffer } from './offers.ts';
import { priceAt } from './price.ts';
import { reviewsAt, totalsOf } from './reviews.ts';
import type { MarketReview, ReviewTotals } from './reviews.ts';
import type { RetailerTrouble } from './trouble-kinds.ts';

export type ListingView = {
  readonly market: Market;
  readonly listing: MarketListing;
  readonly product: CatalogProduct;
  readonly atMs: number;
  /** Public origin of the retailer's pages. */
  readonly origin: string;
  readonly currency: 'USD' | 'EUR';
  /** Null: no seller has it now, and the retailer shows no price. */
  readonly cents: number | null;
  readonly wasCents: number | null;
  readonly inStock: boolean;
  readonly isEnded: boolean;
  /** The offer behind the price, at marketplaces with a buy box. */
  readonly buyBox: MarketOffer | null;
  /** All sellers, buy box first (retailer_w and retailer_a). */
  readonly offers: readonly MarketOffer[];
  readonly reviews: readonly MarketReview[];
  readonly totals: ReviewTotals;
  /** Verbatim as printed. */
  readonly soldTag: string | null;
  readonly soldAMonth: number | null;
  readonly isBestSeller: boolean;
  /** Ranks in the retailer's categories, widest first; empty: it states none. */
  readonly salesRanks: readonly { readonly category: string; readonly rank: number }[];
  readonly deliveryDay: string;
  readonly shippingCents: number;
  readonly hasPickup: boolean;
  /** The barcode as printed, twelve or thirteen digits. */
  readonly barcode: string | null;
  readonly images: readonly [string, string];
};

export function listingViewAt(market: Market, listing: MarketListing, atMs: number): ListingView {
  const { seed } = market;
  const { slug } = listing;
  const key = ['view', slug, listing.id];
  const trouble = listing.product.trouble?.slug === slug ? listing.product.trouble.kind : null;
  const product = asListed(listing.product, trouble);
  const isMarketplace = slug === 'retailer_w' || slug === 'retailer_a';
  const offers = isMarketplace ? offersAt(market, listing, atMs) : [];
  const buyBox = offers.find((offer) => offer.isBuyBox) ?? null;
  const share = { new: 100, open_box: 85, refurbished: 75, used_good: 60 }[listing.condition];
  const usual = priceAt(seed, key, (product.baseCents * share) / 100, atMs);
  const isLost = trouble === 'lost_point' && Math.floor(atMs / DAY_MS) % LOST_EVERY === 0;
  const own = isLost ? { cents: usual.cents * 100, wasCents: null } : usual;
  const reviews = slug === 'retailer_e' ? [] : reviewsAt(seed, slug, product, atMs);
  const { origin } = new URL(market.origins[slug].page);
  const isEnded = hasEnded(market, listing, atMs);
  return {
    market,
    listing,
    product,
    atMs,
    origin,
    currency: trouble === 'foreign_currency' ? 'EUR' : 'USD',
    cents: isMarketplace ? (buyBox?.cents ?? null) : own.cents,
    wasCents: isMarketplace ? (buyBox?.wasCents ?? null) : own.wasCents,
    inStock: isMarketplace ? buyBox !== null : !isEnded && hasStock(listing, seed, key, atMs),
    isEnded,
    buyBox,
    offers,
    reviews,
    totals: totalsOf(reviews),
    ...soldAt(seed, listing, atMs),
    isBestSeller: chance(seed, [...key, 'best', Math.floor(atMs / (7 * DAY_MS))]) < 0.08,
    salesRanks: ranksAt(seed, listing, atMs),
    deliveryDay:
      buyBox?.deliveryDay ?? dayOf(atMs + chanceBetween(seed, [...key, 'days'], 2, 6) * DAY_MS),
    shippingCents: buyBox?.shippingCents ?? chanceOf(seed, [...key, 'ship'], [0, 0, 0, 599, 1295]),
    hasPickup: chance(seed, [...key, 'pickup']) < 0.6,
    barcode: listing.publishedGtin === null ? null : printedCode(listing.publishedGtin),
    images: [imageOf(origin, listing, 1), imageOf(origin, listing, 2)],
  };
}

/** Interval at which the decimal point is lost, in days. */
const LOST_EVERY = 5;

/** Returns the product as a retailer with this trouble lists it. */
function asListed(product: CatalogProduct, trouble: RetailerTrouble | null): CatalogProduct {
  if (trouble === 'oversized') return { ...product, pounds: 580, packagePounds: 612 };
  if (trouble !== 'other_pack') return product;
  return { ...product, packCount: 3, title: `${product.title} (Pack of 3)` };
}

/** Returns whether a listing has ended: in any week, one in thirty of retailer_e's has. */
export function hasEnded({ seed }: Market, listing: MarketListing, atMs: number): boolean {
  const { slug, id, product } = listing;
  if (product.trouble !== null)
    return product.trouble.slug === slug && product.trouble.kind === 'ended';
  if (slug !== 'retailer_e' || product.isReliable) return false;
  const week = Math.floor(atMs / (7 * DAY_MS));
  return chance(seed, ['ended', itemNumber(id), week]) < 1 / 30;
}

/** Returns the picture's address; retailer_h includes its size in the name. */
function imageOf(origin: string, { slug, id }: MarketListing, number: number): string {
  return `${origin}/media/${id.replace('?var=', '-')}-${number}${slug === 'retailer_h' ? '_1000' : ''}.jpg`;
}

/** Returns the sales tag as the three marketplaces word it; the other retailers print none. */
function soldAt(
  seed: number,
  { slug, id }: MarketListing,
  atMs: number,
): Pick<ListingView, 'soldTag' | 'soldAMonth'> {
  const week = Math.floor(atMs / (7 * DAY_MS));
  const number = chanceOf(seed, ['sold', slug, id, week], [50, 100, 300, 1000, 4000]);
  if (chance(seed, ['tagged', slug, id, week]) >= 0.35) return { soldTag: null, soldAMonth: null };
  if (slug === 'retailer_w')
    return { soldTag: `${number}+ bought since yesterday`, soldAMonth: null };
  if (slug === 'retailer_a') {
    const short = number >= 1000 ? `${number / 1000}K` : String(number);
    return { soldTag: `${short}+ bought in past month`, soldAMonth: number };
  }
  if (slug === 'retailer_e') {
    return { soldTag: `${number.toLocaleString('en-US')} sold`, soldAMonth: null };
  }
  return { soldTag: null, soldAMonth: null };
}

/** Returns sales ranks: only retailer_a and retailer_b rank their products, but not all of them; ranks change daily. */
function ranksAt(
  seed: number,
  { slug, id, product }: MarketListing,
  atMs: number,
): ListingView['salesRanks'] {
  if (slug !== 'retailer_a' && slug !== 'retailer_b') return [];
  if (chance(seed, ['ranked', slug, id]) < 0.1) return [];
  const day = Math.floor(atMs / DAY_MS);
  const narrow = chanceBetween(seed, ['rank', slug, id, day], 1, 900);
  const wide = narrow * chanceBetween(seed, ['wide rank', slug, id], 12, 240);
  const [department, category] = product.categories;
  return [
    { category: department, rank: wide },
    { category, rank: narrow },
  ];
}

/** Returns the colours of a product's family that the same retailer sells, including its own. */
export function siblingsOf({ market, listing, product }: ListingView): readonly MarketListing[] {
  if (product.familySize === 1) return [listing];
  // A family consists of ordinary products, whose index is their position in the catalog.
  return market.catalog
    .slice(product.family, product.family + product.familySize)
    .flatMap((one) => market.listingsOf(listing.slug, one).slice(0, 1));
}

/** Dollars for JSON: 24.5. */
export function dollarsOf(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}
