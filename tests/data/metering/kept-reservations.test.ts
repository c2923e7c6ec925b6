// Reservations last as long as their process: a living one renews them, those of a killed or stopped one are freed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError } from '../../../src/base/fault.ts';
import { RENEW_EVERY_MS, RESERVED_MS } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { keepReservations } from '../../../src/data/metering/keep-reservations.ts';
import { createMetering } from '../../../src/data/metering/metering.ts';
import type { Sql } from '../../../src/data/sql.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { newStorePlace } from '../../support/stores.ts';
import { LOOP, openMeteredService, type MeteredService } from './metered-service.ts';
import { startReserving } from './reserving.ts';

const TOKENS = 10;
const ROUTE = 'GET /v1/products/{id}';
let requests = 0;
const newCall = () => ({ requestId: `own${(requests += 1)}`, route: ROUTE });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    assert.ok(error instanceof FaultError, String(error));
    return error.fault.code;
  }
}

/** What the month's row says: tokens spent and reserved. */
async function bookedIn(sql: Sql): Promise<unknown> {
  const [row] = await sql.all('select used, reserved from balances');
  return row === undefined ? null : [row['used'], row['reserved']];
}

/** A service that shares a store with processes on the machine's clock, and whose own clock the test moves. */
async function openBeside(place: string): Promise<MeteredService> {
  const service = await openMeteredService({ monthlyQuota: TOKENS }, place);
  service.clock.set(Date.now());
  return service;
}

test('what a killed process had reserved is free to others within ten seconds', async () => {
  assert.ok(RESERVED_MS + RENEW_EVERY_MS < 10_000, 'a lease, and the time until others look');
  await using place = await newStorePlace();
  await using service = await openBeside(place.name);
  const { metering, caller, clock, store } = service;
  await using child = startReserving(place.name, service.key, 'killed');
  assert.equal(await child.ask(`reserve ${TOKENS}`), 'done');
  assert.equal(await child.ask('renew'), 'done');
  await child.kill();
  const killedAtMs = Date.now();
  clock.set(killedAtMs);
  assert.equal(await metering.freeReservations(), 0, 'nobody knows yet that it was killed');
  const spending = { ...newCall(), maxTokens: TOKENS };
  assert.equal(await codeOf(metering.reserve(caller, spending)), 'quota_exceeded');
  clock.set(killedAtMs + RESERVED_MS);
  assert.equal(await metering.freeReservations(), 1);
  const reservation = await metering.reserve(caller, spending);
  assert.equal((await reservation.settle(TOKENS)).remaining, 0);
  assert.deepEqual(await bookedIn(store.sql), [TOKENS, 0]);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a process that is stopped for longer than its lease cannot spend what was freed', async () => {
  await using place = await newStorePlace();
  await using service = await openBeside(place.name);
  const { metering, caller, clock, store } = service;
  await using child = startReserving(place.name, service.key, 'stopped');
  assert.equal(await child.ask(`reserve ${TOKENS}`), 'done');
  child.signal('SIGSTOP');
  clock.set(Date.now() + RESERVED_MS);
  assert.equal(await metering.freeReservations(), 1);
  await metering.charge(caller, { ...newCall(), tokens: TOKENS });
  child.signal('SIGCONT');
  assert.equal(await child.ask('renew'), 'done');
  assert.equal(await child.ask(`settle ${TOKENS}`), 'overloaded');
  assert.deepEqual(await bookedIn(store.sql), [TOKENS, 0]);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a stopped process that goes on before anyone frees its tokens spends them as if nothing had been', async () => {
  await using place = await newStorePlace();
  await using service = await openBeside(place.name);
  const { metering, clock, store } = service;
  await using child = startReserving(place.name, service.key, 'stopped');
  assert.equal(await child.ask(`reserve ${TOKENS}`), 'done');
  child.signal('SIGSTOP');
  child.signal('SIGCONT');
  assert.equal(await child.ask('settle 3'), 'done');
  clock.set(Date.now() + RESERVED_MS);
  assert.equal(await metering.freeReservations(), 0);
  assert.deepEqual(await bookedIn(store.sql), [3, 0]);
});

