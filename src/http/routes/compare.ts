// GET /v1/products/{id}/compare: a product at every retailer, and what a seller would earn by it (D69).

import { createRoute, z } from '@hono/zod-openapi';

import { mostItCanCost } from '../../core/call-cost.ts';
import type { LookupComparison } from '../../lookup/compare-product.ts';
import type { Comparison } from '../../product/comparison.ts';
import { BilledHeaders } from '../../wire/query.ts';
import {
  CompareQuery,
  ComparisonBody,
  presentComparison,
  sellerCostsOf,
} from '../../wire/compare.ts';
import type { NotedLookups } from '../../lookup/noted-lookups.ts';
import { answerBilled, type BillingParts } from '../billed.ts';
import type { Api, LookupContext } from '../context.ts';
import { callerOf, type RequireKey } from '../middleware.ts';
import { faultResponses } from '../responses.ts';
import { productId, textOfPath } from './path-identifier.ts';
import { ASKING_FAULTS } from './route-faults.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/compare';
const TOKENS = mostItCanCost({ kind: 'compare' });

const FAULTS = [...ASKING_FAULTS, 'url_not_allowed', 'identity_mismatch'] as const;

export type CompareRouteParts = {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
  readonly lookupComparison: LookupComparison;
  readonly notedLookups: Pick<NotedLookups, 'comparison'> | null;
  readonly lookupContext: LookupContext;
};

export function addCompareRoutes(api: Api, parts: CompareRouteParts): void {
  const route = createRoute({
    method: 'get',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'compareProduct',
    summary: 'Compare a product over the retailers, with fees and profit',
    description:
      'Three tokens. A row for each retailer from what is held: price, fees by the dated rate cards, and with `cost` the ' +
      'profit, margin, return and break-even price. Asks retailers only when the product was never looked up, or not ' +
      'for 14 days; look it up or refresh it for newer prices. A listing of another pack is compared by the piece.',
    security: [{ bearer: [] }],
    middleware: [parts.requireKey('products:read')] as const,
    request: { params: z.object({ id: productId }), query: CompareQuery, headers: BilledHeaders },
    responses: {
      200: {
        description: 'The comparison.',
        content: { 'application/json': { schema: ComparisonBody } },
      },
      ...faultResponses(FAULTS),
    },
  });
  api.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const { lookupComparison } = parts;
    const lookup = lookupComparison.parse({
      text: textOfPath(c.req.raw.url, PREFIX, SUFFIX),
      format: query.format,
      forceRefresh: false,
      organizationId: callerOf(c).organizationId,
    });
    const costs = sellerCostsOf(query);
    const present = (found: Comparison) => ({
      body: presentComparison(found, costs),
      tokens: TOKENS,
    });
    return answerBilled(c, parts.billing, {
      route: 'GET /v1/products/{id}/compare',
      maxTokens: TOKENS,
      held: async () => {
        const found = await lookupComparison.held(lookup);
        return found === null ? null : present(found);
      },
      noted: async () => {
        const noted = (await parts.notedLookups?.comparison(lookup)) ?? null;
        return noted && { ...present(noted.found), dependence: noted.dependence };
      },
      worked: async () =>
        present(await lookupComparison.fetched(lookup, parts.lookupContext(callerOf(c)))),
    });
  });
}
