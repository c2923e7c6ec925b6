// GET /v1/products/{id} and GET /v1/products?url=: the product lookup (D9, D14-D18).

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';

import { presentProduct } from '../../../answer/wire/record/present.ts';
import { ProductRecord } from '../../../answer/wire/record/product-record.ts';
import { BilledHeaders, ProductByUrlQuery, ProductQuery } from '../../../answer/wire/query.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api, HttpEnv } from '../../context.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { productCall, type ProductCallParts } from '../../product-call.ts';
import { faultResponses } from '../../document/responses.ts';
import { LOOKUP_FAULTS } from '../route-faults.ts';
import { PRODUCTS as PREFIX, textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const FAULTS = [...LOOKUP_FAULTS, 'force_refresh_requires_retailer'] as const;

const answers = {
  200: {
    description: 'The product record.',
    content: { 'application/json': { schema: ProductRecord } },
  },
  ...faultResponses(FAULTS),
};

export type ProductRouteParts = ProductCallParts & {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
};

export function addProductRoutes(api: Api, parts: ProductRouteParts): void {
  const byId = createRoute({
    method: 'get',
    path: `${PREFIX}{id}`,
    operationId: 'getProduct',
    summary: 'Look up a product',
    description:
      'One token; 2 more with cells of other retailers, 3 with the seller context, 5 with live offers, 5 with archived ' +
      'offers, 10 with daily price bars, 3 with a forced fetch. Fetches the product when it is not stored, or when its ' +
      'price is older than 14 days; a price older than 24 hours is answered and refreshed in the background.',
    security: [{ bearer: [] }],
    middleware: [parts.requireKey('products:read')] as const,
    request: { params: z.object({ id: productId }), query: ProductQuery, headers: BilledHeaders },
    responses: answers,
  });
  api.openapi(byId, (c) =>
    answerLookup(c, parts, textOfPath(c.req.raw.url, PREFIX), c.req.valid('query')),
  );

  const byUrl = createRoute({
    method: 'get',
    path: '/v1/products',
    operationId: 'getProductByUrl',
    summary: 'Look up a product by the address of its page',
    description:
      'The same lookup at the same price in tokens, with the address as a query parameter: for callers behind proxies ' +
      'that decode %2F in paths.',
    security: [{ bearer: [] }],
    middleware: [parts.requireKey('products:read')] as const,
    request: { query: ProductByUrlQuery, headers: BilledHeaders },
    responses: answers,
  });
  api.openapi(byUrl, (c) => {
    const { url, ...query } = c.req.valid('query');
    return answerLookup(c, parts, url, query);
  });
}

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
