// retailer_h's GraphQL gateway: one product, several products, and search.

import type { SimulatedAnswer } from '../answer.ts';
import { refusal, searchListings, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import { listingViewAt } from '../market/listing-view.ts';
import { apiAnswer, jsonOf, missingHeader, textOf } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { wallPage } from './pages.ts';
import { productFields } from './product.ts';

export const GATEWAY_PATH = '/federation-gateway/graphql';
const MOST_ROWS = 24;

export function gatewayAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const missing = missingHeader(request, ['content-type', 'x-experience-name']);
  if (missing !== null || request.method !== 'POST') return wallPage('usual');
  const body = jsonOf(request);
  const variables = new Map(Object.entries({ ...(body['variables'] as object | undefined) }));
  const operation = body['operationName'];
  const { market } = state;
  const one = (id: string): unknown => {
    const listing = market.find('retailer_h', id);
    if (listing === null || troubleAt(listing) === 'gone') return null;
    return productFields(listingViewAt(market, listing, request.atMs), 'plain');
  };
  if (operation === 'productClientOnlyProduct') {
    const id = textOf(variables.get('itemId'));
    const listing = market.find('retailer_h', id);
    const refused = listing === null ? null : refusal(state, listing, request);
    const product = one(id);
    if (refused !== null) return refused;
    if (product !== null) return apiAnswer(200, { data: { product } });
    return apiAnswer(200, {
      data: { product: null },
      errors: [{ message: 'Product not found', extensions: { code: 'NOT_FOUND', itemId: id } }],
    });
  }
  if (operation === 'productClientOnlyProducts') {
    const ids = variables.get('itemIds');
    const list = Array.isArray(ids) ? ids.slice(0, 12).map(String) : [];
    return apiAnswer(200, { data: { products: list.map(one).filter((row) => row !== null) } });
  }
  if (operation !== 'searchModel') {
    return apiAnswer(400, { errors: [{ message: `Unknown operation ${textOf(operation)}` }] });
  }
  if (Number(variables.get('pageSize') ?? MOST_ROWS) > MOST_ROWS) return wallPage('usual');
  const keyword = textOf(variables.get('keyword'));
  const found = searchListings(market, 'retailer_h', keyword, MOST_ROWS);
  return apiAnswer(200, {
    data: {
      searchModel: {
        searchReport: { totalProducts: found.length, keyword },
        products: found.map((listing) => one(listing.id)).filter((row) => row !== null),
      },
    },
  });
}
