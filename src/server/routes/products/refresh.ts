// POST /v1/products/{id}/refresh: fetches the listing of the anchor now (D19).

import { createRoute, z } from '@hono/zod-openapi';

import { costOf, mostItCanCost } from '../../../base/call-cost.ts';
import type { LookupProduct } from '../../../answer/lookup/lookup-product.ts';
import { addOnsOf } from '../../../answer/wire/add-ons.ts';
import { BilledHeaders, RefreshQuery } from '../../../answer/wire/query.ts';
import { presentRefresh, RefreshRecord } from '../../../answer/wire/record/refresh.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api, LookupContext } from '../../context.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses } from '../../document/responses.ts';
import { LOOKUP_FAULTS } from '../route-faults.ts';
import { textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/refresh';

export type RefreshRouteParts = {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
  readonly lookupProduct: Pick<LookupProduct, 'parse' | 'fromShops'>;
  readonly lookupContext: LookupContext;
};

export function addRefreshRoutes(api: Api, parts: RefreshRouteParts): void {
  const route = createRoute({
    method: 'post',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'refreshProduct',
    summary: 'Fetch a product now and get its record',
    description:
      'Nine tokens: 1 for the record, 3 for the fetch, 5 for live offers and reviews. 4 tokens with ' +
      '`include_offers_reviews=false`; other add-ons add their price. Asks only the retailer that supplies the price of the record ' +
      '(`retailer=` chooses it) and, where that sells only its own goods, a marketplace for the offers. Never answers ' +
      'with older data: when the fetch fails, the answer is 503, not billed. At most 100 forced fetches a minute. Takes no body.',
    security: [{ bearer: [] }],
    middleware: [parts.requireKey('products:refresh')] as const,
    request: { params: z.object({ id: productId }), query: RefreshQuery, headers: BilledHeaders },
    responses: {
      200: {
        description: 'The record, fetched during this call.',
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
    return answerBilled(c, parts.billing, {
      route: 'POST /v1/products/{id}/refresh',
      forced: true,
      maxTokens: mostItCanCost(call),
      make: async () => {
        const product = await parts.lookupProduct.fromShops(
          lookup,
          parts.lookupContext(callerOf(c)),
        );
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
