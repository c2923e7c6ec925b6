// GET /v1/products/{id} and GET /v1/products?url=: one lookup, metered (D9, D14-D18).

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';

import { mostItCanCost } from '../../domain/call-cost.ts';
import { FaultError } from '../../domain/fault.ts';
import type { Product } from '../../domain/product.ts';
import { presentProduct } from '../../wire/present.ts';
import { ProductRecord } from '../../wire/product-record.ts';
import { BilledHeaders, ProductByUrlQuery, ProductQuery } from '../../wire/query.ts';
import type { Api, HttpEnv, HttpParts } from '../context.ts';
import { answerBilled } from '../billed.ts';
import { callerOf, requireKey } from '../middleware.ts';
import { faultResponses } from '../responses.ts';

const PREFIX = '/v1/products/';

/** Without add-ons the most a lookup can cost is what it costs; `retailer=` replaces it 1 by 1 (D18). */
const TOKENS = mostItCanCost({ kind: 'product', addOns: {} });

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
  'idempotency_conflict',
  'body_not_accepted',
  'uri_too_long',
  'source_unusable',
  'throttled',
  'force_refresh_limit',
  'quota_exceeded',
  'internal',
  'upstream_unavailable',
  'overloaded',
] as const;

const answers = {
  200: {
    description: 'The product record.',
    content: { 'application/json': { schema: ProductRecord } },
  },
  ...faultResponses(FAULTS),
};

const id = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description:
    'A product-page address (percent-encoded once), a barcode (UPC-12, EAN-13, EAN-8, ISBN, GTIN-14), ' +
    'an ASIN, an item id of retailer_w, or a SKU or product id of retailer_b.',
  example: 'https%3A%2F%2Fshop.example.com%2Fproducts%2Flamp',
});

export function addProductRoutes(api: Api, parts: HttpParts): void {
  const byId = createRoute({
    method: 'get',
    path: `${PREFIX}{id}`,
    operationId: 'getProduct',
    summary: 'Look a product up',
    description: 'One token. A second call within the freshness window fetches nothing.',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { params: z.object({ id }), query: ProductQuery, headers: BilledHeaders },
    responses: answers,
  });
  api.openapi(byId, (c) => answerLookup(c, parts, idOfPath(c.req.raw.url), c.req.valid('query')));

  const byUrl = createRoute({
    method: 'get',
    path: '/v1/products',
    operationId: 'getProductByUrl',
    summary: 'Look a product up by address, for callers behind proxies that decode %2F',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { query: ProductByUrlQuery, headers: BilledHeaders },
    responses: answers,
  });
  api.openapi(byUrl, (c) => {
    const { url, ...query } = c.req.valid('query');
    return answerLookup(c, parts, url, query);
  });
}

/**
 * The identifier, decoded exactly once from the raw path. The framework's own decoding is tolerant: it
 * hands on what it cannot decode.
 */
function idOfPath(requestUrl: string): string {
  const raw = new URL(requestUrl).pathname.slice(PREFIX.length);
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail: 'The identifier is not valid percent-encoded UTF-8: encode it once.',
    });
  }
}

async function answerLookup(
  c: Context<HttpEnv>,
  parts: HttpParts,
  text: string,
  query: ProductQuery,
) {
  const forced = query.force_refresh === true;
  if (forced) parts.metering.requireScope(callerOf(c), 'products:refresh');
  const prepared = parts.lookupProduct.prepare({
    text,
    format: query.format,
    retailer: query.retailer,
    forceRefresh: forced,
  });
  const present = (product: Product) => ({
    body: presentProduct(product, {
      includeHistory: query.include_history ?? true,
      includeStats: query.include_stats ?? true,
    }),
    tokens: TOKENS,
  });
  return answerBilled(c, parts, {
    route: 'GET /v1/products/{id}',
    forced,
    maxTokens: TOKENS,
    held: async () => {
      const product = await parts.lookupProduct.held(prepared);
      return product === null ? null : present(product);
    },
    worked: async () =>
      present(await parts.lookupProduct.fetched(prepared, parts.lookupDeadline())),
  });
}
