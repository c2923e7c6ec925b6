// GET /v1/products/{id}/reviews: a product's reviews at retailer_w (D42).

import { z } from 'zod';

import { mostItCanCost } from '../../../base/call-cost.ts';
import type { LookupReviews } from '../../../answer/lookup/lookup-reviews.ts';
import type { ProductReviews } from '../../../rules/product/review-summary.ts';
import { BilledHeaders, ReviewsQuery } from '../../../answer/wire/query.ts';
import { presentReviews, ReviewsRecord } from '../../../answer/wire/record/reviews.ts';
import type { LookupContext } from '../../call.ts';
import { billed, route, type Route } from '../../route.ts';
import { ASKING_FAULTS } from '../route-faults.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const price = { kind: 'reviews' } as const;
const TOKENS = mostItCanCost(price);

const FAULTS = [...ASKING_FAULTS, 'url_not_allowed', 'identity_mismatch'] as const;

export type ReviewRouteParts = {
  readonly outside: () => Promise<{ readonly lookupReviews: LookupReviews }>;
  readonly lookupContext: LookupContext;
};

const reviews = route({
  method: 'get',
  path: `${PRODUCTS}{id}/reviews`,
  operationId: 'getReviews',
  summary: 'Get the reviews of a product at retailer_w, in total and by month',
  description:
    'Reviews are available from retailer_w only. Each review is counted once, in the month of its ' +
    'publication, even if the retailer later removes it. A product without a listing at retailer_w ' +
    'returns 404.',
  scope: 'products:read',
  price,
  request: { params: z.object({ id: productId }), query: ReviewsQuery, headers: BilledHeaders },
  answer: { description: 'The totals, the months and the newest texts.', schema: ReviewsRecord },
  faults: FAULTS,
  call:
    (parts: ReviewRouteParts) =>
    async ({ call: { asked }, route, caller, query }) => {
      const { lookupReviews } = await parts.outside();
      const { start_date: startDate, end_date: endDate } = query;
      const text = identifierIn(asked.path);
      const request = lookupReviews.parse({ text, startDate, endDate });
      const answer = (value: ProductReviews) => ({
        body: { identifier: request.identifier, ...presentReviews(value) },
        tokens: TOKENS,
      });
      return billed({
        route,
        maxTokens: TOKENS,
        fromStore: async () => {
          const value = await lookupReviews.fromStore(request);
          return value === null ? null : answer(value);
        },
        make: async () =>
          answer(await lookupReviews.fromShops(request, parts.lookupContext(caller))),
      });
    },
});

export const REVIEW_ROUTES: readonly Route<ReviewRouteParts>[] = [reviews];
