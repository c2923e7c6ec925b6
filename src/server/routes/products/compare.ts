// GET /v1/products/{id}/compare: a product at every retailer, and what a seller would earn by it (D69).

import { z } from 'zod';

import { BilledHeaders } from '../../../answer/wire/query.ts';
import { CompareQuery, ComparisonBody } from '../../../answer/wire/compare.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import { compareCall, type CompareCallParts } from '../../compare-call.ts';
import { callerOf } from '../../middleware.ts';
import { route, type Route } from '../../route.ts';
import { textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';
import { ASKING_FAULTS } from '../route-faults.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/compare';

const FAULTS = [...ASKING_FAULTS, 'url_not_allowed', 'identity_mismatch'] as const;

export type CompareRouteParts = CompareCallParts & {
  readonly billing: BillingParts;
};

export const COMPARE_ROUTES: readonly Route<CompareRouteParts>[] = [
  route({
    method: 'get',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'compareProduct',
    summary: 'Compare a product over the retailers, with fees and profit',
    description:
      'A row for each retailer from what is held: price, fees by the dated rate cards, and with `cost` the ' +
      'profit, margin, return and break-even price. Asks retailers only when the product was never looked up, or not ' +
      'for 14 days; look it up or refresh it for newer prices. A cost is of one of what the identifier names; a listing of ' +
      'another pack pays it `cost_factor` times and is compared by the piece.',
    scope: 'products:read',
    price: { kind: 'compare' },
    request: { params: z.object({ id: productId }), query: CompareQuery, headers: BilledHeaders },
    answer: { description: 'The comparison.', schema: ComparisonBody },
    faults: FAULTS,
    call:
      (parts: CompareRouteParts) =>
      (c, { query }) => {
        const text = textOfPath(c.req.raw.url, PREFIX, SUFFIX);
        const asked = { caller: callerOf(c), text, query };
        return answerBilled(c, parts.billing, compareCall(parts, asked));
      },
  }),
];
