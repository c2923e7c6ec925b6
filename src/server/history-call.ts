// A price history as a call that is charged for.

import { mostItCanCost } from '../base/call-cost.ts';
import type { PriceHistory } from '../answer/lookup/history/lookup-history.ts';
import type { StoredAnswers } from '../answer/lookup/stored-answers.ts';
import type { Caller } from '../data/metering/metering.ts';
import { presentHistory, type HistoryQuery } from '../answer/wire/history/history.ts';

const TOKENS = mostItCanCost({ kind: 'history' });

export type HistoryCallParts = {
  readonly answers: Pick<StoredAnswers, 'history'>;
};

export type AskedHistory = {
  readonly caller: Caller;
  readonly text: string;
  readonly query: HistoryQuery;
};

export function historyCall(parts: HistoryCallParts, { caller, text, query }: AskedHistory) {
  const { timeframe = '30d', retailer, cursor } = query;
  const { organizationId } = caller;
  const request = { text, timeframe, retailer, cursor, organizationId };
  const present = (history: PriceHistory) => ({
    body: presentHistory(history),
    tokens: TOKENS,
  });
  const read = async () => {
    const { found, entry } = await parts.answers.history(request);
    return { ...present(found), cached: { entry, presentation: '' } };
  };
  return {
    route: 'GET /v1/products/{id}/history',
    maxTokens: TOKENS,
    fromStore: read,
    make: read,
  };
}
