// GET /v1/rate-cards: the rate cards that fees are computed from. Free with any key (D14).

import { createRoute } from '@hono/zod-openapi';

import { dayOf, type Clock } from '../../../base/clock.ts';
import { RATE_CARDS } from '../../../rules/fees/rate-cards.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { presentRateCards, RateCardList } from '../../../answer/wire/installation/rate-cards.ts';
import { answerFree, type FreeParts } from '../answer-route.ts';
import type { Api } from '../../context.ts';
import type { RequireKey } from '../../middleware.ts';
import { faultResponses } from '../../document/responses.ts';
import { FREE_FAULTS } from '../route-faults.ts';

export type RateCardRouteParts = FreeParts & {
  readonly requireKey: RequireKey;
  readonly clock: Clock;
};

export function addRateCardRoutes(api: Api, parts: RateCardRouteParts): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/rate-cards',
    operationId: 'getRateCards',
    summary: 'List the rate cards that fees are computed from',
    description:
      'Free. Each card with its dates, its source, how certain its figures are, and the charges that it does not ' +
      'include. Records have the fees in `referral_fee_usd` and `fulfillment_fee_usd`.',
    security: [{ bearer: [] }],
    middleware: parts.requireKey(null),
    request: { query: NoQuery },
    responses: {
      200: {
        description: 'The rate cards.',
        content: { 'application/json': { schema: RateCardList } },
      },
      ...faultResponses(FREE_FAULTS),
    },
  });
  api.openapi(list, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/rate-cards',
      body: async () => presentRateCards(RATE_CARDS, dayOf(parts.clock.now())),
    }),
  );
}
