import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS, monthOf, nextMonthStartMs } from '../../../src/base/clock.ts';
import { FaultError, type Fault } from '../../../src/base/fault.ts';
import { newCallId } from '../../../src/data/metering/meter.ts';
import type { Reservation } from '../../../src/data/metering/reservation.ts';
import { createMetering } from '../../../src/data/metering/metering.ts';
import { grantTokens, RESERVED_MS } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import type { Sql } from '../../../src/data/sql.ts';
import { findMonthUsage } from '../../../src/data/accounts/usage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { LOOP, NOON, openMeteredService } from './metered-service.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';

const ROUTE = 'GET /v1/products/{id}';
let requests = 0;

function call(tokens: number, forced = false) {
  requests += 1;
  return { requestId: `r${requests}`, route: ROUTE, tokens, forced };
}

function stored(maxTokens: number, forced = false) {
  const { tokens, ...rest } = call(maxTokens, forced);
  return { ...rest, maxTokens: tokens };
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FaultError, String(error));
  return error.fault;
}

/** Returns every row of every table but the throttles and the heartbeat. */
async function contentOf(sql: Sql): Promise<Record<string, unknown>> {
  const tables = ['organizations', 'api_keys', 'balances', 'ledger', 'reservations', 'listings'];
  const rows = tables.map(async (table) => [
    table,
    await sql.all(`select * from ${table} order by 1`),
  ]);
  return Object.fromEntries((await Promise.all(rows)) as [string, unknown][]);
}

test('a billed call is one debit and one row of the ledger, durable when it resolves', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store } = service;
  const charged = await metering.charge(caller, { ...call(6), requestId: 'first' });
  assert.deepEqual([charged.consumed, charged.remaining], [6, 94]);
  assert.equal(await metering.remaining(caller), 94);
  const rows = await store.sql.all('select * from ledger');
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      {
        request_id: 'first',
        organization_id: caller.organizationId,
        key_id: caller.keyId,
        month: '2026-03',
        kind: 'charge',
        tokens: 6,
        balance_after: 94,
        route: ROUTE,
        at_ms: NOON,
      },
    ],
  );
  assert.deepEqual(await findMonthUsage(store.sql, 'acme', NOON), {
    organization: 'acme',
    month: '2026-03',
    tokensUsed: 6,
    tokensRemaining: 94,
    calls: 1,
  });
  assert.equal(await findMonthUsage(store.sql, 'nobody', NOON), null);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('one token left and a thousand calls at once: exactly one is answered', async () => {
  await using service = await openMeteredService({ monthlyQuota: 1 });
  const { metering, caller, store } = service;
  const results = await Promise.allSettled(
    Array.from({ length: 1_000 }, () => metering.charge(caller, call(1))),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const each of results) {
    if (each.status === 'fulfilled') continue;
    assert.equal((each.reason as FaultError).fault.code, 'quota_exceeded');
  }
  assert.equal((await store.sql.all('select * from ledger')).length, 1);
  assert.equal(await metering.remaining(caller), 0);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a call larger than the rest is refused and leaves no trace; a smaller one passes', async () => {
  await using service = await openMeteredService({ monthlyQuota: 5, throttleBurst: 10 });
  const { metering, caller, store, clock } = service;
  const before = await contentOf(store.sql);
  for (const work of [
    () => metering.charge(caller, call(6)),
    () => metering.reserve(caller, stored(6)),
  ]) {
    const fault = await faultOf(work());
    assert.equal(fault.code, 'quota_exceeded');
    assert.equal(fault.retryAfterSeconds, (nextMonthStartMs(clock.now()) - NOON) / 1_000);
  }
  assert.deepEqual(await contentOf(store.sql), before);
  assert.deepEqual(await store.sql.all('select * from throttles'), [], 'no limit was consumed');
  assert.equal((await metering.charge(caller, call(5))).remaining, 0);
});

