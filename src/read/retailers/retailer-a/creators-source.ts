// Requests to retailer_a's Creators API (official, for partners): items by ASIN, keyword search. creators-api.ts reads the
// answers.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import type { Access, RetailerQuestion, Source } from '../adapter.ts';
import { CREATORS_API, isAsin, type CreatorsVersion } from './address-book.ts';
import { readToken, tokenForm, tokenJson } from './api-token.ts';
import { creatorsOperation } from './creators-operations.ts';

const RESOURCES = [
  'itemInfo.title',
  'itemInfo.byLineInfo',
  'itemInfo.externalIds',
  'itemInfo.features',
  'itemInfo.manufactureInfo',
  'itemInfo.productInfo',
  'images.primary.large',
  'browseNodeInfo.browseNodes',
  'browseNodeInfo.browseNodes.ancestor',
  'browseNodeInfo.browseNodes.salesRank',
  'browseNodeInfo.websiteSalesRank',
  'offersV2.listings.availability',
  'offersV2.listings.condition',
  'offersV2.listings.dealDetails',
  'offersV2.listings.isBuyBoxWinner',
  'offersV2.listings.merchantInfo',
  'offersV2.listings.price',
  'offersV2.listings.type',
  'customerReviews.count',
  'customerReviews.starRating',
  'parentASIN',
];

const VERSIONS = Object.keys(CREATORS_API.tokens);

function isVersion(version: string): version is CreatorsVersion {
  return Object.hasOwn(CREATORS_API.tokens, version);
}

/** Returns the version of the credentials. Any other was refused at startup. */
function versionOf(access: Access): CreatorsVersion {
  const version = access.credentials['CREATORS_VERSION'] ?? '';
  return isVersion(version) ? version : '3.1';
}

function post(path: string, query: Readonly<Record<string, unknown>>, access: Access): PageRequest {
  const version = versionOf(access);
  const suffix = version.startsWith('2') ? `, Version ${version}` : '';
  return {
    url: `${CREATORS_API.origin}/catalog/v1/${path}`,
    accept: 'json',
    method: 'POST',
    headers: {
      authorization: `Bearer ${access.token ?? ''}${suffix}`,
      'x-marketplace': CREATORS_API.marketplace,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({
      ...query,
      partnerTag: access.credentials['PARTNER_TAG'] ?? '',
      marketplace: CREATORS_API.marketplace,
      resources: RESOURCES,
    }),
    isOfficial: true,
  };
}

function request(question: RetailerQuestion, access: Access): PageRequest | null {
  if (access.token === null) return null;
  if (question.kind === 'product') {
    const { value } = question.identifier;
    return question.identifier.kind === 'asin' && isAsin(value)
      ? post('getItems', { itemIds: [value] }, access)
      : null;
  }
  if (question.kind !== 'barcode') return null;
  const { upc, ean } = wireForms(question.gtin);
  return post('searchItems', { keywords: upc ?? ean ?? question.gtin, itemCount: 10 }, access);
}

export const creatorsSource: Source = {
  name: 'creators',
  needs: ['CREATORS_ID', 'CREATORS_SECRET', 'CREATORS_VERSION', 'PARTNER_TAG'],
  isOfficial: true,
  takes: ['product', 'barcode'],
  credentialProblem: ({ CREATORS_VERSION: version = '' }) =>
    isVersion(version)
      ? null
      : `CREATORS_VERSION must be the version of the credentials, one of ${VERSIONS.join(', ')}`,
  token: {
    request: (access) => {
      const { url, scope, body } = CREATORS_API.tokens[versionOf(access)];
      const fields = {
        grant_type: 'client_credentials',
        client_id: access.credentials['CREATORS_ID'] ?? '',
        client_secret: access.credentials['CREATORS_SECRET'] ?? '',
        scope,
      };
      return body === 'json' ? tokenJson(url, fields) : tokenForm(url, fields);
    },
    read: readToken,
  },
  // Products that partners may not advertise are missing, but their pages may exist.
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'api:creators_search' : 'api:creators_items'),
  request,
  operationOf: creatorsOperation,
};
