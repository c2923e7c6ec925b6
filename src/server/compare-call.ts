// A comparison of retailers as a call that is charged for.

import { mostItCanCost } from '../base/call-cost.ts';
import type { LookupComparison } from '../answer/lookup/compare-product.ts';
import type { StoredAnswers } from '../answer/lookup/stored-answers.ts';
import type { Caller } from '../data/metering/metering.ts';
import type { Comparison } from '../rules/product/comparison.ts';
import { presentComparison, sellerCostsOf, type CompareQuery } from '../answer/wire/compare.ts';
import type { LookupContext } from './context.ts';

const TOKENS = mostItCanCost({ kind: 'compare' });

export type CompareCallParts = {
  readonly lookupComparison: LookupComparison;
  readonly answers: Pick<StoredAnswers, 'comparison'>;
  readonly lookupContext: LookupContext;
};

export type AskedComparison = {
  readonly caller: Caller;
  readonly text: string;
  readonly query: CompareQuery;
};

/** Throws the FaultError of a request that can never be answered. */
export function compareCall(parts: CompareCallParts, { caller, text, query }: AskedComparison) {
  const { lookupComparison, answers, lookupContext } = parts;
  const lookup = lookupComparison.parse({
    text,
    format: query.format,
    forceRefresh: false,
    organizationId: caller.organizationId,
  });
  const costs = sellerCostsOf(query);
  const present = (found: Comparison) => ({
    body: presentComparison(found, costs),
    tokens: TOKENS,
  });
  return {
    route: 'GET /v1/products/{id}/compare',
    maxTokens: TOKENS,
    fromStore: async () => {
      const { found, entry } = await answers.comparison(lookup);
      if (found === null) return null;
      return { ...present(found), cached: { entry, presentation: JSON.stringify(costs) } };
    },
    make: async () => present(await lookupComparison.fromShops(lookup, lookupContext(caller))),
  };
}