test('released and swept reservations leave the store as it was', async () => {
  await using service = await openMeteredService();
  const { metering, caller, store, clock } = service;
  const before = await contentOf(store.sql);
  const reservation = await metering.reserve(caller, stored(11));
  assert.equal(await metering.remaining(caller), 1_000_000 - 11);
  assert.equal(await reservation.release(), 1_000_000);
  assert.deepEqual(await contentOf(store.sql), before);

  await metering.reserve(caller, stored(9));
  clock.advance(RESERVED_MS - 1);
  assert.equal(await metering.sweep(), 0);
  clock.advance(1);
  assert.equal(await metering.sweep(), 1);
  assert.deepEqual(await contentOf(store.sql), before);
});

test('what calls have set aside comes back also where the clock was set back since', async () => {
  await using service = await openMeteredService();
  const { metering, caller, store, clock } = service;
  clock.advance(DAY_MS);
  await metering.reserve(caller, stored(9));
  clock.set(NOON);
  assert.equal(await metering.sweep(), 0, 'it may be of a call that still runs');
  clock.advance(RESERVED_MS);
  assert.equal(await metering.sweep(), 1);
  assert.deepEqual(await store.sql.all('select * from reservations'), []);
  assert.equal(await metering.remaining(caller), 1_000_000);
});

test('settling spends what it did cost and frees the rest', async () => {
  await using service = await openMeteredService({ monthlyQuota: 20 });
  const { metering, caller, store } = service;
  const reservation = await metering.reserve(caller, stored(11));
  const refused = await faultOf(metering.reserve(caller, stored(10)));
  assert.deepEqual([refused.code, refused.retryAfterSeconds], ['quota_exceeded', 1]);
  assert.match(refused.detail, /calls that are still running/);
  const charged = await reservation.settle(1);
  assert.deepEqual([charged.consumed, charged.remaining], [1, 19]);
  assert.deepEqual(await store.sql.all('select * from reservations'), []);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('settle and release: exactly one wins, however often they are called', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store } = service;
  const settled = await metering.reserve(caller, stored(5));
  const answers = await Promise.all([settled.settle(3), settled.settle(5), settled.release()]);
  assert.deepEqual([answers[0].consumed, answers[1].consumed, answers[2]], [3, 3, 97]);
  assert.equal((await settled.settle(1)).consumed, 3);

  const released = await metering.reserve(caller, stored(5));
  const [freed, again] = await Promise.all([released.release(), released.release()]);
  assert.deepEqual([freed, again], [97, 97]);
  await assert.rejects(released.settle(5), /was released/);

  const nothing = await metering.reserve(caller, stored(5));
  assert.deepEqual([(await nothing.settle(0)).consumed, await nothing.release()], [0, 97]);

  const much = await metering.reserve(caller, stored(5));
  await assert.rejects(much.settle(6), RangeError);
  await assert.rejects(much.settle(0.5), RangeError);
  assert.equal(await much.release(), 97);
  assert.equal((await store.sql.all('select * from ledger')).length, 1);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a call that outlived its reservation is not billed and must not be answered', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store, clock } = service;
  const reservation = await metering.reserve(caller, stored(5));
  clock.advance(RESERVED_MS);
  assert.equal(await metering.sweep(), 1);
  const fault = await faultOf(reservation.settle(5));
  assert.equal(fault.code, 'overloaded');
  assert.equal(await reservation.release(), 100);
  assert.deepEqual(await store.sql.all('select * from ledger'), []);
});

test('the throttle refuses with the second in which it would admit', async () => {
  await using service = await openMeteredService({ throttlePerMinute: 6, throttleBurst: 3 });
  const { metering, caller, clock, store } = service;
  for (let n = 0; n < 3; n += 1) await metering.charge(caller, call(1));
  clock.advance(2_500);
  const fault = await faultOf(metering.charge(caller, call(1)));
  assert.deepEqual([fault.code, fault.retryAfterSeconds], ['throttled', 8]);
  assert.equal((await faultOf(metering.charge(caller, call(0)))).code, 'throttled');
  clock.advance(7_499);
  assert.equal((await faultOf(metering.reserve(caller, stored(1)))).code, 'throttled');
  clock.advance(1);
  await metering.charge(caller, call(1));
  assert.equal((await store.sql.all('select * from ledger')).length, 4);
});

