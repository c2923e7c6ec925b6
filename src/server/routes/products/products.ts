// GET /v1/products/{id} and GET /v1/products?url=: the product lookup (D9, D14-D18).

import type { Context } from 'hono';
import { z } from 'zod';

import { ADD_ON_TOKENS, tokensInWords } from '../../../base/call-cost.ts';
import { presentProduct } from '../../../answer/wire/record/present.ts';
import { ProductRecord } from '../../../answer/wire/record/product-record.ts';
import { BilledHeaders, ProductByUrlQuery, ProductQuery } from '../../../answer/wire/query.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { HttpEnv } from '../../context.ts';
import { callerOf } from '../../middleware.ts';
import { productCall, type ProductCallParts } from '../../product-call.ts';
import { route, type Route } from '../../route.ts';
import { LOOKUP_FAULTS } from '../route-faults.ts';
import { PRODUCTS as PREFIX, textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

export type ProductRouteParts = ProductCallParts & { readonly billing: BillingParts };

const price = { kind: 'product', addOns: {} } as const;
const faults = [...LOOKUP_FAULTS, 'force_refresh_requires_retailer'] as const;
const answer = { description: 'The product record.', schema: ProductRecord };

const byId = route({
  method: 'get',
  path: `${PREFIX}{id}`,
  operationId: 'getProduct',
  summary: 'Look up a product',
  price,
  priceInWords:
    `${tokensInWords(price)}; ${ADD_ON_TOKENS.includeCrossRetailer} more with cells of other retailers, ` +
    `${ADD_ON_TOKENS.includeSellerContext} with the seller context, ${ADD_ON_TOKENS.includeOffers} with live offers, ` +
    `${ADD_ON_TOKENS.includeOffersHistory} with archived offers, ${ADD_ON_TOKENS.includePriceSeries} with daily price bars, ` +
    `${ADD_ON_TOKENS.includeForceRefresh} with a forced fetch.`,
  description:
    'Fetches the product when it is not stored, or when its price is older than 14 days; a price older than 24 hours ' +
    'is answered and refreshed in the background.',
  scope: 'products:read',
  request: { params: z.object({ id: productId }), query: ProductQuery, headers: BilledHeaders },
  answer,
  faults,
  call:
    (parts: ProductRouteParts) =>
    (c, { query }) =>
      answerLookup(c, parts, textOfPath(c.req.raw.url, PREFIX), query),
});

const byUrl = route({
  method: 'get',
  path: '/v1/products',
  operationId: 'getProductByUrl',
  summary: 'Look up a product by the address of its page',
  price,
  priceInWords: `${tokensInWords(price)}, and what its parameters add.`,
  description:
    'The same lookup, with the address as a query parameter: for callers behind proxies that decode %2F in paths.',
  scope: 'products:read',
  request: { query: ProductByUrlQuery, headers: BilledHeaders },
  answer,
  faults,
  call:
    (parts: ProductRouteParts) =>
    (c, { query: { url, ...query } }) =>
      answerLookup(c, parts, url, query),
});

export const PRODUCT_ROUTES: readonly Route<ProductRouteParts>[] = [byId, byUrl];

function answerLookup(
  c: Context<HttpEnv>,
  parts: ProductRouteParts,
  text: string,
  query: ProductQuery,
) {
  return answerBilled(
    c,
    parts.billing,
    productCall(parts, { caller: callerOf(c), text, query, present: presentProduct }),
  );
}
