// Requests to retailer_w's marketplace API (official, for its sellers): a token by client credentials, and the search of the whole
// catalog by barcode. marketplace-answer.ts reads the answers.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import { numberAt, textAt } from '../../page-data/json/json-path.ts';
import type { Access, RetailerQuestion, Source, TokenExchange } from '../adapter.ts';
import { MARKETPLACE_BASE, MARKETPLACE_SEARCH, MARKETPLACE_SERVICE } from './address-book.ts';
import { jsonBody } from '../json-body.ts';

function ownHeaders(access: Access): Readonly<Record<string, string>> {
  return {
    'wm_svc.name': MARKETPLACE_SERVICE,
    'wm_qos.correlation_id': access.newId(),
    accept: 'application/json',
  };
}

/** Encodes the UTF-8 bytes of a text as base64. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text.slice(0, 1000))));
}

function tokenRequest(access: Access): PageRequest {
  const { CLIENT_ID = '', CLIENT_SECRET = '' } = access.credentials;
  return {
    url: `${MARKETPLACE_BASE}/token`,
    accept: 'json',
    method: 'POST',
    headers: {
      ...ownHeaders(access),
      authorization: `Basic ${base64(`${CLIENT_ID}:${CLIENT_SECRET}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    isOfficial: true,
  };
}

const token: TokenExchange = {
  request: tokenRequest,
  read: (page) => {
    if (page.status !== 200) return null;
    const root = jsonBody(page);
    const text = textAt(root, 'access_token');
    const seconds = numberAt(root, 'expires_in');
    if (text === null || text.length > 8000 || /\s/.test(text)) return null;
    return { token: text, expiresInSeconds: seconds !== null && seconds > 0 ? seconds : 900 };
  },
};

/** Builds the request for a barcode. Item requests only work for the item's own seller. */
function request(question: RetailerQuestion, access: Access): PageRequest | null {
  if (question.kind !== 'barcode' || access.token === null) return null;
  const { upc } = wireForms(question.gtin);
  const query = upc === null ? `gtin=${question.gtin}` : `upc=${upc}`;
  return {
    url: `${MARKETPLACE_SEARCH}?${query}`,
    accept: 'json',
    headers: { ...ownHeaders(access), 'wm_sec.access_token': access.token },
    isOfficial: true,
  };
}

export const marketplaceSource: Source = {
  name: 'marketplace',
  needs: ['CLIENT_ID', 'CLIENT_SECRET'],
  isOfficial: true,
  takes: ['barcode'],
  token,
  // It searches the whole catalog of published items.
  isAuthoritative: true,
  readerOf: () => 'api:marketplace_search',
  request,
};
