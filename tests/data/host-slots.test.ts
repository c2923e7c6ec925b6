import assert from 'node:assert/strict';
import { test } from 'node:test';

import { waitForSlot } from '../../src/egress/pacing/shared-pace.ts';
import { manualClock } from '../support/manual-clock.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';
import { openTestStore } from '../support/stores.ts';
import { CALLER, contextOf } from '../support/contexts.ts';

const HOST = 'shop.example';

test('however many requests to a host come at once, they begin at least an interval apart', async (t) => {
  const seed = seedOf(31);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using store = await openTestStore();
  let now = 1_000_000;
  const begun: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    now += integerBelow(random, 3_000);
    const askers = Array.from({ length: 1 + integerBelow(random, 3) }, () =>
      store.hostSlots.take(HOST, 1_000, now, now + 5_000),
    );
    for (const { isTaken, atMs } of await Promise.all(askers)) {
      if (!isTaken) assert.ok(atMs > now + 5_000, 'only a slot that comes too late is refused');
      else {
        assert.ok(atMs >= now);
        begun.push(atMs);
      }
    }
  }
  begun.sort((a, b) => a - b);
  for (const [index, atMs] of begun.entries()) {
    assert.ok(index === 0 || atMs - (begun[index - 1] ?? 0) >= 1_000, `slot ${index}`);
  }
  await store.hostSlots.sweep(now + 60_000);
  assert.deepEqual(await store.sql.all('select host from host_slots'), []);
});

test('an operation begins no more often than its rate and burst allow, in any span of time', async (t) => {
  const seed = seedOf(32);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using store = await openTestStore();
  const rate = { name: 'shop.api list', intervalMs: 500, burst: 3 };
  let now = 1_000_000;
  const begun: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    now += integerBelow(random, 4_000);
    const askers = Array.from({ length: 1 + integerBelow(random, 6) }, () =>
      store.hostSlots.takeOf(rate, now, now + 2_000),
    );
    const slots = await Promise.all(askers);
    for (const { isTaken, atMs } of slots) {
      if (isTaken) begun.push(atMs);
      assert.ok(atMs >= now && isTaken === atMs <= now + 2_000);
    }
  }
  begun.sort((a, b) => a - b);
  for (const [index, fromMs] of begun.entries()) {
    for (const [later, atMs] of begun.slice(index).entries()) {
      assert.ok(later + 1 <= rate.burst + (atMs - fromMs) / rate.intervalMs, `${index} ${later}`);
    }
  }
  // After a quiet time the whole burst is there again, and nothing more.
  const quiet = now + 600_000;
  const again = [];
  for (let call = 0; call < 4; call += 1) {
    again.push((await store.hostSlots.takeOf(rate, quiet, Number.POSITIVE_INFINITY)).atMs - quiet);
  }
  assert.deepEqual(again, [0, 0, 0, 500]);
});

test('a request waits for its slot; when the slot comes too late, it fails with the wait', async () => {
  await using store = await openTestStore();
  const clock = manualClock(1_000_000);
  const takeSlot = (host: string, intervalMs: number, untilMs: number) =>
    store.hostSlots.take(host, intervalMs, clock.now(), untilMs);
  const paced = (intervalMs: number) =>
    waitForSlot(
      takeSlot,
      clock,
      { host: HOST, intervalMs },
      contextOf(new AbortController().signal, CALLER, clock.now() + 10_000),
    );
  assert.equal(await paced(3_000), null);
  assert.equal(clock.now(), 1_000_000);
  assert.equal(await paced(20_000), null);
  assert.equal(clock.now(), 1_003_000, 'it waited');
  const late = await paced(1_000);
  assert.deepEqual([late?.kind, late?.retryAfterSeconds], ['busy', 20]);
});
