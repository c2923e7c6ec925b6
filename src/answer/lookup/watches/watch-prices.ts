// Prices seen by a watch, one a day, for the small chart next to it: the lowest of its listings on each day, without suspect
// prices.

import { DAY_MS, dayOf, daysBefore, type Clock, type Day } from '../../../base/clock.ts';
import { barsOf } from '../../../rules/history/daily-bars.ts';
import { seenIn } from '../../../rules/history/seen-in.ts';
import { currencyOfRules } from '../../../rules/watches/watch.ts';
import type { Store } from '../../../data/store.ts';
import type { WatchRead } from '../../../data/watches/watches.ts';

type DayPrice = { readonly day: Day; readonly cents: number };

type PricesOfWatch = {
  /** Oldest first; days without a price are left out. */
  readonly prices: readonly DayPrice[];
  /** The first and last day of the price period. */
  readonly from: Day;
  readonly to: Day;
  /** The currency of all prices (D87). */
  readonly currency: string;
  /** The watch's target price, in minor units; null if it has none. */
  readonly targetCents: number | null;
};

export type WatchPrices = {
  /** Returns the watches with these ids that belong to the organization and have read something. */
  standOf(organizationId: string, ids: readonly string[]): Promise<readonly WatchRead[]>;
  /** Null if the organization has no such watch. */
  find(organizationId: string, id: string): Promise<PricesOfWatch | null>;
};

const SHOWN_DAYS = 90;

export function createWatchPrices(
  { watches, observations }: Pick<Store, 'watches' | 'observations'>,
  clock: Pick<Clock, 'now'>,
): WatchPrices {
  return {
    standOf: (organizationId, ids) => watches.findReads(organizationId, ids),
    async find(organizationId, id) {
      const watch = await watches.find(organizationId, id);
      if (watch === null) return null;
      const currency = currencyOfRules(watch.rules);
      const to = dayOf(clock.now());
      const from = daysBefore(to, SHOWN_DAYS - 1);
      // Older prices, from before the shown days, are read too: they decide which of the shown ones are suspect.
      const fromMs = Date.parse(from) - SHOWN_DAYS * DAY_MS;
      const lows = new Map<Day, number>();
      for (const listingId of Object.keys(watch.state.known)) {
        const { observations: seen } = await observations.findSince(listingId, fromMs);
        for (const { date, trusted } of barsOf(seenIn(seen, currency))) {
          if (trusted === null || date < from) continue;
          lows.set(date, Math.min(lows.get(date) ?? trusted.closeCents, trusted.closeCents));
        }
      }
      const prices = [...lows]
        .map(([day, cents]) => ({ day, cents }))
        .sort((a, b) => (a.day < b.day ? -1 : 1));
      return { prices, from, to, currency, targetCents: watch.rules.belowCents };
    },
  };
}
