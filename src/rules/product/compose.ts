// Composes one product from listings (D26, D27, D28, D39). Pure: the same listings and history always give the same
// product, whether they come from the store, from a fetch or from a saved page.

import type { Fees } from '../fees/listing-fees.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { DIMENSION_FIELDS, WEIGHT_FIELDS } from '../../base/listing/listing.ts';
import { tie } from './identity.ts';
import type { Listing } from '../../base/listing/listing.ts';
import {
  barsOf,
  barsWithin,
  newestSuspicion,
  WINDOW_DAYS,
  windowsOf,
  type ObservedSpan,
  type Observation,
  type Peers,
} from '../history/daily-bars.ts';
import type { Day } from '../../base/clock.ts';
import type { AsinMatch, Product, RetailerLink } from './product.ts';
import { identityOrder, physicalOrder } from './source-order.ts';
import { strictest } from '../../base/listing/signals.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import { otherPriceOf, shownPriceCents } from './shown-price.ts';
import { unitPriceOf } from './unit-price.ts';

/** The stored history of a listing: the recent observations, and the span of all. */
export type ListingHistory = {
  /** At least those of the last 180 days, in any order. */
  readonly observations: readonly Observation[];
  readonly span: ObservedSpan;
};

type ComposeInput = {
  readonly anchor: StoredListing;
  /** Returns whether a listing proves the barcode that it prints (D57, D80). */
  readonly isTrusted: (stored: StoredListing) => boolean;
  /** Other listings that publish the barcode and agree with the rest; empty with `retailer=` (D18). */
  readonly others: readonly StoredListing[];
  /** Listings that publish the barcode but that the others contradict: they are linked to, but supply no fact (D59). */
  readonly disputed: readonly StoredListing[];
  readonly agreement: Product['agreement'];
  /** Listings that are only likely to be the product. They are linked to, and supply no fact. */
  readonly guesses: readonly StoredListing[];
  /** Listings that the terms of their source keep apart (D81). They are linked to, and supply no fact. */
  readonly apart: readonly StoredListing[];
  /** The barcode of the lookup, or else the anchor's own (D34). */
  readonly gtin: Gtin14 | null;
  /** The history of the anchor, because the price is the anchor's (D29). */
  readonly history: ListingHistory;
  /** Its prices at others of the seven retailers, if they can change the marks (D68). */
  readonly peers: Peers;
  /** The fees of the anchor on the day. */
  readonly fees: Fees | null;
  /** The currency of the record; `history` and `peers` are seen in it (D87). */
  readonly currency: string;
  readonly today: Day;
  /** D18: whether the call specifies the retailer. It then gets offers of that retailer or none. */
  readonly isOnlyRetailer: boolean;
  /** D39: false for a lookup by `item_id`. */
  readonly withLinks: boolean;
  /** The listings whose stock counts (D35). */
  readonly voters: readonly StoredListing[];
  readonly askedAsin: string | null;
  readonly asinMatch: AsinMatch | null;
  readonly resolvedByRetailerB: boolean;
};

/** Returns true if any listing is in stock; false only if every listing with a known stock is out of stock. */
function inStockOf(listings: readonly StoredListing[]): boolean | null {
  const known = listings.map((each) => each.listing.inStock).filter((stock) => stock !== null);
  if (known.includes(true)) return true;
  return known.length > 0 ? false : null;
}

type SourcedFact<T> = { readonly value: T; readonly from: string } | null;

function firstOf<T>(
  order: readonly StoredListing[],
  pick: (listing: Listing) => T | null,
): SourcedFact<T> {
  for (const each of order) {
    const value = pick(each.listing);
    if (value !== null) return { value, from: each.retailer };
  }
  return null;
}

/**
 * Returns the fact from the best of these fields that any listing states (D76). The field takes precedence over the listing: a
 * package weight from one retailer ranks above an unspecified weight from a retailer that ranks earlier. So the record's best
 * measure is always the assembled one that the record shows, otherwise the package's.
 */
