// A listing that is held and was seen at some instants, for tests of how its price history is kept.

import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import { upsertListing, listingIdOf } from '../../src/store/listings.ts';
import type { Store } from '../../src/store/store.ts';
import { insertObservation } from '../../src/store/recent-observations.ts';

const RETAILER = 'lampshop';
const KEY = 'lamp';

export const SEEN_ID = listingIdOf(RETAILER, KEY);

/** Files it with an observation for each instant (ms), each a cent dearer than the one before. */
export async function fileSeen({ sql }: Store, instants: readonly number[]): Promise<void> {
  await sql.write([
    upsertListing({
      retailer: RETAILER,
      key: KEY,
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: 1,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    }),
    ...instants.map((observedAtMs, at) =>
      insertObservation({
        listingId: SEEN_ID,
        observedAtMs,
        price: { cents: 100 + at, currency: 'USD' },
        inStock: true,
      }),
    ),
  ]);
}