test('a settlement that was written is reported even if the limits cannot be read afterwards', async () => {
  await using service = await openMeteredService({ monthlyQuota: 9 });
  const { caller, store, clock } = service;
  let canRead = true;
  const sql: Sql = {
    ...store.sql,
    all: (...asked) =>
      canRead ? store.sql.all(...asked) : Promise.reject(new StoreUnavailable('the store is away')),
  };
  const metering = createMetering({ accounts: store.accounts, sql, clock, loop: LOOP });
  for (const tokens of [3, 0]) {
    canRead = true;
    const reservation = await metering.reserve(caller, stored(5));
    canRead = false;
    const { consumed, remaining, rateLimit } = await reservation.settle(tokens);
    assert.deepEqual([consumed, remaining], [tokens, 6]);
    assert.match(rateLimit.state, /^"throttle";r=\d+;t=\d+, "quota";r=6;t=\d+$/);
  }
});

test('who spares a part of the burst never gives it back to the others', async () => {
  // More than a minute's rate above the share: as far ahead as a time that was stored before the clock was set back.
  const [throttlePerMinute, throttleBurst] = [60, 600];
  await using service = await openMeteredService({ throttlePerMinute, throttleBurst });
  const { metering, caller } = service;
  const sparing = { ...caller, throttleSpared: throttleBurst / 4 };
  const admitted = async (by: typeof caller, calls: number) => {
    const charges = Array.from({ length: calls }, () => metering.charge(by, call(1)));
    const ended = await Promise.allSettled(charges);
    return ended.filter(({ status }) => status === 'fulfilled').length;
  };
  assert.equal(await admitted(sparing, throttleBurst), (throttleBurst * 3) / 4);
  assert.equal(await admitted(caller, throttleBurst), throttleBurst / 4);
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await admitted(sparing, 1), 0);
    assert.equal(await admitted(caller, 1), 0);
  }
});

test('free calls are throttled and bill nothing', async () => {
  await using service = await openMeteredService({ monthlyQuota: 7, throttleBurst: 2 });
  const { metering, caller, store, clock } = service;
  clock.set(NOON);
  const charged = await metering.charge({ ...caller, throttlePerMinute: 1 }, call(0));
  assert.deepEqual([charged.consumed, charged.remaining], [0, 7]);
  assert.deepEqual(await store.sql.all('select * from ledger'), []);
  assert.deepEqual(await store.sql.all('select * from balances'), []);
  assert.match(charged.rateLimit.state, /^"throttle";r=1;t=60, "quota";r=7;t=\d+$/);
});

test('the 101st forced refresh of a minute is refused and consumes no limit at all', async () => {
  await using service = await openMeteredService({ throttlePerMinute: 600, throttleBurst: 1_200 });
  const { metering, caller } = service;
  for (let n = 0; n < 100; n += 1) await metering.charge(caller, call(1, true));
  const before = await metering.rateLimit(caller);
  const fault = await faultOf(metering.reserve(caller, stored(9, true)));
  assert.deepEqual([fault.code, fault.retryAfterSeconds], ['force_refresh_limit', 60]);
  assert.deepEqual(await metering.rateLimit(caller), before);
  assert.equal((await metering.charge(caller, call(1))).consumed, 1, 'others go on');
});

test('the limits of one organization are not those of another', async () => {
  await using service = await openMeteredService({ monthlyQuota: 1, throttleBurst: 1 });
  const { metering, caller, addCaller } = service;
  const other = await addCaller({ name: 'globex', monthlyQuota: 3 });
  await metering.charge(caller, call(1));
  assert.equal((await faultOf(metering.charge(caller, call(1)))).code, 'throttled');
  assert.equal((await metering.charge(other.caller, call(1))).remaining, 2);
});

