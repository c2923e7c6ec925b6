// retailer_e's Browse API and its access token.

import type { SimulatedAnswer } from '../answer.ts';
import { expiredAnswer, failedAnswer, foundBy, wrongKeyAnswer } from '../api-failures.ts';
import { refusal, searchListings, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import { itemNumber } from '../market/codes.ts';
import type { Market, MarketListing } from '../market/market.ts';
import { hasEnded, listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { amount } from '../markup.ts';
import { apiAnswer, basicOf, bearerOf, formOf } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { SANDBOX_ACCESS } from '../tokens.ts';
import { aspectsOf, CONDITIONS, itemAddress, listingAt } from './pages.ts';

export const TOKEN_PATH = '/identity/v1/oauth2/token';
export const BROWSE_PATH = '/buy/browse/v1/';
const TOKEN_SECONDS = 7_200;
const MOST_HITS = 200;
const PLACE = /^contextualLocation=country%3DUS%2Czip%3D\d{5}$/;

function fault(status: number, errorId: number, message: string): SimulatedAnswer {
  return apiAnswer(status, {
    errors: [{ errorId, domain: 'API_BROWSE', category: 'REQUEST', message, longMessage: message }],
  });
}

/** Accepts client credentials, with the scope of the Browse API. */
export function tokenAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const failed = failedAnswer(state.failing, { api: 'browse', part: 'token' }, request);
  if (failed !== null) return failed;
  const caller = basicOf(request);
  const form = formOf(request);
  if (caller?.[0] !== SANDBOX_ACCESS.clientId || caller[1] !== SANDBOX_ACCESS.clientSecret) {
    return wrongKeyAnswer('browse');
  }
  if (form.get('grant_type') !== 'client_credentials') {
    return apiAnswer(400, {
      error: 'unsupported_grant_type',
      error_description: 'grant type not supported',
    });
  }
  if (!(form.get('scope') ?? '').endsWith('/oauth/api_scope')) {
    return apiAnswer(400, {
      error: 'invalid_scope',
      error_description: 'The requested scope is invalid',
    });
  }
  return apiAnswer(200, {
    access_token: state.tokens.issue('browse', TOKEN_SECONDS, request.atMs),
    expires_in: TOKEN_SECONDS,
    token_type: 'Application Access Token',
  });
}

export function browseAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const failed = failedAnswer(state.failing, { api: 'browse' }, request);
  if (failed !== null) return failed;
  if (state.tokens.check('browse', bearerOf(request), request.atMs) !== 'valid') {
    return expiredAnswer('browse');
  }
  if (request.headers['x-ebay-c-marketplace-id'] !== 'EBAY_US') {
    return fault(400, 11_011, 'The marketplace id is not valid');
  }
  const place = request.headers['x-ebay-c-enduserctx'];
  if (place !== undefined && !PLACE.test(place)) {
    return fault(400, 12_000, 'The contextual location is not valid');
  }
  const path = request.url.pathname.slice(BROWSE_PATH.length);
  const query = request.url.searchParams;
  if (path === 'item_summary/search') return searchAnswer(state, request);
  if (path === 'item/get_item_by_legacy_id') {
    const [id, variation] = [query.get('legacy_item_id') ?? '', query.get('legacy_variation_id')];
    return itemAnswer(state, request, id, variation);
  }
  if (path === 'item/get_items_by_item_group') {
    return groupAnswer(state, request, query.get('item_group_id') ?? '');
  }
  const item = /^item\/(.+)$/.exec(path)?.[1] ?? '';
  const [, id, variation] = /^v1\|(\d+)\|(\d+)$/.exec(decodeURIComponent(item)) ?? [];
  if (id === undefined) return fault(400, 11_012, 'The specified item id is not valid');
  return itemAnswer(state, request, id, variation === '0' ? null : (variation ?? null));
}

function itemAnswer(
  state: RetailerState,
  request: ShopRequest,
  id: string,
  variation: string | null,
): SimulatedAnswer {
  const { market } = state;
  const isEmpty = state.failing.get('browse') === 'empty';
  const listing = isEmpty ? null : listingAt(market, id, variation);
  const kind = listing === null ? 'gone' : troubleAt(listing);
  if (listing === null || kind === 'gone' || hasEnded(market, listing, request.atMs)) {
    return fault(404, 11_001, 'The specified item id was not found');
  }
  const isGroup = listing.id.includes('?var=');
  if (isGroup && variation === null) {
    const href = `${request.url.origin}${BROWSE_PATH}item/get_items_by_item_group?item_group_id=${id}`;
    return apiAnswer(400, {
      errors: [
        {
          errorId: 11_006,
          domain: 'API_BROWSE',
          category: 'REQUEST',
          message: 'The legacy id is that of an item group',
          parameters: [{ name: 'itemGroupHref', value: href }],
        },
      ],
    });
  }
  if (isGroup && !listing.id.endsWith(`?var=${variation}`)) {
    return fault(404, 11_001, 'The specified variation was not found');
  }
  const refused = refusal(state, listing, request);
  return refused ?? apiAnswer(200, fullItem(listingViewAt(market, listing, request.atMs)));
}

