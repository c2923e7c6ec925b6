// GET /v1/products/{id} and GET /v1/products?url=: one lookup, metered (D9, D14-D18).

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';

import { mostItCanCost } from '../../domain/call-cost.ts';
import { FaultError } from '../../domain/fault.ts';
import type { Product } from '../../domain/product.ts';
import type { Prepared } from '../../lookup/lookup-product.ts';
import type { Charged } from '../../metering/metering.ts';
import { describeError } from '../../log.ts';
import { presentProduct } from '../../wire/present.ts';
import { ProductRecord } from '../../wire/product-record.ts';
import { ProductByUrlQuery, ProductQuery } from '../../wire/query.ts';
import type { Api, HttpEnv, HttpParts } from '../context.ts';
import { requireKey } from '../middleware.ts';
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
  'body_not_accepted',
  'uri_too_long',
  'source_unusable',
  'throttled',
  'force_refresh_limit',
  'quota_exceeded',
  'internal',
  'upstream_unavailable',
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
    request: { params: z.object({ id }), query: ProductQuery },
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
    request: { query: ProductByUrlQuery },
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
  const caller = c.get('caller');
  if (caller === null) throw new Error('a metered route runs behind requireKey');
  const forced = query.force_refresh === true;
  if (forced) parts.metering.requireScope(caller, 'products:refresh');
  const prepared = parts.lookupProduct.prepare({
    text,
    format: query.format,
    retailer: query.retailer,
    forceRefresh: forced,
  });
  const call = { requestId: c.get('callId'), route: 'GET /v1/products/{id}', forced };
  const { product, charged } = await metered(parts, caller, call, prepared);
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

type Call = { readonly requestId: string; readonly route: string; readonly forced: boolean };

/**
 * What is held costs one debit; what must be fetched is reserved first, so that a caller without tokens
 * starts no fetch, and settled or released with the outcome. The debit is durable before the answer.
 */
async function metered(
  parts: HttpParts,
  caller: Parameters<HttpParts['metering']['charge']>[0],
  call: Call,
  prepared: Prepared,
): Promise<{ product: Product; charged: Charged }> {
  const held = await parts.lookupProduct.held(prepared);
  if (held !== null) {
    const charged = await parts.metering.charge(caller, { ...call, tokens: TOKENS });
    return { product: held, charged };
  }
  const reservation = await parts.metering.reserve(caller, { ...call, maxTokens: TOKENS });
  try {
    const product = await parts.lookupProduct.fetched(prepared, parts.lookupDeadline());
    return { product, charged: await reservation.settle(TOKENS) };
  } catch (error) {
    // When even this fails, the lease gives the tokens back; the caller still learns what went wrong first.
    await reservation.release().catch((failure: unknown) => {
      parts.log.error('release of a reservation', { error: describeError(failure) });
    });
    throw error;
  }
}
