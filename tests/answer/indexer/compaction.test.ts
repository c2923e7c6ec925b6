// When a running service compacts by itself: week by week, and never what is already compacted.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { createBackground } from '../../../src/answer/indexer/background.ts';
import { keepCompact } from '../../../src/answer/indexer/compaction.ts';
import { openStore } from '../../../src/data/store.ts';
import { fileSeen, SEEN_ID } from '../../support/seen-listing.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const daysFrom = (fromMs: number, days: number): readonly number[] =>
  Array.from({ length: days }, (_, day) => fromMs + day * DAY_MS);

test('a service compacts when the oldest row is ten days old, and ends with its stop', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const clock = createVirtualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const background = createBackground(onError);
  const retention = { observationDays: null, barYears: null };
  const startMs = clock.now();
  await fileSeen(store, daysFrom(startMs, 11));
  keepCompact({ sql: store.sql, retention, clock, background, onError });
  const recentRows = async () =>
    Number((await store.sql.all('select count(*) as n from observations'))[0]?.['n']);
  /** Advances time while something runs; each step waits for a commit of the store. */
  const pass = async (ms: number, done: () => Promise<boolean>) => {
    for (let left = ms; left > 0 && !(await done()); left -= HOUR_MS) {
      await clock.advance(HOUR_MS);
      await store.sql.probe();
    }
  };
  await pass(10 * DAY_MS + 12 * HOUR_MS, async () => (await recentRows()) < 11);
  assert.equal(await recentRows(), 11, 'ten days are not complete yet');
  await pass(2 * DAY_MS, async () => (await recentRows()) < 11);
  assert.equal(await recentRows(), 3);
  assert.equal((await store.observations.findSince(SEEN_ID, 0)).observations.length, 11);
  await background.stop();
  assert.equal(clock.sleepers, 0);
  assert.deepEqual(errors, []);
});
