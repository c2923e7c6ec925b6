// The lowest past prices of the other listings that may have the best price. If one of them was cheaper than the listing
// just read, a new low of that listing is not a new low of the best price (D70).

import { dayOf } from '../../../base/clock.ts';
import { LOOK_BACK_MS, windowOf } from '../../../rules/history/daily-bars.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { IsTrusted } from '../../../rules/product/barcode-rows.ts';
import type { Store } from '../../../data/store.ts';
import { readsThrough } from '../reads-through.ts';
import { isTiedTo } from '../../../rules/watches/concerned.ts';
import { watchedBars } from '../../../rules/watches/first-days.ts';
import type { Watch } from '../../../rules/watches/stored-watch.ts';
import { currencyOfRules, type WatchObservation } from '../../../rules/watches/watch.ts';

type LowsParts = { readonly store: Store; readonly isTrustedShop: IsTrusted };

const NO_LOWS: WatchObservation['lows'] = { 30: null, 90: null };

/**
 * Reads those lows only if the listing itself has a new low. `disputed` are the ids of listings that can never have the best
 * price.
 */
export async function lowsOfOthers(
  { store, isTrustedShop }: LowsParts,
  watch: Watch,
  { seen, disputed }: { readonly seen: WatchObservation; readonly disputed: ReadonlySet<string> },
): Promise<WatchObservation['lows']> {
  if (watch.retailer !== 'best' || !isNewLow(watch, seen)) return NO_LOWS;
  const others = Object.values(watch.state.known).filter(
    ({ listingId, packCount }) =>
      listingId !== seen.listingId && !disputed.has(listingId) && packCount === seen.packCount,
  );
  const found = await Promise.all(
    others.map(({ listingId }) => store.listings.findListingById(listingId)),
  );
  const mayBeBest = (stored: StoredListing): boolean =>
    (stored.listing.condition ?? 'new') === 'new' && isTiedTo(watch, stored, isTrustedShop(stored));
  const listings = found.filter((stored) => stored !== null).filter(mayBeBest);
  const sinceMs = seen.atMs - LOOK_BACK_MS;
  const { observations } = readsThrough(store, currencyOfRules(watch.rules));
  const observed = await observations.findOfSeveral(listings, sinceMs);
  const today = dayOf(seen.atMs);
  const bars = [...observed.values()].map((observations) => watchedBars(observations, []));
  const lowest = (days: 30 | 90): number | null => {
    const lows = bars.flatMap((each) => windowOf(each, today, days)?.lowCents ?? []);
    return lows.length === 0 ? null : Math.min(...lows);
  };
  return { 30: lowest(30), 90: lowest(90) };
}

function isNewLow({ rules }: Watch, { priceCents, suspicion, lows }: WatchObservation): boolean {
  const low = rules.newLowDays === null ? null : lows[rules.newLowDays];
  return low !== null && priceCents !== null && suspicion === null && priceCents < low;
}