test('the header fields say where each limit stands, without consuming', async () => {
  await using service = await openMeteredService({
    monthlyQuota: 1_000,
    throttlePerMinute: 600,
    throttleBurst: 1_200,
  });
  const { metering, caller, clock } = service;
  clock.set(Date.parse('2026-02-28T23:59:30Z'));
  const whole = {
    policy:
      '"throttle";q=1200;w=120, "force-refresh";q=100;w=60, "quota";q=1000;w=2419200;qu="tokens"',
    state: '"throttle";r=1200;t=0, "force-refresh";r=100;t=0, "quota";r=1000;t=30',
  };
  assert.deepEqual(await metering.rateLimit(caller), whole);
  assert.deepEqual(await metering.rateLimit(caller), whole);
  const charged = await metering.charge(caller, call(9, true));
  assert.equal(
    charged.rateLimit.state,
    '"throttle";r=1199;t=1, "force-refresh";r=99;t=60, "quota";r=991;t=30',
  );
  assert.deepEqual(await metering.rateLimit(caller), charged.rateLimit);
});

test('every month starts again at 00:00 UTC, fifty months on end', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, clock, store } = service;
  for (let month = 0; month < 50; month += 1) {
    await metering.charge(caller, call(10));
    const end = nextMonthStartMs(clock.now());
    clock.set(end - 1);
    const fault = await faultOf(metering.charge(caller, call(1)));
    assert.deepEqual([fault.code, fault.retryAfterSeconds], ['quota_exceeded', 1]);
    clock.set(end);
    assert.equal(await metering.remaining(caller), 10);
  }
  assert.equal((await store.sql.all('select month from balances')).length, 50);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a call that runs over the end of a month is charged to that month and states what is left of the next', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, store, clock } = service;
  const request = { key: 'new year', fingerprint: 'f' };
  const answer = { status: 200, body: '{}' };
  const ends: readonly ((call: Reservation) => Promise<unknown>)[] = [
    async (running) => (await running.settle(2)).remaining,
    async (running) => (await running.settle(0)).remaining,
    (running) => running.release(),
    async (running) => {
      await running.settle(2, answer);
      return (await metering.findReplay(caller, request))?.tokensRemaining;
    },
  ];
  await metering.charge(caller, call(1));
  const calls = [];
  for (const end of ends) {
    const idempotency = end === ends.at(-1) ? request : undefined;
    calls.push({ end, running: await metering.reserve(caller, { ...stored(2), idempotency }) });
  }
  clock.set(nextMonthStartMs(clock.now()));
  for (const { end, running } of calls) assert.equal(await end(running), 10);
  assert.equal(await metering.remaining(caller), 10);
  const [row] = await store.sql.all(
    'select month, cast(sum(tokens) as bigint) as tokens from ledger group by month',
  );
  assert.deepEqual({ ...row }, { month: monthOf(NOON), tokens: 5 });
  assert.deepEqual(await checkStore(store.sql), []);
});

test('grants and a changed quota count within the running month, never below what was spent', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, store, clock } = service;
  const { organizationId } = caller;
  await metering.charge(caller, call(8));
  const grant = { organizationId, tokens: 5, requestId: 'g1', nowMs: clock.now() };
  assert.deepEqual(await grantTokens(store.sql, grant), { remaining: 7, allowance: 15 });
  await store.accounts.upsertOrganization({ name: 'acme', monthlyQuota: 100 }, clock.now());
  assert.equal(await metering.remaining(caller), 97);
  await store.accounts.upsertOrganization({ name: 'acme', monthlyQuota: 1 }, clock.now());
  assert.equal(await metering.remaining(caller), 0);
  assert.equal((await faultOf(metering.charge(caller, call(1)))).code, 'quota_exceeded');
  clock.advance(31 * DAY_MS);
  assert.equal(await metering.remaining(caller), 1);
  assert.deepEqual(await checkStore(store.sql), []);
  await assert.rejects(grantTokens(store.sql, { ...grant, tokens: 0 }), RangeError);
  await assert.rejects(grantTokens(store.sql, { ...grant, organizationId: 'x' }), RangeError);
});

