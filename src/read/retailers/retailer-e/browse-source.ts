// Requests to retailer_e's Browse API: an application token by client credentials, then items and searches.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import { decodeJson } from '../../page-data/decode-bytes.ts';
import { numberAt, textAt } from '../../page-data/json/json-path.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import type { Access, Source, TokenExchange } from '../adapter.ts';
import { API_ORIGIN, MARKETPLACE } from './address-book.ts';

const BROWSE = `${API_ORIGIN}/buy/browse/v1`;
const SCOPE = `${API_ORIGIN}/oauth/api_scope`;
/** The country of the marketplace. */
const COUNTRY = 'US';
/** Hits per request: the maximum allowed by the API. */
const PAGE_SIZE = '200';

/** Encodes ASCII text as base64. */
function basic({ credentials }: Access): string {
  const pair = `${credentials['CLIENT_ID'] ?? ''}:${credentials['CLIENT_SECRET'] ?? ''}`;
  return btoa(String.fromCharCode(...new TextEncoder().encode(pair)));
}

const token: TokenExchange = {
  request: (access) => ({
    url: `${API_ORIGIN}/identity/v1/oauth2/token`,
    accept: 'json',
    method: 'POST',
    headers: {
      authorization: `Basic ${basic(access)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString(),
  }),
  read: (page) => {
    if (page.status !== 200) return null;
    const body = parseJson(decodeJson(page.body, page.headers['content-type']));
    const value = textAt(body, 'access_token');
    const expiresInSeconds = numberAt(body, 'expires_in');
    if (value === null || value.length > 20_000 || /[^\x21-\x7e]/.test(value)) return null;
    return expiresInSeconds === null || expiresInSeconds <= 0
      ? null
      : { token: value, expiresInSeconds };
  },
};

/** Returns the header with the buyer's place, without which listings state neither shipping nor delivery dates. */
function placeOf(zipCode: string | undefined): Readonly<Record<string, string>> {
  if (zipCode === undefined) return {};
  const place = encodeURIComponent(`country=${COUNTRY},zip=${zipCode}`);
  return { 'x-ebay-c-enduserctx': `contextualLocation=${place}` };
}

function get(path: string, query: Readonly<Record<string, string>>, access: Access): PageRequest {
  return {
    url: `${BROWSE}${path}?${new URLSearchParams(query).toString()}`,
    accept: 'json',
    headers: {
      authorization: `Bearer ${access.token ?? ''}`,
      ...MARKETPLACE,
      ...placeOf(access.credentials['ZIP_CODE']),
    },
  };
}

/** Builds the request for a listing or one variation. A catalog product has no API call and needs its page. */
function itemRequest(identifier: Identifier, access: Access): PageRequest | null {
  if (identifier.kind !== 'retailer_item' || identifier.retailer !== 'retailer_e') return null;
  const [item, variation] = identifier.value.split('?var=');
  if (item === undefined || !/^\d{9,15}$/.test(item)) return null;
  const ids = { legacy_item_id: item, fieldgroups: 'PRODUCT' };
  const query = variation === undefined ? ids : { ...ids, legacy_variation_id: variation };
  return get('/item/get_item_by_legacy_id', query, access);
}

/** Builds the search for a barcode, buy-it-now items only. Only UPCs are documented; longer codes are sent unchanged. */
function searchRequest(gtin: Gtin14, access: Access): PageRequest {
  const { upc, ean } = wireForms(gtin);
  const query = {
    gtin: upc ?? ean ?? gtin,
    filter: 'buyingOptions:{FIXED_PRICE}',
    sort: 'price',
    limit: PAGE_SIZE,
  };
  return get('/item_summary/search', query, access);
}

export const browseSource: Source = {
  name: 'browse',
  needs: ['CLIENT_ID', 'CLIENT_SECRET'],
  options: ['ZIP_CODE'],
  isOfficial: true,
  credentialProblem: ({ ZIP_CODE: zipCode = '00000' }) =>
    /^\d{5}$/.test(zipCode) ? null : 'ZIP_CODE must be a zip code of five digits',
  takes: ['product', 'offers', 'barcode'],
  token,
  isAuthoritative: true,
  // A hit states neither its barcode nor its stock.
  hasBriefHits: true,
  readerOf: (kind) => {
    if (kind === 'barcode') return 'api:browse_search';
    return kind === 'offers' ? 'api:browse_offers' : 'api:browse_item';
  },
  request: (question, access) => {
    switch (question.kind) {
      case 'product':
      case 'offers':
        return itemRequest(question.identifier, access);
      case 'barcode':
        return searchRequest(question.gtin, access);
      case 'reviews':
      case 'seller':
      case 'restriction':
      case 'fulfillment_eligibility':
        return null;
    }
  },
};
