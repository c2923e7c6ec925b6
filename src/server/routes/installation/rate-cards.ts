// GET /v1/rate-cards: the rate cards that fees are computed from. Free with any key (D14).

import { dayOf, type Clock } from '../../../base/clock.ts';
import { RATE_CARDS } from '../../../rules/fees/rate-cards.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { presentRateCards, RateCardList } from '../../../answer/wire/installation/rate-cards.ts';
import { free, route, type Route } from '../../route.ts';
import { FREE_FAULTS } from '../route-faults.ts';

export type RateCardRouteParts = { readonly clock: Clock };

const list = route({
  method: 'get',
  path: '/v1/rate-cards',
  operationId: 'getRateCards',
  summary: 'List the rate cards that fees are computed from',
  description:
    'Each card has its dates, its source, the certainty of its figures, and the charges that it does not ' +
    'include. Records state the fees in `referral_fee_usd` and `fulfillment_fee_usd`.',
  scope: 'any key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The rate cards.', schema: RateCardList },
  faults: FREE_FAULTS,
  call:
    ({ clock }: RateCardRouteParts) =>
    () =>
      free(async () => presentRateCards(RATE_CARDS, dayOf(clock.now()))),
});

export const RATE_CARD_ROUTES: readonly Route<RateCardRouteParts>[] = [list];
