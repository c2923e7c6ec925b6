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
