// POST /v1/products/{id}/refresh: the retailer that anchors the record is fetched now, metered (D19).

import { createRoute, z } from '@hono/zod-openapi';

import { costOf, mostItCanCost } from '../../core/call-cost.ts';
import { addOnsOf, BilledHeaders, RefreshQuery } from '../../wire/query.ts';
import { presentRefresh, RefreshRecord } from '../../wire/refresh.ts';
import { answerBilled } from '../billed.ts';
import type { Api, HttpParts } from '../context.ts';
import { callerOf, requireKey } from '../middleware.ts';
import { textOfPath } from '../path-text.ts';
import { faultResponses } from '../responses.ts';
import { LOOKUP_FAULTS } from './route-faults.ts';
import { productId } from './product-id.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/refresh';

export function addRefreshRoutes(api: Api, parts: HttpParts): void {
  const route = createRoute({
    method: 'post',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'refreshProduct',
    summary: 'Fetch a product now and answer with its record',
    description:
      'Nine tokens: 1, and 5 for live offers and reviews, and 3 for the fetch; 4 with ' +
      '`include_offers_reviews=false`; other add-ons add their price. Asks the retailer that anchors the record ' +
      '(`retailer=` chooses it) and nobody else, and never answers with older data: 503, unbilled, when the fetch ' +
      'fails. At most 100 forced fetches a minute. Takes no body.',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:refresh')] as const,
    request: { params: z.object({ id: productId }), query: RefreshQuery, headers: BilledHeaders },
    responses: {
      200: {
        description: 'The record, fetched during the call.',
        content: { 'application/json': { schema: RefreshRecord } },
      },
      ...faultResponses(LOOKUP_FAULTS),
    },
  });
  api.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const withReviews = query.include_offers_reviews ?? true;
    const addOns = {
      ...addOnsOf({ ...query, include_offers_reviews: withReviews }),
      includeForceRefresh: true,
    };
    const lookup = parts.lookupProduct.parse({
      text: textOfPath(c.req.raw.url, PREFIX, SUFFIX),
      format: query.format,
      retailer: query.retailer,
      forceRefresh: false,
      addOns,
      identifierMatch: query.identifier_match ?? 'confirmed',
      organizationId: callerOf(c).organizationId,
    });
    const call = { kind: 'refresh', addOns } as const;
    return answerBilled(c, parts, {
      route: 'POST /v1/products/{id}/refresh',
      forced: true,
      maxTokens: mostItCanCost(call),
      worked: async () => {
        const product = await parts.lookupProduct.fetched(lookup, parts.lookupContext(callerOf(c)));
        const body = presentRefresh(product, {
          includeHistory: query.include_history ?? true,
          includeStats: query.include_stats ?? true,
          includeFeeBreakdown: query.include_fee_breakdown ?? false,
        });
        const barsHeld = (product.priceSeries ?? []).length > 0;
        return { body, tokens: costOf(call, { barsHeld }) };
      },
    });
  });
}
