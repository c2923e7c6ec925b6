// A record reflects a single moment, whatever is written while it is made.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import type { Store } from '../../../src/data/store.ts';
import { wireLookups } from '../../../src/edge/wiring/lookups.ts';
import { KEYS, NOON, refill } from '../../support/changing-store.ts';
import { openLookupNeeds } from '../../support/lookup-needs.ts';
import { randomFrom } from '../../support/random.ts';
import { stillClock } from '../../support/shifted-clock.ts';

const observed = (store: Store, day: number) =>
  writeChanges(store.sql, [
    {
      kind: 'observation',
      observation: {
        listingId: listingIdOf('retailer_w', KEYS[0]),
        observedAtMs: NOON - DAY_MS * (3 - day),
        price: { cents: 1_000 + day, currency: 'USD' },
        inStock: true,
      },
    },
  ]);

test('the bars of a record are the days that it says it covers, though a price is stored while it is made', async () => {
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(stillClock(NOON), opened);
  const { store } = needs;
  await refill(store, randomFrom(1), NOON);
  for (const day of [0, 1, 2]) await observed(store, day);
  const { observations } = store;
  let reads = 0;
  const findSinceOf: typeof observations.findSinceOf = async (...asked) => {
    const found = await observations.findSinceOf(...asked);
    reads += 1;
    if (reads === 1) await observed(store, 3);
    return found;
  };
  const changing = { ...store, observations: { ...observations, findSinceOf } };
  const { lookupProduct } = wireLookups({ ...config, cacheMb: 0 }, { ...needs, store: changing });
  const addOns = { includePriceSeries: true };
  const found = await lookupProduct.fromStore(
    lookupProduct.parse({ text: KEYS[0], forceRefresh: false, addOns }),
  );
  await needs.background.stop();
  assert.equal(reads, 2, 'the second read finds what was stored behind the first');
  assert.deepEqual(
    found?.priceSeries?.map(({ closeCents }) => closeCents),
    [1_002, 1_001, 1_000],
  );
  assert.equal(found?.priceHistory.daysCovered, 3);
});
