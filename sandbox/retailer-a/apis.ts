// retailer_a's official APIs: the Creators API for publishers and the Selling Partner API for sellers, with
// the two addresses that issue their tokens.

import type { SimulatedAnswer } from '../answer.ts';
import { expiredAnswer, failedAnswer, foundBy, wrongKeyAnswer } from '../api-failures.ts';
import { refusal, searchListings, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import { printedCode } from '../market/codes.ts';
import type { MarketListing } from '../market/market.ts';
import type { ListingView } from '../market/listing-view.ts';
import { listingViewAt } from '../market/listing-view.ts';
import { apiAnswer, basicOf, bearerOf, formOf, jsonOf, textOf } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { SANDBOX_ACCESS } from '../tokens.ts';
import { money } from '../markup.ts';

const TOKEN_SECONDS = 3_600;

/** Answers `/oauth2/token` (client credentials) and `/auth/o2/token` (client credentials or a refresh token). */
export function tokenAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const basic = basicOf(request);
  const form = formOf(request);
  const json = jsonOf(request);
  const field = (name: string): string => form.get(name) ?? textOf(json[name]);
  const id = basic?.[0] ?? field('client_id');
  const secret = basic?.[1] ?? field('client_secret');
  const grant = field('grant_type');
  const api = grant === 'refresh_token' ? 'selling_partner' : 'creators';
  const failed = failedAnswer(state.failing, { api, part: 'token' }, request);
  if (failed !== null) return failed;
  if (id !== SANDBOX_ACCESS.clientId || secret !== SANDBOX_ACCESS.clientSecret) {
    return wrongKeyAnswer(api);
  }
  if (grant === 'refresh_token' && field('refresh_token') !== SANDBOX_ACCESS.refreshToken) {
    return apiAnswer(400, {
      error: 'invalid_grant',
      error_description: 'The refresh token is not known',
    });
  }
  if (grant !== 'refresh_token' && grant !== 'client_credentials') {
    return apiAnswer(400, { error: 'unsupported_grant_type' });
  }
  const scope = request.url.pathname === '/oauth2/token' ? '/default' : '::default';
  if (grant === 'client_credentials' && field('scope') !== `creatorsapi${scope}`) {
    return apiAnswer(400, { error: 'invalid_scope' });
  }
  return apiAnswer(200, {
    access_token: state.tokens.issue(api, TOKEN_SECONDS, request.atMs),
    token_type: 'bearer',
    expires_in: TOKEN_SECONDS,
  });
}

function creatorsError(status: number, type: string, reason: string): SimulatedAnswer {
  return apiAnswer(status, { type, reason, message: `${type}: ${reason}` });
}

/** Answers `POST /catalog/v1/getItems` and `/catalog/v1/searchItems`. */
export function creatorsAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const failed = failedAnswer(state.failing, { api: 'creators' }, request);
  if (failed !== null) return failed;
  const token = state.tokens.check('creators', bearerOf(request), request.atMs);
  if (token === 'expired') return expiredAnswer('creators');
  if (token === 'unknown') return creatorsError(401, 'UnauthorizedException', 'InvalidToken');
  const { market } = state;
  const host = new URL(market.origins.retailer_a.page).host;
  if (request.headers['x-marketplace'] !== host) {
    return creatorsError(400, 'ValidationException', 'FieldValidationFailed');
  }
  const body = jsonOf(request);
  if (typeof body['partnerTag'] !== 'string' || body['partnerTag'] === '') {
    return creatorsError(400, 'ValidationException', 'InvalidPartnerTag');
  }
  if (request.url.pathname.endsWith('/searchItems')) {
    const hits = searchListings(market, 'retailer_a', textOf(body['keywords']), 10);
    const found = foundBy(state, 'creators', hits).filter(
      (listing) => troubleAt(listing) !== 'gone',
    );
    const [first] = found;
    const refused =
      first !== undefined && found.length === 1 ? refusal(state, first, request) : null;
    if (refused !== null) return refused;
    const items = found.map((one) => creatorsItem(listingViewAt(market, one, request.atMs)));
    if (items.length > 0)
      return apiAnswer(200, { searchResult: { totalResultCount: items.length, items } });
    return apiAnswer(200, {
      errors: [{ code: 'NoResults', message: 'No results found for your request.' }],
    });
  }
  const ids = Array.isArray(body['itemIds']) ? body['itemIds'].map(String).slice(0, 10) : [];
  if (ids.length === 0) return creatorsError(400, 'ValidationException', 'FieldValidationFailed');
  const isEmpty = state.failing.get('creators') === 'empty';
  const requested = ids.map((id) => ({
    id,
    listing: isEmpty ? null : market.find('retailer_a', id),
  }));
  const [only] = requested;
  const refused =
    requested.length === 1 && only?.listing ? refusal(state, only.listing, request) : null;
  if (refused !== null) return refused;
  const isThere = (listing: MarketListing | null): listing is MarketListing =>
    listing !== null && troubleAt(listing) !== 'gone';
  const items = requested.flatMap(({ listing }) =>
    isThere(listing) ? [creatorsItem(listingViewAt(market, listing, request.atMs))] : [],
  );
  const errors = requested
    .filter(({ listing }) => !isThere(listing))
    .map(({ id }) => ({
      code: 'ItemNotAccessible',
      message: `The ItemId ${id} is not accessible.`,
    }));
  return apiAnswer(200, {
    ...(items.length === 0 ? {} : { itemsResult: { items } }),
    ...(errors.length === 0 ? {} : { errors }),
  });
}

