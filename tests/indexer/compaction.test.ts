// When a running service folds by itself: week by week, and never again for what is done.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../src/domain/clock.ts';
import { EMPTY_LISTING } from '../../src/domain/listing.ts';
import { createBackground } from '../../src/indexer/background.ts';
import { keepCompact } from '../../src/indexer/compaction.ts';
import { fileListing, listingIdOf } from '../../src/store/catalog.ts';
import { appendObservation } from '../../src/store/history.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const ID = listingIdOf('lampshop', 'lamp');

async function fileSeen(store: Store, fromMs: number, days: number): Promise<void> {
  await store.sql.write([
    fileListing({
      retailer: 'lampshop',
      key: 'lamp',
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: 1,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    }),
    ...Array.from({ length: days }, (_, day) =>
      appendObservation({
        listingId: ID,
        observedAtMs: fromMs + day * DAY_MS,
        price: { cents: 100 + day, currency: 'USD' },
        inStock: true,
      }),
    ),
  ]);
}

test('a service folds when the oldest row is ten days old, and ends with its stop', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const clock = createVirtualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const background = createBackground(onError);
  const retention = { observationDays: null, barYears: null };
  const startMs = clock.now();
  await fileSeen(store, startMs, 11);
  keepCompact({ sql: store.sql, retention, clock, background, onError });
  const tail = async () =>
    Number((await store.sql.all('select count(*) as n from observations'))[0]?.['n']);
  /** Time goes on while something is under way; each step waits for a commit of the store. */
  const pass = async (ms: number, done: () => Promise<boolean>) => {
    for (let left = ms; left > 0 && !(await done()); left -= HOUR_MS) {
      await clock.advance(HOUR_MS);
      await store.sql.probe();
    }
  };
  await pass(10 * DAY_MS + 12 * HOUR_MS, async () => (await tail()) < 11);
  assert.equal(await tail(), 11, 'ten days are not complete yet');
  await pass(2 * DAY_MS, async () => (await tail()) < 11);
  assert.equal(await tail(), 3);
  assert.equal((await store.history.observationsSince(ID, 0)).length, 11);
  await background.stop();
  assert.equal(clock.sleepers, 0);
  assert.deepEqual(errors, []);
});
