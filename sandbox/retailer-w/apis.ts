// retailer_w's official APIs: affiliate items and search, which need a signature, and the marketplace's search of the
// whole catalog, which needs a token.

import type { SimulatedAnswer } from '../answer.ts';
import { expiredAnswer, failedAnswer, foundBy, wrongKeyAnswer } from '../api-failures.ts';
import { refusal, searchListings, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import type { MarketListing } from '../market/market.ts';
import type { ListingView } from '../market/listing-view.ts';
import { listingViewAt } from '../market/listing-view.ts';
import { escapeHtml } from '../markup.ts';
import { apiAnswer, basicOf, formOf, missingHeader } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { isSigned } from './signature.ts';
import { SANDBOX_ACCESS } from '../tokens.ts';
import { itemAddress, REVIEWS_A_PAGE } from './pages.ts';
import { secondCents } from './state.ts';

export const AFFILIATE_PATH = '/api-proxy/service/affil/product/v2/';
/** A signature is valid for this long before and after its timestamp. */
const SIGNATURE_MS = 180_000;
const TOKEN_SECONDS = 900;
const MOST_IDS = 20;

function affiliateError(status: number, code: number, message: string): SimulatedAnswer {
  return apiAnswer(status, { errors: [{ code, message }] });
}

function signatureFault(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const missing = missingHeader(request, [
    'wm_consumer.id',
    'wm_consumer.intimestamp',
    'wm_sec.key_version',
    'wm_sec.auth_signature',
  ]);
  if (missing !== null)
    return affiliateError(401, 4001, `Header ${missing.toUpperCase()} is required`);
  const { headers, atMs } = request;
  const caller = state.failing.get('affiliate') === 'wrong_key' ? null : state.signedCaller;
  if (caller === null || caller.consumerId !== headers['wm_consumer.id']) {
    return affiliateError(
      403,
      4003,
      `There is no Public Key for consumer Id ${headers['wm_consumer.id']}`,
    );
  }
  const timestamp = headers['wm_consumer.intimestamp'] ?? '';
  if (!(Math.abs(atMs - Number(timestamp)) <= SIGNATURE_MS)) {
    return expiredAnswer('affiliate');
  }
  const isRight =
    headers['wm_sec.key_version'] === caller.keyVersion &&
    isSigned(caller, timestamp, headers['wm_sec.auth_signature'] ?? '');
  return isRight
    ? null
    : affiliateError(401, 4004, 'Could not authenticate in-request, auth signature mismatch');
}

/** Answers affiliate `items/{id}`, `items?ids=`, `items?upc=`, `items?gtin=`, `reviews/{id}`, `search?query=`. */
export function affiliateAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const fault =
    failedAnswer(state.failing, { api: 'affiliate' }, request) ?? signatureFault(state, request);
  if (fault !== null) return fault;
  const { market } = state;
  const { pathname, searchParams } = request.url;
  const path = pathname.slice(AFFILIATE_PATH.length);
  if (path === 'search') {
    const query = searchParams.get('query') ?? '';
    const found = foundBy(state, 'affiliate', searchListings(market, 'retailer_w', query, 25));
    const items = found.map((listing) =>
      affiliateItem(listingViewAt(market, listing, request.atMs)),
    );
    return apiAnswer(200, {
      query,
      totalResults: items.length,
      start: 1,
      items,
    });
  }
  const reviewed = /^reviews\/(\d+)$/.exec(path)?.[1];
  const single = reviewed ?? /^items\/(\d+)$/.exec(path)?.[1];
  const found =
    single === undefined
      ? listed(state, searchParams)
      : [market.find('retailer_w', single)].filter((one) => one !== null);
  const there = foundBy(state, 'affiliate', found).filter(
    (listing) => troubleAt(listing) !== 'gone',
  );
  if (there.length === 0) return affiliateError(404, 4023, 'No item found for this request');
  const refused =
    there.length === 1 && there[0] !== undefined ? refusal(state, there[0], request) : null;
  if (refused !== null) return refused;
  const views = there.map((listing) => listingViewAt(market, listing, request.atMs));
  const [only] = views;
  if (reviewed !== undefined && only !== undefined) {
    return apiAnswer(200, affiliateReviews(only, Number(searchParams.get('page') ?? '1')));
  }
  const items = views.map(affiliateItem);
  return apiAnswer(200, single === undefined ? { items } : items[0]);
}