function firstOfFields<Field extends keyof Listing>(
  order: readonly StoredListing[],
  fields: readonly Field[],
): SourcedFact<NonNullable<Listing[Field]>> {
  for (const field of fields) {
    const found = firstOf(order, (listing) => listing[field] ?? null);
    if (found !== null) return found;
  }
  return null;
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | null {
  return list.length > 0 ? list : null;
}

/** Composes a product; source-order.ts says which listing supplies which fact. */
export function composeProduct(input: ComposeInput): Product {
  const { anchor, others, currency } = input;
  const { listing } = anchor;
  const identity = identityFacts(input, identityOrder(anchor, others));
  return {
    ...identity,
    ...physicalFacts(physicalOrder(anchor, others)),
    ...anchorFacts(listing, currency),
    unitPrice: unitPriceOf(shownPriceCents(listing, listing.price, currency), listing, identity),
    fees: input.fees,
    ...historyFacts(input),
    inStock: inStockOf(input.voters),
    retailerLinks: linksOf(input),
    asinMatch: input.asinMatch,
    refreshedAtMs: anchor.fetchedAtMs,
    limits: anchor.limits ?? null,
    limitsOfSources: [anchor, ...others].flatMap(({ limits }) => limits ?? []),
    signals: strictest([anchor, ...others].map(({ signals }) => signals)),
    via: anchor.origin?.door ?? null,
    resolvedByRetailerB: input.resolvedByRetailerB,
    sources: sourcesOf(anchor, others),
    agreement: input.agreement,
    anchor: { retailer: anchor.retailer, url: anchor.url, listingId: anchor.id },
    listings: [anchor, ...others].map(({ retailer, url }) => ({ retailer, url })),
    offersFrom: offersListing(input),
    offersCount: null,
    offers: null,
    reviews: null,
  };
}

/** If the anchor is from a first-party shop, these are queried for offers, in this order (D64). */
const MARKETPLACES = ['retailer_w', 'retailer_a', 'retailer_e'];

/** Returns the listing whose offers are requested. It never has another packaging, whose code differs. */
function offersListing(input: ComposeInput): Product['offersFrom'] {
  const { anchor, isOnlyRetailer } = input;
  const isAsked = MARKETPLACES.includes(anchor.retailer);
  const [found] = isAsked ? [anchor] : isOnlyRetailer ? [] : marketplaceListings(input);
  return found === undefined
    ? null
    : { retailer: found.retailer, url: found.url, listingId: found.id };
}

/**
 * Returns marketplace listings of the same product as the anchor, in the order in which they are queried. There are none if
 * other listings contradict the anchor, or if the barcode that it prints proves nothing (D57, D80).
 */
function marketplaceListings(input: ComposeInput): readonly StoredListing[] {
  const { anchor, others, guesses } = input;
  if (!input.isTrusted(anchor) || contradicted(input).has(anchor.retailer)) return [];
  const tied = [...others, ...guesses.filter(({ listing }) => listing.gtin === null)];
  return MARKETPLACES.flatMap((slug) => tied.find((each) => each.retailer === slug) ?? []);
}

/** Returns the retailers whose listing the others contradict. A mere doubt does not count (D59). */
function contradicted({ agreement }: ComposeInput): ReadonlySet<string> {
  const disputes = agreement.disagreements.filter(({ isDoubt }) => !isDoubt);
  return new Set(disputes.map((each) => each.retailer));
}

function sourcesOf(anchor: StoredListing, others: readonly StoredListing[]): Product['sources'] {
  const identity = identityOrder(anchor, others);
  const physical = physicalOrder(anchor, others);
  return {
    title: firstOf(identity, (listing) => listing.title)?.from ?? null,
    brand: firstOf(identity, (listing) => listing.brand)?.from ?? null,
    weightLbs: firstOfFields(physical, WEIGHT_FIELDS)?.from ?? null,
    dimensions: firstOfFields(physical, DIMENSION_FIELDS)?.from ?? null,
    price: anchor.retailer,
  };
}

function identityFacts(input: ComposeInput, order: readonly StoredListing[]) {
  const first = <T>(pick: (listing: Listing) => T | null) => firstOf(order, pick)?.value ?? null;
  const ofRetailerW = order.find((each) => each.retailer === 'retailer_w');
  const ofRetailerA = order.find((each) => each.retailer === 'retailer_a');
  return {
    itemId: ofRetailerW?.listing.itemId ?? ofRetailerW?.key ?? null,
    gtin: input.anchor.listing.gtin ?? first((listing) => listing.gtin),
    asin: input.askedAsin ?? ofRetailerA?.listing.asin ?? null,
    mpn: first((listing) => listing.mpn),
    model: first((listing) => listing.model),
    title: first((listing) => listing.title),
    brand: first((listing) => listing.brand),
    description: first((listing) => listing.description),
    imageUrl: first((listing) => listing.imageUrl),
    categories: first((listing) => nonEmpty(listing.categories)) ?? [],
    specs: first((listing) => nonEmpty(listing.specs)) ?? [],
    retailerWUrl: ofRetailerW?.url ?? null,
    packCount: first((listing) => listing.packCount),
  };
}

function physicalFacts(order: readonly StoredListing[]) {
  const first = <T>(pick: (listing: Listing) => T | null) => firstOf(order, pick)?.value ?? null;
  return {
    weightLbs: firstOfFields(order, WEIGHT_FIELDS)?.value ?? null,
    weightAssembledLbs: first((listing) => listing.weightAssembledLbs),
    weightPackageLbs: first((listing) => listing.weightPackageLbs),
    dimensions: firstOfFields(order, DIMENSION_FIELDS)?.value ?? null,
    dimensionsAssembled: first((listing) => listing.dimensionsAssembled),
    dimensionsPackage: first((listing) => listing.dimensionsPackage),
  };
}

function anchorFacts(listing: Listing, currency: string) {
  const shown = (money: Listing['price']) => shownPriceCents(listing, money, currency);
  const isShown = listing.price !== null && listing.inStock !== false;
  return {
    currency,
    currentPriceCents: shown(listing.price),
    msrpCents: shown(listing.listPrice),
    secondaryOfferCents: shown(listing.secondaryOfferPrice),
    nativePrice: otherPriceOf(listing, currency),
    priceReadFrom: isShown ? listing.priceReadFrom : null,
    otherPrice: isShown ? listing.otherPrice : null,
    totalOffers: listing.offersCount,
    deliveryDate: listing.deliveryDate,
    fulfillment: listing.fulfillment,
    sellerName: listing.sellerName,
    sellerId: listing.sellerId,
    sellerType: listing.sellerType,
    sellerRating: listing.sellerRating,
    averageRating: listing.rating,
    reviewCount: listing.reviewCount,
    ratingDistribution: listing.ratingDistribution,
    condition: listing.condition,
    soldTag: listing.soldTag,
    isBestSeller: listing.isBestSeller,
    salesRank: listing.salesRank,
    hazmat: listing.hazmat,
  };
}

function historyFacts({ anchor, history, peers, currency, today }: ComposeInput) {
  const bars = barsOf(history.observations, peers);
  const isPriceShown = shownPriceCents(anchor.listing, anchor.listing.price, currency) !== null;
  return {
    priceSuspect: isPriceShown ? newestSuspicion(history.observations, peers) : null,
    priceHistory: history.span,
    windows: windowsOf(bars, today),
    recentBars: barsWithin(bars, today, WINDOW_DAYS['30d']),
  };
}

/**
 * D39: returns links to the anchor and to every listing tied to the barcode, one per retailer. Null without a barcode, and
 * in a lookup by `item_id`.
 */
function linksOf(input: ComposeInput): readonly RetailerLink[] | null {
  const { anchor, others, disputed, guesses, apart, gtin, withLinks } = input;
  if (!withLinks || gtin === null) return null;
  const disputes = contradicted(input);
  const tied = [others, disputed, guesses, apart].flatMap((group) => group.toSorted(bySlug));
  return [anchor, ...tied].map((each) => {
    const { retailer, url, foundVia } = each;
    const isConfirmed = tie(gtin, each, input.isTrusted(each)).state === 'confirmed';
    const state = disputes.has(each.retailer)
      ? 'disputed'
      : isConfirmed
        ? 'confirmed'
        : 'unconfirmed';
    return { retailer, url, foundVia, identityState: state };
  });
}

function bySlug(a: StoredListing, b: StoredListing): number {
  return a.retailer < b.retailer ? -1 : 1;
}
