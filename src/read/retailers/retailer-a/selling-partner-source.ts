// Requests to retailer_a's Selling Partner API (official, for its sellers): the catalog by ASIN and by barcode, the offers of
// an ASIN, and whether the operator's own account may sell an ASIN and send it in. selling-partner-api.ts,
// selling-partner-offers.ts and seller-context.ts read the answers.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Page, PageRequest } from '../../../base/listing/page.ts';
import { textAt } from '../../page-data/json/json-path.ts';
import type { Access, RetailerQuestion, RetailerQuestionKind, Source } from '../adapter.ts';
import { isAsin, SELLING_PARTNER_API } from './address-book.ts';
import { readToken, tokenForm } from './api-token.ts';
import { sellingPartnerOperation } from './selling-partner-operations.ts';
import { jsonBody } from '../json-body.ts';

const INCLUDED =
  'attributes,dimensions,identifiers,images,relationships,salesRanks,summaries,classifications';

/** Builds a GET request to the API with the access token. */
function get(path: string, query: Readonly<Record<string, string>>, access: Access): PageRequest {
  return {
    url: `${SELLING_PARTNER_API.origin}${path}?${new URLSearchParams(query).toString()}`,
    accept: 'json',
    headers: { 'x-amz-access-token': access.token ?? '', accept: 'application/json' },
    isOfficial: true,
  };
}

/** Returns the kind of a barcode by its length, using the catalog's names. */
function identifierOf(gtin: Gtin14): { readonly type: string; readonly value: string } {
  const { upc, ean, isbn } = wireForms(gtin);
  if (isbn !== null) return { type: 'ISBN', value: isbn };
  if (upc !== null) return { type: 'UPC', value: upc };
  return ean === null ? { type: 'GTIN', value: gtin } : { type: 'EAN', value: ean };
}

/** Builds the search of the catalog, the only operation that takes several identifiers. */
function catalogItems(type: string, identifiers: string, access: Access): PageRequest {
  const query = {
    identifiers,
    identifiersType: type,
    marketplaceIds: SELLING_PARTNER_API.marketplaceId,
    includedData: INCLUDED,
  };
  return get('/catalog/2022-04-01/items', query, access);
}

function ofAsin(kind: RetailerQuestionKind, asin: string, access: Access): PageRequest | null {
  const { marketplaceId } = SELLING_PARTNER_API;
  switch (kind) {
    case 'product':
      return catalogItems('ASIN', asin, access);
    case 'offers': {
      const query = { MarketplaceId: marketplaceId, ItemCondition: 'New' };
      return get(`/products/pricing/v0/items/${asin}/offers`, query, access);
    }
    case 'restriction': {
      const sellerId = access.credentials['SP_SELLER_ID'] ?? '';
      if (sellerId === '') return null;
      const query = { asin, sellerId, marketplaceIds: marketplaceId, conditionType: 'new_new' };
      return get('/listings/2021-08-01/restrictions', query, access);
    }
    case 'fulfillment_eligibility': {
      const query = { asin, program: 'INBOUND', marketplaceIds: marketplaceId };
      return get('/fba/inbound/v1/eligibility/itemPreview', query, access);
    }
    default:
      return null;
  }
}

function request(question: RetailerQuestion, access: Access): PageRequest | null {
  if (access.token === null) return null;
  if (question.kind === 'barcode') {
    const { type, value } = identifierOf(question.gtin);
    return catalogItems(type, value, access);
  }
  if (!('identifier' in question) || question.identifier.kind !== 'asin') return null;
  const { value } = question.identifier;
  return isAsin(value) ? ofAsin(question.kind, value, access) : null;
}

/** An expired token gives 403 like a missing permission; only the message distinguishes them. */
function isRefused(page: Page): boolean {
  if (page.status === 401) return true;
  const details = page.status === 403 ? textAt(jsonBody(page), 'errors.0.details') : null;
  return details !== null && /\btoken\b/i.test(details);
}

const READERS: Readonly<Partial<Record<RetailerQuestionKind, string>>> = {
  product: 'api:catalog_item',
  offers: 'api:item_offers',
  restriction: 'api:restrictions',
  fulfillment_eligibility: 'api:inbound_eligibility',
};

export const sellingPartnerSource: Source = {
  name: 'selling_partner',
  needs: ['SP_CLIENT_ID', 'SP_CLIENT_SECRET', 'SP_REFRESH_TOKEN', 'SP_SELLER_ID'],
  isOfficial: true,
  takes: ['product', 'barcode', 'offers', 'restriction', 'fulfillment_eligibility'],
  token: {
    request: (access) =>
      tokenForm(SELLING_PARTNER_API.tokenUrl, {
        grant_type: 'refresh_token',
        refresh_token: access.credentials['SP_REFRESH_TOKEN'] ?? '',
        client_id: access.credentials['SP_CLIENT_ID'] ?? '',
        client_secret: access.credentials['SP_CLIENT_SECRET'] ?? '',
      }),
    read: readToken,
    isRefused,
  },
  // It is the catalog itself.
  isAuthoritative: true,
  pricesByOffers: true,
  readerOf: (kind) => READERS[kind] ?? 'api:catalog_search',
  request,
  operationOf: sellingPartnerOperation,
};
