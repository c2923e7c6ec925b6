// A listing that is stored and was seen at some instants, for tests of how its price history is stored.

import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { writeChanges, type AnswerChange } from '../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import type { Store } from '../../src/data/store.ts';

const RETAILER = 'lampshop';
const KEY = 'lamp';

export const SEEN_ID = listingIdOf(RETAILER, KEY);

/** Stores it with an observation for each instant (ms), each a cent higher than the previous one. */
export async function fileSeen({ sql }: Store, instants: readonly number[]): Promise<void> {
  const listing: AnswerChange = {
    kind: 'listing',
    listing: {
      retailer: RETAILER,
      key: KEY,
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: 1,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    },
  };
  const observations = instants.map((observedAtMs, at): AnswerChange => {
    const price = { cents: 100 + at, currency: 'USD' };
    const observation = { listingId: SEEN_ID, observedAtMs, price, inStock: true };
    return { kind: 'observation', observation };
  });
  await writeChanges(sql, [listing, ...observations]);
}
