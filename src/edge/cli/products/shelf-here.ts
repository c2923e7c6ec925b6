// An agents' shelf directly on the data. Nothing is charged; calls count against a budget at the service's prices.

import type { Shelf } from '../../../answer/agents/shelf.ts';
import type { App } from '../../app.ts';
import { dayOf } from '../../../base/clock.ts';
import { RATE_CARDS } from '../../../rules/fees/rate-cards.ts';
import { TIMEFRAMES } from '../../../rules/history/daily-bars.ts';
import type { WatchOwner } from '../../../answer/lookup/watches/manage-watches.ts';
import { parsedCurrency } from '../../../answer/wire/currency.ts';
import { presentComparison } from '../../../answer/wire/compare.ts';
import { hundredthsOf } from '../../../answer/wire/hundredths.ts';
import { presentHistory } from '../../../answer/wire/history/history.ts';
import { presentProduct } from '../../../answer/wire/record/present.ts';
import { presentRateCards } from '../../../answer/wire/installation/rate-cards.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { replied } from './replied.ts';
import { watchesHere } from './watches-here.ts';

type HereParts = {
  readonly app: App;
  readonly stop: AbortSignal;
  /** Resolves to the organization whose watches these are; null if there is none. */
  readonly owner: () => Promise<WatchOwner | null>;
};

export function shelfHere({ app, stop, owner }: HereParts): Shelf {
  return {
    product: ({ identifier: text, retailer, currency: asked, withOffers }) => {
      const addOns = { includeOffers: withOffers };
      return replied({ kind: 'product', addOns }, async () => {
        const currency = parsedCurrency('answer', asked);
        const wanted = { text, retailer, currency, forceRefresh: false, addOns };
        const lookup = app.lookupProduct.parse(wanted);
        const found =
          (await app.lookupProduct.fromStore(lookup)) ??
          (await app.lookupProduct.fromShops(lookup, app.lookupContext(stop)));
        return presentProduct(found, {
          includeHistory: false,
          includeStats: false,
          isCurrencyAsked: currency !== undefined,
        });
      });
    },
    comparison: ({ identifier: text, currency: asked, costs }) =>
      replied({ kind: 'compare' }, async () => {
        const currency = parsedCurrency('answer', asked);
        const lookup = app.lookupComparison.parse({ text, currency, forceRefresh: false });
        const found =
          (await app.lookupComparison.fromStore(lookup)) ??
          (await app.lookupComparison.fromShops(lookup, app.lookupContext(stop)));
        const cents = (amount: number | undefined) =>
          amount === undefined ? null : hundredthsOf(String(amount));
        const sellerCosts = {
          costCents: cents(costs.cost),
          shippingCents: cents(costs.shipping) ?? 0,
          prepCents: cents(costs.prep) ?? 0,
          costPer: costs.cost_per ?? 'code',
          roiBasisPoints: cents(costs.roi),
        };
        return presentComparison(found, sellerCosts, currency !== undefined);
      }),
    history: ({ identifier: text, timeframe = '30d', retailer, currency: asked }) =>
      replied({ kind: 'history' }, async () => {
        const days = TIMEFRAMES.find((each) => each === timeframe) ?? '30d';
        const currency = parsedCurrency('answer', asked);
        const wanted = { text, timeframe: days, retailer, currency, cursor: undefined };
        return presentHistory(await app.lookupHistory(wanted), currency !== undefined);
      }),
    ...watchesHere(app, owner),
    find: (words) =>
      replied({ kind: 'free' }, async () => {
        const { findCandidates } = await app.outside();
        return { candidates: await findCandidates(words, app.lookupContext(stop)) };
      }),
    rateCards: () =>
      replied({ kind: 'free' }, async () => presentRateCards(RATE_CARDS, dayOf(systemClock.now()))),
  };
}
