// Exclusive work under one name by several processes over one store. Each process is its own instance; the test controls
// the clock.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { createExclusiveWork } from '../../../src/answer/collect/coordination/exclusive-work.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';
import type { Store } from '../../../src/data/store.ts';
import { openTestStore } from '../../support/stores.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { contextOf } from '../../support/contexts.ts';

/** How long a lease lasts that nobody extends. */
const LEASE_MS = 8_000;

function processOver(store: Store, clock: VirtualClock) {
  const onError = (what: string, error: unknown) => assert.fail(`${what}: ${String(error)}`);
  return createExclusiveWork({ leases: store.leases, clock, newId: randomUUID, onError });
}

/** Advances time in small steps, each with a commit, until a promise has settled. */
async function passing<T>(store: Store, clock: VirtualClock, promise: Promise<T>): Promise<T> {
  const state = { hasEnded: false };
  void promise.finally(() => (state.hasEnded = true));
  for (let step = 0; step < 2_000 && !state.hasEnded; step += 1) {
    await store.sql.probe();
    await clock.advance(50);
  }
  return await promise;
}

const NEVER = new AbortController().signal;

test('of many processes one works at a time, and each gets its turn', async () => {
  await using store = await openTestStore();
  const clock = createVirtualClock();
  let [under, most] = [0, 0];
  const work = async () => {
    under += 1;
    most = Math.max(most, under);
    await clock.sleep(300);
    under -= 1;
    return 'done';
  };
  const all = Array.from({ length: 5 }, () =>
    processOver(store, clock).inTurn('a', contextOf(NEVER), work),
  );
  const results = await passing(store, clock, Promise.all(all));
  assert.deepEqual(
    results,
    Array.from({ length: 5 }, () => ({ ran: true, value: 'done' })),
  );
  assert.equal(most, 1);
});

test('work that takes longer than a lease keeps it', async () => {
  await using store = await openTestStore();
  const clock = createVirtualClock();
  let isUnder = false;
  const long = processOver(store, clock).inTurn('a', contextOf(NEVER), async () => {
    isUnder = true;
    await clock.sleep(LEASE_MS * 5);
    isUnder = false;
  });
  await store.sql.probe();
  const second = processOver(store, clock).inTurn('a', contextOf(NEVER), () =>
    Promise.resolve(isUnder),
  );
  const [, seen] = await passing(store, clock, Promise.all([long, second]));
  assert.deepEqual(seen, { ran: true, value: false });
});

test('a lease of a process that died is taken by another one when it expires, not before', async () => {
  await using store = await openTestStore();
  const clock = createVirtualClock();
  assert.ok(await store.leases.take({ name: 'a', token: 'dead' }, 'dead', clock.now()));
  const one = processOver(store, clock);
  const none = await one.ifFree('a', () => Promise.resolve(1));
  assert.deepEqual(none, { ran: false });
  const diedMs = clock.now();
  const turn = one.inTurn('a', contextOf(NEVER), () => Promise.resolve(clock.now() - diedMs));
  const ran = await passing(store, clock, turn);
  assert.ok(ran.ran && ran.value >= LEASE_MS && ran.value < LEASE_MS * 2);
});

test('a process that waits past its deadline does not do the work', async () => {
  await using store = await openTestStore();
  const clock = createVirtualClock();
  await store.leases.take({ name: 'a', token: 'other' }, 'other', clock.now());
  const deadline = new AbortController();
  const waiting = processOver(store, clock).inTurn('a', contextOf(deadline.signal), () =>
    assert.fail('it ran'),
  );
  await store.sql.probe();
  await clock.advance(10);
  deadline.abort();
  assert.deepEqual(await passing(store, clock, waiting), { ran: false });
});

test('a process that lost its lease cannot release the next holder’s', async () => {
  await using store = await openTestStore();
  await store.leases.take({ name: 'a', token: 'first' }, 'one', 0);
  assert.ok(await store.leases.take({ name: 'a', token: 'second' }, 'two', LEASE_MS));
  await store.leases.release({ name: 'a', token: 'first' });
  assert.equal(await store.leases.isTaken('a', LEASE_MS), true);
  await store.leases.release({ name: 'a', token: 'second' });
  assert.equal(await store.leases.isTaken('a', LEASE_MS), false);
});

test('a lease that could not be released, or whose taking was not acknowledged, ends though its process works on', async () => {
  await using store = await openTestStore();
  const clock = createVirtualClock();
  const away = new StoreUnavailable('the database is away');
  let isAway = false;
  const leases: typeof store.leases = {
    ...store.leases,
    take: async (...args) => {
      const isTaken = await store.leases.take(...args);
      if (args[0].name === 'unacknowledged') throw away;
      return isTaken;
    },
    release: (lease) => (isAway ? Promise.reject(away) : store.leases.release(lease)),
  };
  const one = createExclusiveWork({ leases, clock, newId: randomUUID, onError: () => undefined });
  const busy = one.inTurn('other', contextOf(NEVER), () => clock.sleep(LEASE_MS * 5));
  await store.sql.probe();
  isAway = true;
  await one.ifFree('unreleased', () => Promise.resolve());
  isAway = false;
  await assert.rejects(
    one.ifFree('unacknowledged', () => Promise.resolve()),
    away,
  );
  const other = processOver(store, clock);
  const sinceMs = clock.now();
  const names = ['unreleased', 'unacknowledged'];
  const turns = names.map((name) =>
    other.inTurn(name, contextOf(NEVER), () => Promise.resolve(clock.now() - sinceMs)),
  );
  for (const ran of await passing(store, clock, Promise.all(turns))) {
    assert.ok(ran.ran && ran.value <= LEASE_MS + 200, JSON.stringify(ran));
  }
  assert.equal((await other.ifFree('other', () => Promise.resolve())).ran, false);
  await passing(store, clock, busy);
});
