// Reads of stored histories as seen in one currency (D87). Everything computed from them, such as bars, suspicions and
// windows, then has that currency alone.

import { seenIn, spanOfSeen } from '../../rules/history/seen-in.ts';
import type { ObservedSpan } from '../../rules/history/daily-bars.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Store } from '../../data/store.ts';

type Histories = Pick<Store['observations'], 'findSinceOf' | 'findOfSeveral' | 'findPage'>;
type WithHistories = { readonly observations: Histories };

/** Returns the same reads. Spans cover dollar prices, as stored; `spanThrough` returns the span in the currency. */
export function readsThrough<Reads extends WithHistories>(
  store: Reads,
  currency: string,
): Omit<Reads, 'observations'> & WithHistories {
  if (currency === 'USD') return store;
  const { observations } = store;
  return {
    ...store,
    observations: {
      async findSinceOf(owner, fromMs) {
        const found = await observations.findSinceOf(owner, fromMs);
        return { ...found, observations: seenIn(found.observations, currency) };
      },
      async findOfSeveral(owners, fromMs) {
        const found = await observations.findOfSeveral(owners, fromMs);
        return new Map([...found].map(([id, seen]) => [id, seenIn(seen, currency)]));
      },
      findPage: async (page) => seenIn(await observations.findPage(page), currency),
    },
  };
}

/** Returns the span of a listing's whole history. Years are packed with the days that have a price in dollars only. */
export async function spanThrough(
  { observations }: WithHistories,
  listing: StoredListing,
  { currency, span }: { readonly currency: string; readonly span: ObservedSpan },
): Promise<ObservedSpan> {
  if (currency === 'USD') return span;
  return spanOfSeen((await observations.findSinceOf(listing, 0)).observations);
}
