// GET /v1/products/{id}/reviews: review summary of a product of retailer_w, metered (D42).

import { createRoute, z } from '@hono/zod-openapi';

import { mostItCanCost } from '../../core/call-cost.ts';
import type { ProductReviews } from '../../product/review-summary.ts';
import { BilledHeaders, ReviewsQuery } from '../../wire/query.ts';
import { presentReviews, ReviewsRecord } from '../../wire/reviews.ts';
import { answerBilled } from '../billed.ts';
import type { Api, HttpParts } from '../context.ts';
import { callerOf, requireKey } from '../middleware.ts';
import { textOfPath } from '../path-text.ts';
import { faultResponses } from '../responses.ts';
import { productId } from './product-id.ts';
import { ASKING_FAULTS } from './route-faults.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/reviews';
const TOKENS = mostItCanCost({ kind: 'reviews' });

const FAULTS = [...ASKING_FAULTS, 'url_not_allowed', 'identity_mismatch'] as const;

export function addReviewRoutes(api: Api, parts: HttpParts): void {
  const route = createRoute({
    method: 'get',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'getReviews',
    summary: 'Reviews of a product of retailer_w by month, with their sum',
    description:
      'Three tokens. Reviews are retailer_w’s; each is counted once, in the month of its publication, ' +
      'and stays counted. A product without a listing there is 404.',
    security: [{ bearer: [] }],
    middleware: [requireKey(parts, 'products:read')] as const,
    request: { params: z.object({ id: productId }), query: ReviewsQuery, headers: BilledHeaders },
    responses: {
      200: {
        description: 'Summary, months and the newest texts.',
        content: { 'application/json': { schema: ReviewsRecord } },
      },
      ...faultResponses(FAULTS),
    },
  });
  api.openapi(route, async (c) => {
    const { start_date: startDate, end_date: endDate } = c.req.valid('query');
    const text = textOfPath(c.req.raw.url, PREFIX, SUFFIX);
    const prepared = parts.lookupReviews.prepare({ text, startDate, endDate });
    const answer = (value: ProductReviews) => ({
      body: { identifier: prepared.identifier, ...presentReviews(value) },
      tokens: TOKENS,
    });
    return answerBilled(c, parts, {
      route: 'GET /v1/products/{id}/reviews',
      maxTokens: TOKENS,
      held: async () => {
        const value = await parts.lookupReviews.held(prepared);
        return value === null ? null : answer(value);
      },
      worked: async () =>
        answer(await parts.lookupReviews.fetched(prepared, parts.lookupDeadline(callerOf(c)))),
    });
  });
}