function listed({ market }: RetailerState, query: URLSearchParams): readonly MarketListing[] {
  const ids = (query.get('ids') ?? '').split(',').filter(Boolean).slice(0, MOST_IDS);
  const given = query.get('upc') ?? query.get('gtin') ?? '';
  const codes = given.split(',').filter(Boolean).slice(0, MOST_IDS);
  return [
    ...ids.flatMap((id) => market.find('retailer_w', id) ?? []),
    ...codes.flatMap((code) => {
      const product = market.productOf(code.padStart(14, '0'));
      return product === null ? [] : market.listingsOf('retailer_w', product);
    }),
  ];
}

/** Returns the totals and one page of reviews, as strings throughout and without ids. */
function affiliateReviews(view: ListingView, page: number): Readonly<Record<string, unknown>> {
  const { totals, reviews, listing, product } = view;
  const from = (page - 1) * REVIEWS_A_PAGE;
  const hasMore = from + REVIEWS_A_PAGE < reviews.length;
  return {
    itemId: Number(listing.id),
    name: product.title,
    reviews: reviews.slice(from, from + REVIEWS_A_PAGE).map((review) => ({
      name: product.title,
      overallRating: { label: 'Overall', rating: String(review.stars) },
      reviewer: review.author,
      reviewText: review.text,
      submissionTime: `${review.day}T08:00:00`,
      title: review.title,
      upVotes: '0',
      downVotes: '0',
    })),
    reviewStatistics: {
      ...(totals.average === null ? {} : { averageOverallRating: String(totals.average) }),
      overallRatingRange: '5',
      ratingDistributions: [1, 2, 3, 4, 5].map((star) => ({
        ratingValue: String(star),
        count: String(totals.distribution[star] ?? 0),
      })),
      totalReviewCount: String(totals.count),
    },
    ...(hasMore ? { nextPage: `/v2/reviews/${listing.id}?page=${page + 1}` } : {}),
  };
}

function affiliateItem(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing, buyBox, market } = view;
  const second = secondCents(view);
  // The API has no currency field, so it leaves out prices that are not in dollars.
  const isPriced = view.currency === 'USD';
  return {
    itemId: Number(listing.id),
    parentItemId: Number(listing.id),
    name: product.title,
    ...(view.wasCents === null || !isPriced ? {} : { msrp: view.wasCents / 100 }),
    ...(view.cents === null || !isPriced ? {} : { salePrice: view.cents / 100 }),
    ...(view.barcode === null ? {} : { upc: view.barcode }),
    categoryPath: product.categories.join('/'),
    categoryNode: '1000_1001',
    shortDescription: product.description,
    longDescription: escapeHtml(`<ul><li>${product.features.join('</li><li>')}</li></ul>`),
    brandName: product.brand,
    thumbnailImage: `${view.images[0]}?odnHeight=100&odnWidth=100`,
    mediumImage: `${view.images[0]}?odnHeight=180&odnWidth=180`,
    largeImage: view.images[0],
    productTrackingUrl: itemAddress(market, listing),
    productUrl: itemAddress(market, listing),
    standardShipRate: view.shippingCents / 100,
    ...(product.colour === null ? {} : { color: product.colour }),
    marketplace: buyBox !== null && !buyBox.isFirstParty,
    ...(buyBox === null ? {} : { sellerInfo: buyBox.seller.name }),
    modelNumber: product.model,
    ...(view.totals.average === null
      ? {}
      : { customerRating: String(view.totals.average), numReviews: view.totals.count }),
    ...(second === null
      ? {}
      : {
          bestMarketplacePrice: {
            price: second / 100,
            sellerInfo: 'Another seller',
            availableOnline: true,
          },
        }),
    bundle: false,
    clearance: false,
    preOrder: false,
    stock: view.inStock ? 'Available' : 'Not available',
    availableOnline: view.inStock,
    offerType: 'ONLINE_ONLY',
    maxItemsInOrder: buyBox?.orderLimit ?? 5,
  };
}