test('a call of a living process keeps its tokens however long it takes, and others free nothing of it', async () => {
  await using service = await openMeteredService({ monthlyQuota: TOKENS });
  const { metering, caller, clock, store } = service;
  const { accounts, sql } = store;
  const other = createMetering({ accounts, sql, clock, loop: LOOP });
  const reservation = await metering.reserve(caller, { ...newCall(), maxTokens: TOKENS });
  for (let elapsedMs = 0; elapsedMs < 20 * RESERVED_MS; elapsedMs += RENEW_EVERY_MS) {
    clock.advance(RENEW_EVERY_MS);
    await metering.renewReservations();
    assert.equal(await other.freeReservations(), 0, `after ${elapsedMs} ms`);
  }
  assert.equal((await reservation.settle(4)).remaining, TOKENS - 4);
  clock.advance(RESERVED_MS);
  await metering.renewReservations();
  assert.deepEqual(await sql.all('select * from reservations'), [], 'nothing is renewed after it');
  assert.deepEqual(await bookedIn(sql), [4, 0]);
});

test('a reservation that its process renews while another is about to free it stays', async () => {
  await using service = await openMeteredService({ monthlyQuota: TOKENS });
  const { metering, caller, clock, store } = service;
  const { accounts } = store;
  const reservation = await metering.reserve(caller, { ...newCall(), maxTokens: TOKENS });
  // Another process has found it expired when its own process goes on.
  const sql: Sql = {
    ...store.sql,
    all: async (text, params) => {
      const rows = await store.sql.all(text, params);
      if (rows.some((row) => 'request_id' in row)) await metering.renewReservations();
      return rows;
    },
  };
  const other = createMetering({ accounts, sql, clock, loop: LOOP });
  clock.advance(RESERVED_MS);
  assert.equal(await other.freeReservations(), 0);
  assert.equal((await reservation.settle(4)).remaining, TOKENS - 4);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('tokens whose release failed are freed all the same', async () => {
  await using service = await openMeteredService({ monthlyQuota: TOKENS });
  const { caller, clock, store } = service;
  let isAway = false;
  const sql: Sql = {
    ...store.sql,
    write: (unit, options) =>
      isAway ? Promise.reject(new Error('away')) : store.sql.write(unit, options),
  };
  const metering = createMetering({ accounts: store.accounts, sql, clock, loop: LOOP });
  const reservation = await metering.reserve(caller, { ...newCall(), maxTokens: TOKENS });
  isAway = true;
  await assert.rejects(reservation.release(), /away/);
  isAway = false;
  clock.advance(RESERVED_MS);
  await metering.renewReservations();
  assert.equal(await metering.freeReservations(), 1);
});

test('reservations are renewed before expired ones are freed, and again after a failure', async () => {
  const clock = createVirtualClock();
  const done: string[] = [];
  const errors: string[] = [];
  let isAway = false;
  const metering = {
    renewReservations: () => {
      done.push('renewed');
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    freeReservations: () => Promise.resolve(done.push('freed')),
    hasReservations: () => Promise.resolve(true),
  };
  const store = { sql: { changes: () => null } };
  const stop = new AbortController();
  const onError = (what: string) => void errors.push(what);
  const keeping = keepReservations({ metering, store, clock, onError }, stop.signal);
  await clock.advance(RENEW_EVERY_MS);
  isAway = true;
  await clock.advance(RENEW_EVERY_MS);
  isAway = false;
  await clock.advance(RENEW_EVERY_MS);
  assert.equal(done.join(' '), 'renewed freed renewed freed renewed renewed freed');
  assert.deepEqual(errors, ['could not renew the reservations of calls']);
  stop.abort();
  await assert.rejects(keeping);
});
