// A lowered quota and granted tokens while calls have tokens reserved: what is released when these end.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { monthOf } from '../../../src/base/clock.ts';
import type { Reservation } from '../../../src/data/metering/reservation.ts';
import {
  findUsage,
  grantTokens,
  RESERVED_MS,
  sweepReservations,
} from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { newStorePlace, storeAt } from '../../support/stores.ts';
import { openMeteredService } from './metered-service.ts';

const ROUTE = 'GET /v1/products/{id}';
let requests = 0;
const newId = () => `r${(requests += 1)}`;
const call = (tokens: number) => ({ requestId: newId(), route: ROUTE, tokens });
const stored = (maxTokens: number) => ({ requestId: newId(), route: ROUTE, maxTokens });

test('of a quota that is lowered while calls hold tokens nothing is left to spend when they end', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store, clock } = service;
  const lower = (monthlyQuota: number) =>
    store.accounts.upsertOrganization({ name: 'acme', monthlyQuota }, clock.now());
  await metering.charge(caller, call(8));
  const calls = [];
  for (const tokens of [20, 10, 5]) calls.push(await metering.reserve(caller, stored(tokens)));
  const [settled, released, swept] = calls;
  await lower(30);
  assert.equal(await metering.remaining(caller), 0);
  assert.equal((await settled?.settle(3))?.remaining, 4, 'of 30: 8 and 3 spent, 15 set aside');
  assert.equal(await released?.release(), 14);
  await lower(2);
  assert.equal(await metering.remaining(caller), 0);
  clock.advance(RESERVED_MS + 1);
  assert.equal(await sweepReservations(store.sql, clock.now()), 1);
  assert.equal(await metering.remaining(caller), 0);
  await assert.rejects(metering.charge(caller, call(1)), /do not cover/);
  await assert.rejects(async () => swept?.settle(1));
  const { allowance, used } = await findUsage(store.sql, {
    organizationId: caller.organizationId,
    month: monthOf(clock.now()),
  });
  assert.deepEqual([allowance, used], [11, 11]);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('tokens are free, spent or of nobody by one rule, whatever is granted and lowered while calls end in any order', async (t) => {
  const seed = seedOf(24);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store, clock } = service;
  const { organizationId } = caller;
  type Running = { readonly quota: number; readonly tokens: number; readonly ends: Reservation };
  let calls: readonly Running[] = [];
  let quota = 100;
  let free = 100;
  /** Tokens of the month beyond a lowered quota that were spent or reserved before. */
  let above = 0;
  const giveBack = (running: Running, tokens: number) => {
    const nobodys = running.quota > quota ? Math.min(tokens, above) : 0;
    above -= nobodys;
    free += tokens - nobodys;
  };
  const acts: readonly (() => Promise<unknown>)[] = [
    async () => {
      const tokens = 1 + integerBelow(random, 20);
      if (tokens > free) return await assert.rejects(metering.charge(caller, call(tokens)));
      free -= tokens;
      assert.equal((await metering.charge(caller, call(tokens))).remaining, free);
    },
    async () => {
      const tokens = 1 + integerBelow(random, 20);
      if (tokens > free) return await assert.rejects(metering.reserve(caller, stored(tokens)));
      free -= tokens;
      const ends = await metering.reserve(caller, stored(tokens));
      calls = [...calls, { quota, tokens, ends }];
    },
    async () => {
      const running = calls[integerBelow(random, calls.length)];
      if (running === undefined) return;
      calls = calls.filter((each) => each !== running);
      const spent = integerBelow(random, running.tokens + 1);
      giveBack(running, running.tokens - spent);
      const end = spent === 0 ? running.ends.release() : running.ends.settle(spent);
      const answered = await end;
      assert.equal(typeof answered === 'number' ? answered : answered.remaining, free);
    },
    async () => {
      for (const running of calls) giveBack(running, running.tokens);
      calls = [];
      clock.advance(RESERVED_MS + 1);
      await sweepReservations(store.sql, clock.now());
    },
    async () => {
      const before = quota + above;
      quota = integerBelow(random, 150);
      await store.accounts.upsertOrganization({ name: 'acme', monthlyQuota: quota }, clock.now());
      // Free tokens are reduced first.
      const least = Math.max(quota, before - free);
      free += least - before;
      above = least - quota;
    },
    async () => {
      const tokens = 1 + integerBelow(random, 30);
      const grant = { organizationId, tokens, requestId: newId(), nowMs: clock.now() };
      await grantTokens(store.sql, grant);
      free += tokens;
    },
  ];
  for (let step = 0; step < 300; step += 1) {
    await acts[Math.floor(random() ** 1.5 * acts.length)]?.();
    assert.equal(await metering.remaining(caller), free, `step ${step}`);
  }
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a quota that another process lowers in the instant in which a call ends leaves nothing to spend', async () => {
  await using place = await newStorePlace();
  await using service = await openMeteredService({ monthlyQuota: 100 }, place.name);
  await using other = await storeAt(place.name);
  const { metering, caller, clock } = service;
  const set = (monthlyQuota: number) =>
    other.accounts.upsertOrganization({ name: 'acme', monthlyQuota }, clock.now());
  await metering.charge(caller, call(50));
  for (let round = 0; round < 20; round += 1) {
    const running = await metering.reserve(caller, stored(20));
    await Promise.all([set(10), running.release()]);
    assert.equal(await metering.remaining(caller), 0, `round ${round}`);
    await set(100);
  }
});
