// POST /v1/products/{id}/refresh: fetches the anchor's listing now (D19).

import { z } from 'zod';

import {
  ADD_ON_TOKENS,
  BASE_TOKENS,
  costOf,
  mostItCanCost,
  tokensInWords,
} from '../../../base/call-cost.ts';
import type { LookupProduct } from '../../../answer/lookup/lookup-product.ts';
import { addOnsOf } from '../../../answer/wire/add-ons.ts';
import { BilledHeaders, RefreshQuery } from '../../../answer/wire/query.ts';
import { presentRefresh, RefreshRecord } from '../../../answer/wire/record/refresh.ts';
import type { LookupContext } from '../../call.ts';
import { billed, route, type Route } from '../../route.ts';
import { LOOKUP_FAULTS } from '../route-faults.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';

export type RefreshRouteParts = {
  readonly lookupProduct: Pick<LookupProduct, 'parse' | 'fromShops'>;
  readonly lookupContext: LookupContext;
};

const price = { kind: 'refresh', addOns: { includeOffersReviews: true } } as const;

const refresh = route({
  method: 'post',
  path: `${PRODUCTS}{id}/refresh`,
  operationId: 'refreshProduct',
  summary: 'Fetch a product now and get its record',
  description:
    'Queries only the retailer that supplies the price of the record (`retailer=` selects it) and, ' +
    'if it sells only its own goods, a marketplace for the offers. Never returns older data: if the ' +
    'fetch fails, the response is 503 and is not billed. At most 100 forced fetches a minute are ' +
    'allowed. The request has no body.',
  scope: 'products:refresh',
  price,
  priceInWords:
    `${tokensInWords(price)}: ${BASE_TOKENS.refresh} for the record, ${ADD_ON_TOKENS.includeForceRefresh} for the fetch, ` +
    `${ADD_ON_TOKENS.includeOffersReviews} for live offers and reviews. ` +
    `${tokensInWords({ kind: 'refresh', addOns: {} })} with \`include_offers_reviews=false\`; other add-ons add their price.`,
  request: { params: z.object({ id: productId }), query: RefreshQuery, headers: BilledHeaders },
  answer: { description: 'The record, fetched during this request.', schema: RefreshRecord },
  faults: LOOKUP_FAULTS,
  call:
    (parts: RefreshRouteParts) =>
    ({ call: { asked }, route, caller, query }) => {
      const withReviews = query.include_offers_reviews ?? true;
      const addOns = {
        ...addOnsOf({ ...query, include_offers_reviews: withReviews }),
        includeForceRefresh: true,
      };
      const lookup = parts.lookupProduct.parse({
        text: identifierIn(asked.path),
        format: query.format,
        retailer: query.retailer,
        forceRefresh: false,
        addOns,
        identifierMatch: query.identifier_match ?? 'confirmed',
        currency: query.currency,
        organizationId: caller.organizationId,
        hasOwnFacts: caller.hasOwnFacts,
      });
      const priced = { kind: 'refresh', addOns } as const;
      return billed({
        route,
        forced: true,
        maxTokens: mostItCanCost(priced),
        make: async () => {
          const product = await parts.lookupProduct.fromShops(lookup, parts.lookupContext(caller));
          const body = presentRefresh(product, {
            includeHistory: query.include_history ?? true,
            includeStats: query.include_stats ?? true,
            includeFeeBreakdown: query.include_fee_breakdown ?? false,
            isCurrencyAsked: query.currency !== undefined,
          });
          const barsHeld = (product.priceSeries ?? []).length > 0;
          return { body, tokens: costOf(priced, { barsHeld }) };
        },
      });
    },
});

export const REFRESH_ROUTES: readonly Route<RefreshRouteParts>[] = [refresh];
