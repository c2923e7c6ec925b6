// The facts of the market as plain JSON, for tests: listings, offers, sellers, reviews, and the listings with a wrong
// barcode. Made from the market, never read from a page.

import type { KnownSlug } from '../../src/base/retailer.ts';
import { isKnownSlug, KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { SimulatedRetailer } from '../simulated-retailer.ts';
import { addressOf } from '../world.ts';
import type { CatalogProduct } from './catalog.ts';
import type { Market, MarketListing } from './market.ts';
import { offersAt } from './offers.ts';
import type { MarketOffer } from './offers.ts';
import { reviewsAt, totalsOf } from './reviews.ts';
import type { Seller } from './sellers.ts';
import { listingViewAt } from './listing-view.ts';

type SimulatedRetailers = Readonly<Record<KnownSlug, SimulatedRetailer>>;

const MOST_ROWS = 5_000;

/**
 * Answers `/__truth/catalog`, `/retailer?retailer=`, `/listing?retailer=&id=` or `?url=`, `/offers`, `/reviews`,
 * `/sellers?retailer=`, `/barcode?gtin=`, `/wrong-barcodes`. Undefined: no such path; null: not found.
 */
export function marketTruth(
  market: Market,
  retailers: SimulatedRetailers,
  url: URL,
  atMs: number,
): unknown {
  const query = url.searchParams;
  const slug = query.get('retailer') ?? '';
  const from = Number(query.get('offset') ?? 0);
  const most = Math.min(Number(query.get('limit') ?? MOST_ROWS), MOST_ROWS);
  const listing = listingNamedBy(market, query);
  const factsOf = (one: MarketListing): unknown =>
    retailers[one.slug].truth(listingViewAt(market, one, atMs));
  switch (url.pathname) {
    case '/__truth/catalog':
      return market.catalog
        .slice(from, from + most)
        .map((one) => productTruth(market, retailers, one));
    case '/__truth/retailer':
      return isKnownSlug(slug)
        ? market
            .listings(slug)
            .slice(from, from + most)
            .map(factsOf)
        : null;
    case '/__truth/listing':
      return listing === null ? null : factsOf(listing);
    case '/__truth/offers':
      return listing === null || !['retailer_w', 'retailer_a'].includes(listing.slug)
        ? null
        : offersAt(market, listing, atMs).map((one) => offerTruth(listing.slug, one));
    case '/__truth/reviews':
      return listing === null ? null : reviewsTruth(market, listing, atMs);
    case '/__truth/sellers':
      return isKnownSlug(slug) ? market.sellers(slug).map(sellerTruth) : null;
    case '/__truth/barcode': {
      const product = market.productOf((query.get('gtin') ?? '').padStart(14, '0'));
      if (product === null) return null;
      const all = KNOWN_SLUGS.flatMap((each) => market.listingsOf(each, product));
      return { ...productTruth(market, retailers, product), truths: all.map(factsOf) };
    }
    case '/__truth/wrong-barcodes':
      return wrongBarcodes(market, retailers);
    default:
      return undefined;
  }
}

function listingNamedBy(market: Market, query: URLSearchParams): MarketListing | null {
  const slug = query.get('retailer') ?? '';
  if (isKnownSlug(slug)) return market.find(slug, query.get('id') ?? '');
  const address = query.get('url') ?? '';
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  const owner = KNOWN_SLUGS.find((each) => market.origins[each].page === origin);
  if (owner === undefined) return null;
  const { pathname, searchParams } = new URL(address);
  // In every retailer's address the id is the last run of letters and digits; a variation after it takes precedence.
  const numbers = (pathname.match(/[A-Z0-9]{6,}/g) ?? []).toReversed();
  const variation = searchParams.get('var');
  const chosen = numbers.map((id) => `${id}?var=${variation}`);
  const ids = [searchParams.get('preselect') ?? '', ...chosen, ...numbers];
  return ids.map((id) => market.find(owner, id)).find((one) => one !== null) ?? null;
}

function productTruth(
  market: Market,
  retailers: SimulatedRetailers,
  product: CatalogProduct,
): object {
  const listings = KNOWN_SLUGS.flatMap((slug) => market.listingsOf(slug, product)).map((one) => ({
    retailer: one.slug,
    id: one.id,
    url: retailers[one.slug].address(market, one),
    published_gtin: one.publishedGtin,
  }));
  return {
    gtin: product.gtin14,
    title: product.title,
    brand: product.brand,
    model: product.model,
    pack_count: product.packCount,
    colour: product.colour,
    trouble: product.trouble,
    shop_url: product.atShop === null ? null : addressOf(product.atShop),
    listings,
  };
}

/** Returns an offer with the field names of the service's answer. */
export function offerTruth(slug: KnownSlug, offer: MarketOffer): Readonly<Record<string, unknown>> {
  const { seller, isFirstParty } = offer;
  const isW = slug === 'retailer_w';
  return {
    offer_id: isW ? offer.offerId : null,
    // The retailer itself has no public number; its `seller_id` is then its 32 characters (D32).
    seller_id: isW && !isFirstParty ? seller.catalogId : isW || !isFirstParty ? seller.id : null,
    seller_id_hex: isW ? seller.id : null,
    seller_name: seller.name,
    seller_type: isFirstParty ? '1p' : '3p',
    pro_seller: isW && !isFirstParty ? seller.isPro : null,
    seller_review_count: isFirstParty ? null : seller.ratingCount,
    price: offer.cents / 100,
    was_price: isW && offer.wasCents !== null ? offer.wasCents / 100 : null,
    // If out of stock, no terms are stated.
    shipping_cost: offer.inStock ? offer.shippingCents / 100 : null,
    is_buy_box: offer.isBuyBox,
    in_stock: offer.inStock,
    condition: offer.condition,
    fulfilled_by_retailer: offer.isFulfilledByRetailer,
    delivery_date: offer.inStock ? offer.deliveryDay : null,
    max_delivery_date: isW && offer.inStock ? offer.maxDeliveryDay : null,
    max_order_quantity: isW ? offer.orderLimit : null,
    returnable: isW ? offer.isReturnable : null,
    return_window_days: isW ? offer.returnDays : null,
    free_returns: isW ? offer.hasFreeReturns : null,
  };
}

function reviewsTruth(market: Market, { slug, product }: MarketListing, atMs: number): object {
  const reviews = reviewsAt(market.seed, slug, product, atMs);
  const months = new Map<string, number>();
  for (const { day } of reviews)
    months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + 1);
  return { ...totalsOf(reviews), months: Object.fromEntries(months), reviews };
}

export function sellerTruth(seller: Seller): Readonly<Record<string, unknown>> {
  return {
    seller_id: seller.id,
    catalog_seller_id: seller.catalogId,
    seller_name: seller.name,
    rating: seller.rating,
    rating_count: seller.ratingCount,
    active_listings: seller.activeListings,
    pro_seller: seller.isPro,
    location: {
      city: seller.city,
      state: seller.state,
      postal_code: seller.postalCode,
      country: 'US',
    },
  };
}

function wrongBarcodes(market: Market, retailers: SimulatedRetailers): readonly object[] {
  return KNOWN_SLUGS.flatMap((slug) =>
    market
      .listings(slug)
      .filter((one) => one.hasWrongBarcode)
      .map((one) => ({
        retailer: slug,
        id: one.id,
        url: retailers[slug].address(market, one),
        true_gtin: one.product.gtin14,
        published_gtin: one.publishedGtin,
      })),
  );
}