/** Returns all colours of a listing with variations. */
function groupAnswer({ market }: RetailerState, request: ShopRequest, id: string): SimulatedAnswer {
  const all = market.listings('retailer_e').filter((one) => one.id.startsWith(`${id}?var=`));
  if (all.length === 0) return fault(404, 11_001, 'The specified item group was not found');
  const items = all.map((one) => fullItem(listingViewAt(market, one, request.atMs)));
  return apiAnswer(200, { items, commonDescriptions: [] });
}

function searchAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const query = request.url.searchParams;
  const gtin = query.get('gtin');
  const words = query.get('q');
  if (gtin === null && words === null)
    return fault(400, 12_001, 'The call must have a valid q, gtin or epid');
  const limit = Number(query.get('limit') ?? 50);
  if (!(limit >= 1 && limit <= MOST_HITS))
    return fault(400, 12_006, 'The limit value is out of range');
  const { market } = state;
  const found =
    gtin === null
      ? searchListings(market, 'retailer_e', words ?? '', MOST_HITS)
      : byCode(market, gtin);
  const there = foundBy(state, 'browse', found).filter(
    (listing) => troubleAt(listing) !== 'gone' && !hasEnded(market, listing, request.atMs),
  );
  const [first] = there;
  const refused = first === undefined || gtin === null ? null : refusal(state, first, request);
  if (refused !== null) return refused;
  const views = there
    .slice(0, limit)
    .map((listing) => listingViewAt(market, listing, request.atMs));
  return apiAnswer(200, {
    href: request.url.href,
    total: there.length,
    limit,
    offset: 0,
    ...(views.length === 0 ? {} : { itemSummaries: views.map(summary) }),
  });
}

/** Returns the listings that state a barcode. */
function byCode(market: Market, code: string): readonly MarketListing[] {
  const product = market.productOf(code.padStart(14, '0'));
  if (product === null) return [];
  return market.listingsOf('retailer_e', product).filter((one) => one.publishedGtin !== null);
}

function summary(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing, market } = view;
  const { seller } = listing;
  const usd = (cents: number): object => ({ value: amount(cents), currency: view.currency });
  const number = itemNumber(listing.id);
  const [, variation = '0'] = listing.id.split('?var=');
  return {
    itemId: `v1|${number}|${variation}`,
    legacyItemId: number,
    title: product.title,
    price: view.cents === null ? undefined : usd(view.cents),
    ...(view.wasCents === null
      ? {}
      : { marketingPrice: { originalPrice: usd(view.wasCents), priceTreatment: 'STRIKETHROUGH' } }),
    condition: CONDITIONS[listing.condition].name,
    conditionId: CONDITIONS[listing.condition].id,
    seller: {
      username: seller?.id,
      feedbackPercentage: `${seller?.positivePercent ?? 0}.0`,
      feedbackScore: seller?.ratingCount ?? 0,
    },
    buyingOptions: ['FIXED_PRICE'],
    image: { imageUrl: view.images[0] },
    categories: product.categories.map((categoryName, at) => ({
      categoryId: String(at),
      categoryName,
    })),
    itemWebUrl: itemAddress(market, listing),
    itemHref: `https://api.example/buy/browse/v1/item/v1%7C${number}%7C${variation}`,
    itemLocation: { postalCode: seller?.postalCode, country: 'US' },
    shippingOptions: [
      {
        shippingCostType: 'FIXED',
        shippingCost: usd(view.shippingCents),
        minEstimatedDeliveryDate: `${view.deliveryDay}T08:00:00.000Z`,
        maxEstimatedDeliveryDate: `${view.deliveryDay}T08:00:00.000Z`,
      },
    ],
    topRatedBuyingExperience: false,
  };
}

function fullItem(view: ListingView): object {
  const { product, barcode } = view;
  return {
    ...summary(view),
    ...(barcode === null ? {} : { gtin: barcode }),
    mpn: product.mpn,
    brand: product.brand,
    shortDescription: product.description,
    description: `<p>${product.description}</p>`,
    categoryPath: product.categories.join('|'),
    categoryId: '1',
    localizedAspects: aspectsOf(view).map(([name, value]) => ({ type: 'STRING', name, value })),
    ...(product.packCount === null ? {} : { lotSize: product.packCount }),
    estimatedAvailabilities: [
      {
        estimatedAvailabilityStatus: view.inStock ? 'IN_STOCK' : 'OUT_OF_STOCK',
        availabilityThreshold: 10,
        availabilityThresholdType: 'MORE_THAN',
        deliveryOptions: ['SHIP_TO_HOME'],
      },
    ],
    returnTerms: {
      returnsAccepted: true,
      refundMethod: 'MONEY_BACK',
      returnPeriod: { unit: 'CALENDAR_DAY', value: 30 },
      returnShippingCostPayer: 'SELLER',
    },
  };
}
