// Shops that refuse, over all processes: five failures in a row, then a pause that doubles, on both databases.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openTestStore } from '../support/stores.ts';

const HOST = 'shop.example';
const MINUTE = 60_000;

test('five failures in a row pause a host for a minute, then twice as long each, at most 15 minutes', async () => {
  await using store = await openTestStore();
  const { find, failed, answered } = store.hostPauses;
  let now = 1_000_000;
  assert.equal(await find(HOST, now), null);
  for (let count = 1; count <= 4; count += 1) {
    await failed(HOST, 0, now);
    assert.deepEqual(await find(HOST, now), { leftMs: 0 });
  }
  for (const minutes of [1, 2, 4, 8, 15, 15]) {
    await failed(HOST, 0, now);
    assert.deepEqual(await find(HOST, now), { leftMs: minutes * MINUTE });
    now += minutes * MINUTE;
    assert.deepEqual(await find(HOST, now), { leftMs: 0 });
  }
  await answered(HOST);
  assert.equal(await find(HOST, now), null);
});

test('a pause that the shop asked for holds from the first failure, and a shorter one does not end it', async () => {
  await using store = await openTestStore();
  const { find, failed, sweep } = store.hostPauses;
  await failed(HOST, 10 * MINUTE, 1_000_000);
  assert.deepEqual(await find(HOST, 1_000_000), { leftMs: 10 * MINUTE });
  await failed(HOST, 0, 1_000_000 + MINUTE);
  assert.deepEqual(await find(HOST, 1_000_000 + MINUTE), { leftMs: 9 * MINUTE });
  await sweep(1_000_000 + 3 * 86_400_000);
  assert.equal(await find(HOST, 1_000_000), null);
});

test('a clock that was set back begins a pause again and lengthens none', async () => {
  await using store = await openTestStore();
  const { find, failed } = store.hostPauses;
  const hour = 60 * MINUTE;
  for (let count = 0; count < 5; count += 1) await failed(HOST, 0, 2 * hour);
  assert.deepEqual(await find(HOST, hour), { leftMs: MINUTE });
  assert.deepEqual(await find(HOST, hour + MINUTE), { leftMs: 0 });
});

test('a slot or a lease from before the clock was set back holds nobody up', async () => {
  await using store = await openTestStore();
  const hour = 60 * MINUTE;
  await store.hostSlots.take(HOST, 1_000, 2 * hour, 2 * hour + 10_000);
  const slot = await store.hostSlots.take(HOST, 1_000, hour, hour + 10_000);
  assert.deepEqual(slot, { isTaken: true, atMs: hour });
  assert.equal(await store.leases.take({ name: 'work', token: 'a' }, 'one', 2 * hour), true);
  assert.equal(await store.leases.isHeld('work', hour), false);
  assert.equal(await store.leases.take({ name: 'work', token: 'b' }, 'two', hour), true);
});