function marketplaceError(status: number, code: string, description: string): SimulatedAnswer {
  return apiAnswer(status, {
    error: [{ code, field: 'Authorization', description, severity: 'ERROR', category: 'DATA' }],
  });
}

const SERVICE_HEADERS = ['wm_svc.name', 'wm_qos.correlation_id'] as const;

/** `POST /v3/token`. */
export function tokenAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const failed = failedAnswer(state.failing, { api: 'marketplace', part: 'token' }, request);
  if (failed !== null) return failed;
  const missing = missingHeader(request, SERVICE_HEADERS);
  if (missing !== null) {
    return marketplaceError(
      400,
      'INVALID_REQUEST_HEADER.GMP_GATEWAY_API',
      `${missing} is required`,
    );
  }
  const caller = basicOf(request);
  const isKnown =
    caller?.[0] === SANDBOX_ACCESS.clientId && caller[1] === SANDBOX_ACCESS.clientSecret;
  if (!isKnown || formOf(request).get('grant_type') !== 'client_credentials') {
    return wrongKeyAnswer('marketplace');
  }
  return apiAnswer(200, {
    access_token: state.tokens.issue('marketplace', TOKEN_SECONDS, request.atMs),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
  });
}

/** Answers `GET /v3/items/walmart/search` by query or by one barcode. */
export function catalogSearchAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const failed = failedAnswer(state.failing, { api: 'marketplace' }, request);
  if (failed !== null) return failed;
  const missing = missingHeader(request, SERVICE_HEADERS);
  if (missing !== null) {
    return marketplaceError(
      400,
      'INVALID_REQUEST_HEADER.GMP_GATEWAY_API',
      `${missing} is required`,
    );
  }
  const token = request.headers['wm_sec.access_token'] ?? null;
  if (state.tokens.check('marketplace', token, request.atMs) !== 'valid') {
    return expiredAnswer('marketplace');
  }
  const { market } = state;
  const query = request.url.searchParams;
  const code = query.get('upc') ?? query.get('gtin') ?? query.get('ean') ?? query.get('isbn');
  const found =
    code === null
      ? searchListings(market, 'retailer_w', query.get('query') ?? '', 40)
      : listed(state, new URLSearchParams({ upc: code }));
  const there = foundBy(state, 'marketplace', found).filter(
    (listing) => troubleAt(listing) !== 'gone',
  );
  const [first] = there;
  if (first === undefined) return apiAnswer(200, {});
  const refused = code === null ? null : refusal(state, first, request);
  if (refused !== null) return refused;
  return apiAnswer(200, {
    items: there.map((one) => catalogItem(listingViewAt(market, one, request.atMs))),
  });
}

function catalogItem(view: ListingView): object {
  const { product, listing, buyBox } = view;
  return {
    itemId: listing.id,
    title: product.title,
    brand: product.brand,
    description: product.description,
    images: view.images.map((url) => ({ url })),
    ...(view.cents === null
      ? {}
      : { price: { amount: (view.cents / 100).toFixed(2), currency: view.currency } }),
    customerRating: view.totals.average === null ? undefined : String(view.totals.average),
    isMarketPlaceItem: buyBox !== null && !buyBox.isFirstParty,
    productType: product.categories[1],
    // The answer does not repeat the barcode; only the item's page states it.
    properties: { model: product.model },
  };
}
