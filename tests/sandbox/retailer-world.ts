// The simulated retailers without a server, queried by the project's own sources and read by its readers: shared by the
// tests of both sides. It knows both; they know nothing of each other.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { bestDimensions, bestWeight, type Listing } from '../../src/base/listing/listing.ts';
import type { Offer } from '../../src/base/listing/offer.ts';
import type { Page, PageRequest, PageVerdict } from '../../src/base/listing/page.ts';
import type { RetailerAnswer } from '../../src/base/listing/retailer-answer.ts';
import { UnknownWords } from '../../src/base/listing/vocabularies/unknown-words.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { ADAPTERS } from '../../src/read/retailers/adapters.ts';
import { READERS } from '../../src/read/retailers/registry.ts';
import type {
  Access,
  AnswerReader,
  RetailerQuestion,
  Source,
} from '../../src/read/retailers/adapter.ts';
import { retailerAnswer } from '../../sandbox/simulated-retailers.ts';
import type { RetailerState } from '../../sandbox/simulated-retailer.ts';
import { createMarket } from '../../sandbox/market/market.ts';
import type { MarketListing } from '../../sandbox/market/market.ts';
import { retailerOrigins } from '../../sandbox/origins.ts';
import type { OriginsOfRetailers } from '../../sandbox/origins.ts';
import { createTokens, SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../sandbox/tokens.ts';
import { createWorld, interleaved } from '../../sandbox/world.ts';

/** Pages at the addresses in the address books; APIs are distinguished by their paths. */
export const PUBLIC_ORIGINS = Object.fromEntries(
  KNOWN_SLUGS.map((slug) => [
    slug,
    { page: `https://www.${ADAPTERS[slug].book.hosts[0] ?? ''}`, api: {} },
  ]),
) as unknown as OriginsOfRetailers;

type RetailerWorld = {
  readonly state: RetailerState;
  readonly listings: (slug: KnownSlug) => readonly MarketListing[];
  readonly fetch: (slug: KnownSlug, request: PageRequest, atMs: number) => Page | null;
  /** The request for a question, with a new token if the source needs one. Null if the source does not take it. */
  readonly requestOf: (
    slug: KnownSlug,
    source: Source,
    question: RetailerQuestion,
    atMs: number,
  ) => PageRequest | null;
  /** Sends one question to one source, including its tokens and the follow-ups it states. */
  readonly ask: (
    slug: KnownSlug,
    source: Source,
    question: RetailerQuestion,
    atMs: number,
  ) => Exchange;
};

type Exchange = {
  readonly verdict: PageVerdict<RetailerAnswer> | null;
  /** Requests made, without those for tokens. */
  readonly requests: number;
};

const MOST_FOLLOWS = 3;

export function retailerWorld(seed: number, products: number): RetailerWorld {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const market = createMarket({
    seed,
    products,
    shopProducts: interleaved(createWorld(seed)),
    origins: retailerOrigins(PUBLIC_ORIGINS),
  });
  const state: RetailerState = {
    market,
    tokens: createTokens(),
    signedCaller: {
      consumerId: SANDBOX_ACCESS.consumerId,
      keyVersion: SANDBOX_ACCESS.keyVersion,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    },
    throttledSince: new Map(),
    failing: new Map(),
    isApisOnly: false,
    disturbed: new Map(),
  };
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const fetch: RetailerWorld['fetch'] = (slug, request, atMs) => pageOf(state, slug, request, atMs);
  const requestOf: RetailerWorld['requestOf'] = (slug, source, question, atMs) => {
    const access = accessOf(slug, secret, atMs);
    const token = source.token === undefined ? null : tokenOf(fetch, slug, source, access);
    return source.request(question, { ...access, token });
  };
  return {
    state,
    listings: market.listings,
    fetch,
    requestOf,
    ask: (slug, source, question, atMs) => {
      const request = requestOf(slug, source, question, atMs);
      if (request === null) return { verdict: null, requests: 0 };
      const readers = READERS[slug];
      let verdict = readOnce(fetch(slug, request, atMs), readers[source.readerOf(question.kind)]);
      let requests = 1;
      while (verdict?.kind === 'follow' && requests <= MOST_FOLLOWS) {
        requests += 1;
        verdict = readOnce(fetch(slug, verdict.request, atMs), readers['product']);
      }
      return { verdict, requests };
    },
  };
}

function readOnce(
  page: Page | null,
  read: AnswerReader | undefined,
): PageVerdict<RetailerAnswer> | null {
  assert.ok(read);
  return page === null ? null : read(page, new UnknownWords());
}

function pageOf(
  state: RetailerState,
  slug: KnownSlug,
  request: PageRequest,
  atMs: number,
): Page | null {
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const answer = retailerAnswer(slug, state, {
    method: request.method ?? 'GET',
    url: new URL(request.url),
    headers,
    body: request.body ?? '',
    atMs,
  });
  if (answer.kind !== 'page') return null;
  return {
    requestedUrl: request.url,
    url: request.url,
    status: answer.status,
    headers: { 'content-type': answer.type, ...answer.headers },
    body: Buffer.from(answer.body),
    fetchedAtMs: atMs,
  };
}

function accessOf(slug: KnownSlug, privateKey: string, nowMs: number): Access {
  const prefix = `OPENSHELF_${slug.toUpperCase()}_`;
  const own = Object.entries(SANDBOX_CREDENTIALS)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  const credentials = { ...Object.fromEntries(own), PRIVATE_KEY: privateKey };
  return { credentials, token: null, nowMs, newId: () => '5a0db0c5-0000-4000-8000-000000000001' };
}

function tokenOf(
  fetch: RetailerWorld['fetch'],
  slug: KnownSlug,
  { token }: Source,
  access: Access,
): string | null {
  const page = token === undefined ? null : fetch(slug, token.request(access), access.nowMs);
  return page === null ? null : (token?.read(page)?.token ?? null);
}

export function sourceOf(slug: KnownSlug, name: string): Source {
  const source = ADAPTERS[slug].sources.find((one) => one.name === name);
  assert.ok(source, `${slug} has a source "${name}"`);
  return source;
}

const dollars = (money: Listing['price']): number | null =>
  money === null ? null : money.cents / 100;

function sides(value: Listing['dimensions']): unknown {
  if (value === null) return null;
  return { height_in: value.heightIn, width_in: value.widthIn, length_in: value.lengthIn };
}

/** Returns the facts of a listing under the names that the truth uses. */
export function factsOf(listing: Listing): Readonly<Record<string, unknown>> {
  const shipping = listing.fulfillment?.shipping?.costCents ?? null;
  return {
    item_id: listing.itemId,
    variant_id: listing.variantId,
    asin: listing.asin,
    product_id: listing.productId,
    gtin: listing.gtin,
    mpn: listing.mpn,
    model: listing.model,
    title: listing.title,
    brand: listing.brand,
    image: listing.imageUrl,
    description: listing.description,
    categories: listing.categories,
    specs: listing.specs.map(({ name, value }) => `${name}: ${value}`),
    price: dollars(listing.price),
    currency: listing.price?.currency ?? null,
    list_price: dollars(listing.listPrice),
    secondary_offer_price: dollars(listing.secondaryOfferPrice),
    in_stock: listing.inStock,
    unavailable: listing.unavailable,
    condition: listing.condition,
    rating: listing.rating,
    review_count: listing.reviewCount,
    rating_distribution: listing.ratingDistribution,
    seller_name: listing.sellerName,
    seller_id: listing.sellerId,
    seller_type: listing.sellerType,
    catalog_seller_id: listing.catalogSellerId,
    seller_rating: listing.sellerRating,
    seller_review_count: listing.sellerReviewCount,
    offers_count: listing.offersCount,
    delivery_date: listing.deliveryDate,
    shipping_cost: shipping === null ? null : shipping / 100,
    can_ship: listing.fulfillment?.shipping?.available ?? null,
    can_pick_up: listing.fulfillment?.pickup?.available ?? null,
    weight_lbs: bestWeight(listing),
    weight_assembled_lbs: listing.weightAssembledLbs,
    weight_package_lbs: listing.weightPackageLbs,
    dimensions: sides(bestDimensions(listing)),
    dimensions_assembled: sides(listing.dimensionsAssembled),
    dimensions_package: sides(listing.dimensionsPackage),
    sold_tag: listing.soldTag,
    is_best_seller: listing.isBestSeller,
    pack_count: listing.packCount,
    hazmat: listing.hazmat,
  };
}

/** Returns an offer under the names that the truth uses. */
export function offerFacts(offer: Offer): Readonly<Record<string, unknown>> {
  return {
    offer_id: offer.offerId,
    seller_id: offer.sellerId,
    seller_id_hex: offer.sellerIdHex,
    seller_name: offer.sellerName,
    seller_type: offer.sellerType,
    pro_seller: offer.proSeller,
    seller_review_count: offer.sellerReviewCount,
    price: dollars(offer.price),
    was_price: dollars(offer.wasPrice),
    shipping_cost: dollars(offer.shipping),
    is_buy_box: offer.isBuyBox,
    in_stock: offer.inStock,
    condition: offer.condition,
    fulfilled_by_retailer: offer.fulfilledByMarketplace,
    delivery_date: offer.deliveryDate,
    max_delivery_date: offer.maxDeliveryDate,
    max_order_quantity: offer.maxOrderQuantity,
    returnable: offer.returnable,
    return_window_days: offer.returnWindowDays,
    free_returns: offer.freeReturns,
  };
}

/** Compares numbers to a thousandth, lists by what they must contain, objects by the names of the second. */
export function isSame(found: unknown, wanted: unknown): boolean {
  if (typeof found === 'number' && typeof wanted === 'number') {
    return Math.abs(found - wanted) < 0.001;
  }
  if (Array.isArray(found) && Array.isArray(wanted)) {
    return wanted.every((one) => found.includes(one));
  }
  if (
    typeof found === 'object' &&
    typeof wanted === 'object' &&
    found !== null &&
    wanted !== null
  ) {
    const values = new Map(Object.entries(found));
    return Object.entries(wanted).every(([name, value]) => isSame(values.get(name), value));
  }
  return found === wanted;
}
