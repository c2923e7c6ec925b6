// retailer_w's marketplace API (official, for its sellers): a token by client credentials, the search of the whole
// catalog by barcode, and its answer.

import { wireForms, readGtinWithLostZero } from '../../identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../listing/listing.ts';
import type { Listing } from '../../listing/listing.ts';
import type { Page, PageRequest, PageVerdict } from '../../listing/page.ts';
import type { RetailerAnswer } from '../../listing/retailer-answer.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, lineAt, moneyAt, proseAt, starsAt } from '../../page-data/json/json-values.ts';
import { titleCondition } from '../../titles/title-condition.ts';
import type { Access, RetailerQuestion, Source, TokenExchange } from '../adapter.ts';
import { readStatus } from '../page-status.ts';
import {
  MARKETPLACE_BASE,
  MARKETPLACE_SEARCH,
  MARKETPLACE_SERVICE,
  retailerWAddressBook,
} from './address-book.ts';
import { jsonBody } from '../json-body.ts';

function ownHeaders(access: Access): Readonly<Record<string, string>> {
  return {
    'wm_svc.name': MARKETPLACE_SERVICE,
    'wm_qos.correlation_id': access.newId(),
    accept: 'application/json',
  };
}

/** The UTF-8 bytes of a text in base64. */
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

/** The request for a barcode. Requests for an item work only for its own seller. */
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

/** The listing of a hit, with few facts; the barcode only when the answer repeats it. */
function hitOf(item: unknown): Listing {
  const itemId = textAt(item, 'itemId')?.trim() ?? '';
  const identifier = { kind: 'item_id', value: itemId, retailer: 'retailer_w' } as const;
  const url = retailerWAddressBook.productUrl(identifier);
  const title = lineAt(item, 'title');
  const code = textAt(item, 'upc') ?? textAt(item, 'gtin');
  const isOthers = boolAt(item, 'isMarketPlaceItem');
  const unit = textAt(item, 'price.currency') ?? 'USD';
  return {
    ...EMPTY_LISTING,
    url,
    itemId: url === null ? null : itemId,
    gtin: code === null ? null : readGtinWithLostZero(code.slice(0, 100)),
    title,
    brand: lineAt(item, 'brand', 300),
    description: proseAt(item, 'description'),
    imageUrl: addressAt(item, 'images.0.url'),
    price: moneyAt(item, 'price.amount', /^[A-Z]{3}$/.test(unit) ? unit : null),
    condition: titleCondition(title),
    rating: starsAt(item, 'customerRating'),
    sellerType: isOthers === null ? null : isOthers ? '3p' : '1p',
  };
}

/** Reads a search; `{}` means no hits. */
export function readMarketplaceSearch(page: Page): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  if (page.status === 400 || page.status === 403) {
    const said = lineAt(root, 'error.0.description', 200) ?? lineAt(root, 'error.0.code', 200);
    return { kind: 'retry', why: `the marketplace API refused: ${said ?? page.status}` };
  }
  const early = readStatus(page);
  if (early !== null) return early;
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    return { kind: 'unreadable', why: 'the answer is not an object' };
  }
  const said =
    lineAt(root, 'error.0.description', 200) ?? lineAt(root, 'errors.0.description', 200);
  const hasErrors = listAt(root, 'error', 1).length + listAt(root, 'errors', 1).length > 0;
  if (said !== null || hasErrors) {
    return { kind: 'retry', why: `the marketplace API says: ${said ?? 'an error'}` };
  }
  const items = at(root, 'items');
  if (items !== undefined && items !== null && !Array.isArray(items)) {
    return { kind: 'unreadable', why: 'the items are not a list' };
  }
  const hits = listAt(root, 'items', 100)
    .map(hitOf)
    .filter(({ itemId }) => itemId !== null);
  const value: RetailerAnswer = { kind: 'search', hits, total: hits.length };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
