// The daily bars that a caller may ask for: every one that is held of retailer_w's listing (D29).

import type { ListingHistory } from '../product/compose.ts';
import { barsOf, type PriceBar } from '../history/daily-bars.ts';
import type { Store } from '../store/store.ts';

/** Newest first; none where the record shows another retailer's history, or no history. */
export async function priceSeriesOf(
  store: Store,
  history: ListingHistory | null,
): Promise<readonly PriceBar[]> {
  if (history?.listing.retailer !== 'retailer_w') return [];
  return barsOf((await store.observations.findSince(history.listing.id, 0)).observations);
}
