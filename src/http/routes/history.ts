// GET /v1/products/{id}/history: what is held of a product's prices, metered (D43). Fetches nothing.

import { createRoute, z } from '@hono/zod-openapi';

import { mostItCanCost } from '../../domain/call-cost.ts';
import { HistoryBody, HistoryQuery, presentHistory } from '../../wire/history.ts';
import type { Api, HttpParts } from '../context.ts';
import { callerOf, requireKey } from '../middleware.ts';
import { textOfPath } from '../path-text.ts';
import { faultResponses } from '../responses.ts';
import { productId } from './product-id.ts';

const TOKENS = mostItCanCost({ kind: 'history' });

const FAULTS = [
  'invalid_identifier',
  'invalid_parameter',
  'unknown_parameter',
  'url_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'not_found',
  'body_not_accepted',
  'uri_too_long',
  'throttled',
  'quota_exceeded',
  'internal',
  'overloaded',
] as const;

export function addHistoryRoutes(api: Api, parts: HttpParts): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/products/{id}/history',
    operationId: 'getPriceHistory',
    summary: 'The prices that were seen of a product, newest first',
    description:
      'Two tokens, whatever the timeframe and with `retailer=all`. Reads what is held and fetches ' +
      'nothing: a product without observations answers with none, an identifier of which nothing ' +
      'is held is 404.',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { params: z.object({ id: productId }), query: HistoryQuery },
    responses: {
      200: {
        description: 'The history.',
        content: { 'application/json': { schema: HistoryBody } },
      },
      ...faultResponses(FAULTS),
    },
  });
  api.openapi(route, async (c) => {
    const caller = callerOf(c);
    const { timeframe = '30d', retailer = 'retailer_w', cursor } = c.req.valid('query');
    const text = textOfPath(c.req.raw.url, '/v1/products/', '/history');
    const history = await parts.lookupHistory({ text, timeframe, retailer, cursor });
    const charged = await parts.metering.charge(caller, {
      requestId: c.get('callId'),
      route: 'GET /v1/products/{id}/history',
      forced: false,
      tokens: TOKENS,
    });
    c.set('rateLimit', charged.rateLimit);
    const body = presentHistory(history);
    return c.json(
      { ...body, tokens_consumed: charged.consumed, tokens_remaining: charged.remaining },
      200,
    );
  });
}
