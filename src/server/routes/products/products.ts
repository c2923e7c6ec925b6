// GET /v1/products/{id} and GET /v1/products?url=: the product lookup (D9, D14-D18).

import { z } from 'zod';

import { ADD_ON_TOKENS, tokensInWords } from '../../../base/call-cost.ts';
import { presentProduct as present } from '../../../answer/wire/record/present.ts';
import { ProductRecord } from '../../../answer/wire/record/product-record.ts';
import { BilledHeaders, ProductByUrlQuery, ProductQuery } from '../../../answer/wire/query.ts';
import { productCall, type ProductCallParts } from '../../product-call.ts';
import { billed, route, type Route } from '../../route.ts';
import { LOOKUP_FAULTS } from '../route-faults.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const price = { kind: 'product', addOns: {} } as const;
const faults = [...LOOKUP_FAULTS, 'force_refresh_requires_retailer'] as const;
const answer = { description: 'The product record.', schema: ProductRecord };

const byId = route({
  method: 'get',
  path: `${PRODUCTS}{id}`,
  operationId: 'getProduct',
  summary: 'Look up a product',
  price,
  priceInWords:
    `${tokensInWords(price)}; ${ADD_ON_TOKENS.includeCrossRetailer} more with cells of other retailers, ` +
    `${ADD_ON_TOKENS.includeSellerContext} with the seller context, ${ADD_ON_TOKENS.includeOffers} with live offers, ` +
    `${ADD_ON_TOKENS.includeOffersHistory} with archived offers, ${ADD_ON_TOKENS.includePriceSeries} with daily price bars, ` +
    `${ADD_ON_TOKENS.includeForceRefresh} with a forced fetch.`,
  description:
    'Fetches the product when it is not stored, or when its price is older than 14 days; a price older than ' +
    '24 hours is returned and refreshed in the background.',
  scope: 'products:read',
  request: { params: z.object({ id: productId }), query: ProductQuery, headers: BilledHeaders },
  answer,
  faults,
  call:
    (parts: ProductCallParts) =>
    ({ call, caller, query }) =>
      billed(productCall(parts, { caller, text: identifierIn(call.asked.path), query, present })),
});

const byUrl = route({
  method: 'get',
  path: '/v1/products',
  operationId: 'getProductByUrl',
  summary: 'Look up a product by the address of its page',
  price,
  priceInWords: `${tokensInWords(price)}, plus the price of its parameters.`,
  description:
    'The same lookup with the address as a query parameter, for callers behind proxies that decode ' +
    '%2F in paths.',
  scope: 'products:read',
  request: { query: ProductByUrlQuery, headers: BilledHeaders },
  answer,
  faults,
  call:
    (parts: ProductCallParts) =>
    ({ caller, query: { url: text, ...query } }) =>
      billed(productCall(parts, { caller, text, query, present })),
});

export const PRODUCT_ROUTES: readonly Route<ProductCallParts>[] = [byId, byUrl];
