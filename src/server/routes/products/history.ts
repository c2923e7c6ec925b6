// GET /v1/products/{id}/history: the stored prices of a product (D43). Fetches nothing.

import { createRoute, z } from '@hono/zod-openapi';

import { BilledHeaders } from '../../../answer/wire/query.ts';
import { HistoryBody, HistoryQuery } from '../../../answer/wire/history/history.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api } from '../../context.ts';
import { historyCall, type HistoryCallParts } from '../../history-call.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses } from '../../document/responses.ts';
import { BILLED_FAULTS } from '../route-faults.ts';
import { textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/history';

const FAULTS = [...BILLED_FAULTS, 'url_not_allowed'] as const;

export type HistoryRouteParts = HistoryCallParts & {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
};

export function addHistoryRoutes(api: Api, parts: HistoryRouteParts): void {
  const route = createRoute({
    method: 'get',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'getPriceHistory',
    summary: 'Get the observed prices of a product, newest first',
    description:
      'Two tokens, for any timeframe and also with `retailer=all`. Reads stored observations and fetches nothing. A ' +
      'known product without observations has an empty list; an unknown identifier is 404. Without `retailer` it is the ' +
      'history of retailer_w; for the address of a page, and for a product without a known barcode, that of its shop.',
    security: [{ bearer: [] }],
    middleware: [parts.requireKey('products:read')] as const,
    request: { params: z.object({ id: productId }), query: HistoryQuery, headers: BilledHeaders },
    responses: {
      200: {
        description: 'The history.',
        content: { 'application/json': { schema: HistoryBody } },
      },
      ...faultResponses(FAULTS),
    },
  });
  api.openapi(route, (c) => {
    const text = textOfPath(c.req.raw.url, PREFIX, SUFFIX);
    const asked = { caller: callerOf(c), text, query: c.req.valid('query') };
    return answerBilled(c, parts.billing, historyCall(parts, asked));
  });
}
