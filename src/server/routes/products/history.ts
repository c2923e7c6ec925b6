// GET /v1/products/{id}/history: a product's stored prices (D43). Fetches nothing.

import { z } from 'zod';

import { mostItCanCost, tokensInWords } from '../../../base/call-cost.ts';
import type { StoredAnswers } from '../../../answer/lookup/stored-answers.ts';
import { HistoryBody, HistoryQuery, presentHistory } from '../../../answer/wire/history/history.ts';
import { BilledHeaders } from '../../../answer/wire/query.ts';
import { billed, route, type Route } from '../../route.ts';
import { BILLED_FAULTS } from '../route-faults.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

const FAULTS = [...BILLED_FAULTS, 'url_not_allowed'] as const;

const price = { kind: 'history' } as const;

const TOKENS = mostItCanCost(price);

export type HistoryRouteParts = { readonly answers: Pick<StoredAnswers, 'history'> };

export const HISTORY_ROUTES: readonly Route<HistoryRouteParts>[] = [
  route({
    method: 'get',
    path: `${PRODUCTS}{id}/history`,
    operationId: 'getPriceHistory',
    summary: 'Get the observed prices of a product, newest first',
    description:
      'Reads stored observations and fetches nothing. For a known product without ' +
      'observations, the list is empty; an unknown identifier returns 404. Without `retailer`, ' +
      'the history belongs to retailer_w; for the address of a page, and for a product without ' +
      'a known barcode, it belongs to its shop.',
    scope: 'products:read',
    price,
    priceInWords: `${tokensInWords(price)}, for any timeframe and also with \`retailer=all\`.`,
    request: { params: z.object({ id: productId }), query: HistoryQuery, headers: BilledHeaders },
    answer: { description: 'The price history.', schema: HistoryBody },
    faults: FAULTS,
    call:
      ({ answers }: HistoryRouteParts) =>
      ({ call, route, caller: { organizationId, hasOwnFacts }, query }) => {
        const { timeframe = '30d', retailer, cursor, currency } = query;
        const isCurrencyAsked = currency !== undefined;
        const text = identifierIn(call.asked.path);
        const asked = { text, timeframe, retailer, cursor, currency };
        const request = { ...asked, organizationId, hasOwnFacts };
        const read = async () => {
          const { found, entry } = await answers.history(request);
          const cached = { entry, presentation: isCurrencyAsked ? 'currency' : '' };
          const body = presentHistory(found, isCurrencyAsked);
          return { body, tokens: TOKENS, cached };
        };
        return billed({ route, maxTokens: TOKENS, fromStore: read, make: read });
      },
  }),
];
