// GET /v1/products/{id}/history: the stored prices of a product (D43). Fetches nothing.

import { z } from 'zod';

import { tokensInWords } from '../../../base/call-cost.ts';
import { BilledHeaders } from '../../../answer/wire/query.ts';
import { HistoryBody, HistoryQuery } from '../../../answer/wire/history/history.ts';
import { answerBilled } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import { historyCall, type HistoryCallParts } from '../../history-call.ts';
import { callerOf } from '../../middleware.ts';
import { route, type Route } from '../../route.ts';
import { BILLED_FAULTS } from '../route-faults.ts';
import { textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/history';

const FAULTS = [...BILLED_FAULTS, 'url_not_allowed'] as const;

const price = { kind: 'history' } as const;

export type HistoryRouteParts = HistoryCallParts & {
  readonly billing: BillingParts;
};

export const HISTORY_ROUTES: readonly Route<HistoryRouteParts>[] = [
  route({
    method: 'get',
    path: `${PREFIX}{id}${SUFFIX}`,
    operationId: 'getPriceHistory',
    summary: 'Get the observed prices of a product, newest first',
    description:
      'Reads stored observations and fetches nothing. A ' +
      'known product without observations has an empty list; an unknown identifier is 404. Without `retailer` it is the ' +
      'history of retailer_w; for the address of a page, and for a product without a known barcode, that of its shop.',
    scope: 'products:read',
    price,
    priceInWords: `${tokensInWords(price)}, for any timeframe and also with \`retailer=all\`.`,
    request: { params: z.object({ id: productId }), query: HistoryQuery, headers: BilledHeaders },
    answer: { description: 'The history.', schema: HistoryBody },
    faults: FAULTS,
    call:
      (parts: HistoryRouteParts) =>
      (c, { query }) => {
        const text = textOfPath(c.req.raw.url, PREFIX, SUFFIX);
        const asked = { caller: callerOf(c), text, query };
        return answerBilled(c, parts.billing, historyCall(parts, asked));
      },
  }),
];