function creatorsItem(view: ListingView): object {
  const { product, listing } = view;
  const [department, narrow] = view.salesRanks;
  const { height, width, length } = product.sides;
  const gtin = listing.publishedGtin;
  const code = gtin === null ? null : printedCode(gtin);
  const inches = (value: number): object => ({
    displayValue: value,
    label: 'side',
    unit: 'inches',
  });
  return {
    asin: listing.id,
    detailPageURL: `${view.origin}/dp/${listing.id}?tag=sandbox-20`,
    itemInfo: {
      title: { displayValue: product.title },
      byLineInfo: {
        brand: { displayValue: product.brand },
        manufacturer: { displayValue: product.brand },
      },
      ...(code === null
        ? {}
        : {
            externalIds: {
              ...(code.length === 12 ? { upcs: { displayValues: [code] } } : {}),
              eans: { displayValues: [code.padStart(13, '0')] },
              ...(code.startsWith('978') ? { isbns: { displayValues: [code] } } : {}),
            },
          }),
      features: { displayValues: product.features },
      productInfo: {
        ...(product.colour === null ? {} : { color: { displayValue: product.colour } }),
        itemDimensions: {
          height: inches(height),
          width: inches(width),
          length: inches(length),
          weight: { displayValue: product.pounds, label: 'Weight', unit: 'pounds' },
        },
        ...(product.packCount === null ? {} : { unitCount: { displayValue: product.packCount } }),
      },
      manufactureInfo: {
        model: { displayValue: product.model },
        itemPartNumber: { displayValue: product.mpn },
      },
    },
    images: { primary: { large: { url: view.images[0], height: 500, width: 500 } } },
    browseNodeInfo: {
      browseNodes: [
        {
          displayName: product.categories[1],
          ancestor: { displayName: product.categories[0] },
          ...(narrow === undefined ? {} : { salesRank: narrow.rank }),
        },
      ],
      ...(department === undefined
        ? {}
        : {
            websiteSalesRank: { displayName: department.category, salesRank: department.rank },
          }),
    },
    offersV2: { listings: winnersOf(view) },
  };
}

/** Returns the buy box offer, the only one that is requested. */
function winnersOf(view: ListingView): readonly object[] {
  return view.offers
    .filter((offer) => offer.isBuyBox)
    .map((offer) => ({
      isBuyBoxWinner: true,
      price: {
        money: {
          amount: offer.cents / 100,
          currency: view.currency,
          displayAmount: money(view, offer.cents),
        },
        ...(offer.wasCents === null
          ? {}
          : {
              savingBasis: {
                money: { amount: offer.wasCents / 100, currency: view.currency },
                savingBasisType: 'LIST_PRICE',
              },
            }),
      },
      merchantInfo: { name: offer.seller.name, id: offer.seller.id },
      availability: { type: 'IN_STOCK', message: 'In Stock', maxOrderQuantity: offer.orderLimit },
      condition: { value: 'New' },
    }));
}
