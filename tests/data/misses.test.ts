import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { deleteMiss, upsertMiss } from '../../src/data/answers/misses.ts';
import { openTestStore } from '../support/stores.ts';

const START = Date.parse('2026-03-14T12:00:00Z');
const GONE = { detail: 'gone', upstream: null };

test('a miss is kept for a day, forgotten by the sweep after that', async () => {
  await using store = await openTestStore();
  await store.sql.write(upsertMiss('a page', GONE, START));
  const stored = { ...GONE, notedAtMs: START };
  assert.deepEqual(await store.misses.findMiss('a page', START + DAY_MS - 1), stored);
  assert.equal(await store.misses.findMiss('a page', START + DAY_MS), null);
  assert.equal(await store.misses.findMiss('another page', START), null);
  await store.misses.sweep(START + DAY_MS + MINUTE_MS - 1);
  assert.deepEqual(await store.misses.findMiss('a page', START), stored);
  await store.misses.sweep(START + DAY_MS + MINUTE_MS);
  assert.equal(await store.misses.findMiss('a page', START), null);
});

test('a miss that a clock noted that was set back since is not one, and is replaced', async () => {
  await using store = await openTestStore();
  await store.sql.write(upsertMiss('a page', GONE, START + 900 * DAY_MS));
  assert.equal(await store.misses.findMiss('a page', START), null);
  await store.sql.write(upsertMiss('a page', GONE, START + 1));
  assert.deepEqual(await store.misses.findMiss('a page', START), { ...GONE, notedAtMs: START + 1 });
});

test('an older miss never replaces a newer one, and what was found forgets both', async () => {
  await using store = await openTestStore();
  const newer = { detail: 'no product', upstream: 'not_a_product' } as const;
  await store.sql.write(upsertMiss('a page', newer, START + 1));
  await store.sql.write(upsertMiss('a page', GONE, START));
  assert.deepEqual(await store.misses.findMiss('a page', START), {
    ...newer,
    notedAtMs: START + 1,
  });
  await store.sql.write(deleteMiss('a page'));
  assert.equal(await store.misses.findMiss('a page', START), null);
});
