// GET /v1/products/{id}/compare: a product at every retailer, and a seller's profit with it (D69).

import { z } from 'zod';

import { mostItCanCost } from '../../../base/call-cost.ts';
import type { LookupComparison } from '../../../answer/lookup/compare-product.ts';
import type { StoredAnswers } from '../../../answer/lookup/stored-answers.ts';
import {
  CompareQuery,
  ComparisonBody,
  presentComparison,
  sellerCostsOf,
} from '../../../answer/wire/compare.ts';
import { BilledHeaders } from '../../../answer/wire/query.ts';
import type { Comparison } from '../../../rules/product/comparison.ts';
import type { LookupContext } from '../../call.ts';
import { billed, route, type Route } from '../../route.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';
import { ASKING_FAULTS } from '../route-faults.ts';

const price = { kind: 'compare' } as const;
const TOKENS = mostItCanCost(price);

const FAULTS = [...ASKING_FAULTS, 'url_not_allowed', 'identity_mismatch'] as const;

export type CompareRouteParts = {
  readonly lookupComparison: LookupComparison;
  readonly answers: Pick<StoredAnswers, 'comparison'>;
  readonly lookupContext: LookupContext;
};

export const COMPARE_ROUTES: readonly Route<CompareRouteParts>[] = [
  route({
    method: 'get',
    path: `${PRODUCTS}{id}/compare`,
    operationId: 'compareProduct',
    summary: 'Compare a product across retailers, with fees and profit',
    description:
      'Returns one row for each retailer from stored data: the price, the fees according to ' +
      'the dated rate cards and, if `cost` is sent, the profit, margin, return and break-even ' +
      'price. Retailers are queried only if the product was never looked up, or not for 14 ' +
      'days; look it up or refresh it for newer prices. `cost` is what you pay for one unit of ' +
      'the product that the identifier names. For a listing with a different pack size it is ' +
      'multiplied by `cost_factor`, and rows are compared per piece.',
    scope: 'products:read',
    price,
    request: { params: z.object({ id: productId }), query: CompareQuery, headers: BilledHeaders },
    answer: { description: 'The comparison.', schema: ComparisonBody },
    faults: FAULTS,
    call:
      ({ lookupComparison, answers, lookupContext }: CompareRouteParts) =>
      ({ call: { asked }, route, caller, query }) => {
        const lookup = lookupComparison.parse({
          text: identifierIn(asked.path),
          format: query.format,
          forceRefresh: false,
          currency: query.currency,
          organizationId: caller.organizationId,
          hasOwnFacts: caller.hasOwnFacts,
        });
        const costs = sellerCostsOf(query);
        const isCurrencyAsked = query.currency !== undefined;
        const presentation = JSON.stringify([costs, isCurrencyAsked]);
        const present = (found: Comparison) => ({
          body: presentComparison(found, costs, isCurrencyAsked),
          tokens: TOKENS,
        });
        return billed({
          route,
          maxTokens: TOKENS,
          fromStore: async () => {
            const { found, entry } = await answers.comparison(lookup);
            if (found === null) return null;
            return { ...present(found), cached: { entry, presentation } };
          },
          make: async () =>
            present(await lookupComparison.fromShops(lookup, lookupContext(caller))),
        });
      },
  }),
];
