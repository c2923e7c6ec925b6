// GET /v1/products/{id} and GET /v1/products?url=: one lookup, metered (D9, D14-D18).

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';

import { mostItCanCost } from '../../domain/call-cost.ts';
import { presentProduct } from '../../wire/present.ts';
import { ProductRecord } from '../../wire/product-record.ts';
import { ProductByUrlQuery, ProductQuery } from '../../wire/query.ts';
import type { Api, HttpEnv, HttpParts } from '../context.ts';
import { metered } from '../metered.ts';
import { callerOf, requireKey } from '../middleware.ts';
import { textOfPath } from '../path-text.ts';
import { faultResponses } from '../responses.ts';
import { productId } from './product-id.ts';

const PREFIX = '/v1/products/';

const FAULTS = [
  'invalid_identifier',
  'invalid_parameter',
  'unknown_parameter',
  'force_refresh_requires_retailer',
  'bare_identifier_required',
  'retailer_mismatch',
  'url_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'not_found',
  'identity_mismatch',
  'body_not_accepted',
  'uri_too_long',
  'source_unusable',
  'throttled',
  'force_refresh_limit',
  'quota_exceeded',
  'internal',
  'offers_unavailable',
  'upstream_unavailable',
] as const;

const answers = {
  200: {
    description: 'The product record.',
    content: { 'application/json': { schema: ProductRecord } },
  },
  ...faultResponses(FAULTS),
};

export function addProductRoutes(api: Api, parts: HttpParts): void {
  const byId = createRoute({
    method: 'get',
    path: `${PREFIX}{id}`,
    operationId: 'getProduct',
    summary: 'Look a product up',
    description:
      'One token, and 5 with live offers. A second call within the freshness window fetches nothing.',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { params: z.object({ id: productId }), query: ProductQuery },
    responses: answers,
  });
  api.openapi(byId, (c) =>
    answerLookup(c, parts, textOfPath(c.req.raw.url, PREFIX), c.req.valid('query')),
  );

  const byUrl = createRoute({
    method: 'get',
    path: '/v1/products',
    operationId: 'getProductByUrl',
    summary: 'Look a product up by address, for callers behind proxies that decode %2F',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { query: ProductByUrlQuery },
    responses: answers,
  });
  api.openapi(byUrl, (c) => {
    const { url, ...query } = c.req.valid('query');
    return answerLookup(c, parts, url, query);
  });
}

async function answerLookup(
  c: Context<HttpEnv>,
  parts: HttpParts,
  text: string,
  query: ProductQuery,
) {
  const caller = callerOf(c);
  const forced = query.force_refresh === true;
  if (forced) parts.metering.requireScope(caller, 'products:refresh');
  const addOns = {
    includeOffers: query.include_offers === true,
    includeOffersReviews: query.include_offers_reviews === true,
  };
  const prepared = parts.lookupProduct.prepare({
    text,
    format: query.format,
    retailer: query.retailer,
    forceRefresh: forced,
    includeOffers: query.include_offers,
    includeOffersReviews: query.include_offers_reviews,
  });
  const call = { requestId: c.get('callId'), route: 'GET /v1/products/{id}', forced };
  const { value: product, charged } = await metered(parts, caller, call, {
    tokens: mostItCanCost({ kind: 'product', addOns }),
    held: () => parts.lookupProduct.held(prepared),
    fetched: (signal) => parts.lookupProduct.fetched(prepared, signal),
  });
  c.set('rateLimit', charged.rateLimit);
  const record = presentProduct(product, {
    includeHistory: query.include_history ?? true,
    includeStats: query.include_stats ?? true,
  });
  return c.json(
    { ...record, tokens_consumed: charged.consumed, tokens_remaining: charged.remaining },
    200,
  );
}