test('ids of calls are unique and sort by time', () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => newCallId(NOON + Math.floor(n / 10)));
  assert.equal(new Set(ids).size, 1_000);
  const times = ids.map((id) => id.slice(0, 9));
  assert.deepEqual(times, times.toSorted());
  assert.ok(newCallId(0) < newCallId(NOON) && newCallId(NOON) < newCallId(8_640_000_000_000_000));
});

test('a request id is billed once', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, store } = service;
  await metering.charge(caller, { ...call(1), requestId: 'same' });
  await assert.rejects(metering.charge(caller, { ...call(1), requestId: 'same' }), /unique/i);
  assert.equal(await metering.remaining(caller), 9);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('where calls cannot be recorded none is served: 503 with Retry-After', async () => {
  await using service = await openMeteredService();
  const { store, clock, caller } = service;
  const broken: Sql = {
    ...store.sql,
    write: () => Promise.reject(new StoreUnavailable('disk full')),
    all: () => Promise.reject(new StoreUnavailable('disk full')),
  };
  const metering = createMetering({ accounts: store.accounts, sql: broken, clock });
  for (const work of [
    () => metering.charge(caller, call(1)),
    () => metering.charge(caller, call(0)),
    () => metering.reserve(caller, stored(1)),
    () => metering.remaining(caller),
    () => metering.rateLimit(caller),
  ]) {
    const fault = await faultOf(work());
    assert.deepEqual([fault.code, fault.retryAfterSeconds], ['overloaded', 5]);
    assert.ok(!fault.detail.includes('disk'));
  }
});

test('the day of the last billed call is noted by the sweep, not by the call', async () => {
  await using service = await openMeteredService();
  const { metering, caller, store, clock } = service;
  const lastUsed = async () => (await store.accounts.findKey(caller.keyId))?.key.lastUsedDay;
  await metering.charge(caller, call(1));
  assert.equal(await lastUsed(), null);
  await metering.sweep();
  assert.equal(await lastUsed(), '2026-03-14');
  clock.advance(DAY_MS);
  await (await metering.reserve(caller, stored(1))).settle(1);
  await metering.sweep();
  assert.equal(await lastUsed(), '2026-03-15');
});

test('no secret of a key is in any file of the store', async () => {
  using folder = temporaryFolder();
  await using service = await openMeteredService({}, join(folder.path, 'openshelf.sqlite'));
  const { metering, caller, key, addCaller } = service;
  const other = await addCaller({ name: 'globex' });
  await metering.charge(caller, call(1));
  await metering.charge(other.caller, call(1));
  const files = readdirSync(folder.path);
  assert.ok(files.length >= 2, files.join(', '));
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder.path, name))));
  assert.ok(bytes.includes(caller.keyId), 'the public id is there');
  for (const text of [key, other.key]) {
    assert.equal(bytes.includes(text.slice(18, 50)), false);
    assert.equal(bytes.includes(text), false);
  }
});

test('many calls at once share few commits', async () => {
  await using service = await openMeteredService();
  const { metering, caller, store } = service;
  const before = store.sql.commits();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (let n = 0; n < 20; n += 1) await metering.charge(caller, call(1));
    }),
  );
  const commits = store.sql.commits() - before;
  assert.ok(commits <= 64, `${commits} commits for 1,280 charges`);
  assert.equal(await metering.remaining(caller), 1_000_000 - 1_280);
  assert.deepEqual(await checkStore(store.sql), []);
});
