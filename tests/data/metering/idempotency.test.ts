import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { IdempotencyKeyTaken, fingerprintOf } from '../../../src/data/metering/metering.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { NOON, openMeteredService } from './metered-service.ts';

const ROUTE = 'GET /v1/products/{id}';
const REQUEST = { key: 'k', fingerprint: 'f' };
const ANSWER = { status: 200, body: '{"title":"Lamp"}' };

const call = (requestId: string) => ({ requestId, route: ROUTE, idempotency: REQUEST });

function isFault(code: string) {
  return (error: unknown) => error instanceof FaultError && error.fault.code === code;
}

test('a request is its method, path and sorted query', () => {
  const of = (method: string, target: string) => {
    const [path = '', query = ''] = target.split('?');
    return fingerprintOf({ method, path, query });
  };
  assert.equal(of('GET', '/v1/x?b=2&a=1'), of('GET', '/v1/x?a=1&b=2'));
  assert.equal(of('GET', '/v1/x?a=%41'), of('GET', '/v1/x?a=A'));
  const others = [
    of('GET', '/v1/x?a=1&b=2'),
    of('POST', '/v1/x?a=1&b=2'),
    of('GET', '/v1/x?a=1'),
    of('GET', '/v1/x?a=1%26b=2'),
    of('GET', '/v1/y?a=1&b=2'),
    of('GET', '/v1/x%3Fa=1&b=2'),
  ];
  assert.equal(new Set(others).size, others.length);
});

test('the answer is kept with the balance of its own debit, whatever comes after', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, store } = service;
  assert.equal(await metering.findReplay(caller, REQUEST), null);
  const reservation = await metering.reserve(caller, { ...call('r1'), maxTokens: 6 });
  await assert.rejects(metering.findReplay(caller, REQUEST), isFault('idempotency_conflict'));
  const charged = await reservation.settle(4, ANSWER);
  await metering.charge(caller, { requestId: 'r2', route: ROUTE, tokens: 1 });
  assert.deepEqual(await metering.findReplay(caller, REQUEST), {
    ...ANSWER,
    tokensConsumed: 4,
    tokensRemaining: charged.remaining,
  });
  assert.equal(charged.remaining, 6);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a key that is taken refuses before tokens are asked for, and consumes nothing', async () => {
  await using service = await openMeteredService({ monthlyQuota: 6, throttlePerMinute: 60 });
  const { metering, caller } = service;
  const reservation = await metering.reserve(caller, { ...call('r1'), maxTokens: 6 });
  const before = await metering.rateLimit(caller);
  await assert.rejects(
    metering.reserve(caller, { ...call('r2'), maxTokens: 6 }),
    IdempotencyKeyTaken,
  );
  const keyed = { ...call('r3'), tokens: 1, answer: ANSWER };
  await assert.rejects(metering.charge(caller, keyed), IdempotencyKeyTaken);
  assert.deepEqual(await metering.rateLimit(caller), before);
  await reservation.release();
  assert.equal((await metering.charge(caller, keyed)).consumed, 1, 'a release gives the key back');
});

test('a call that outlived its record is not billed when another took the key', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store, clock } = service;
  const slow = await metering.reserve(caller, { ...call('slow'), maxTokens: 3 });
  clock.advance(20_001);
  const quick = await metering.reserve(caller, { ...call('quick'), maxTokens: 3 });
  await assert.rejects(slow.settle(3, ANSWER), isFault('overloaded'));
  await slow.release();
  assert.equal((await quick.settle(3, ANSWER)).remaining, 97);
  const ledger = await store.sql.all('select request_id from ledger');
  assert.deepEqual(
    ledger.map((row) => row['request_id']),
    ['quick'],
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a key is free again, and an answer kept for a day, also where the clock was set back since', async () => {
  await using service = await openMeteredService({ monthlyQuota: 100 });
  const { metering, caller, store, clock } = service;
  const other = { key: 'other', fingerprint: 'f' };
  clock.advance(10 * DAY_MS);
  await metering.charge(caller, { ...call('r1'), tokens: 1, answer: ANSWER });
  // Its process died.
  await metering.reserve(caller, { ...call('r2'), idempotency: other, maxTokens: 1 });
  clock.set(NOON);
  assert.equal(await metering.findReplay(caller, other), null);
  const again = { ...call('r3'), idempotency: other, tokens: 1, answer: ANSWER };
  assert.equal((await metering.charge(caller, again)).consumed, 1);
  await metering.sweep();
  clock.advance(DAY_MS - 1);
  await metering.sweep();
  assert.deepEqual((await metering.findReplay(caller, REQUEST))?.body, ANSWER.body);
  clock.advance(1);
  assert.equal(await metering.findReplay(caller, REQUEST), null);
  await metering.sweep();
  assert.deepEqual(await store.sql.all('select bytes from idempotency_space where bytes > 0'), []);
});

test('a call that outlived its record is answered when no other took the key, unless it was swept', async () => {
  await using service = await openMeteredService();
  const { metering, caller, store, clock } = service;
  const late = await metering.reserve(caller, { ...call('late'), maxTokens: 3 });
  clock.advance(20_001);
  assert.equal((await late.settle(3, ANSWER)).consumed, 3);
  assert.notEqual(await metering.findReplay(caller, REQUEST), null);
  const other = { ...REQUEST, key: 'swept' };
  const swept = await metering.reserve(caller, {
    ...call('swept'),
    idempotency: other,
    maxTokens: 3,
  });
  clock.advance(20_001);
  await metering.sweep();
  await assert.rejects(swept.settle(3, ANSWER), isFault('overloaded'));
  await swept.release();
  assert.deepEqual(await checkStore(store.sql), []);
});

test('an answer beyond 8 MiB is refused, not billed, and leaves the key free', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller } = service;
  const reservation = await metering.reserve(caller, { ...call('big'), maxTokens: 1 });
  const big = { status: 200, body: 'x'.repeat(8_388_609) };
  await assert.rejects(reservation.settle(1, big), isFault('invalid_parameter'));
  assert.equal(await reservation.release(), 10);
  assert.equal(await metering.findReplay(caller, REQUEST), null);
});

test('a call that turned out to cost nothing is kept too, and leaves no balance behind', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10 });
  const { metering, caller, store } = service;
  const reservation = await metering.reserve(caller, { ...call('r1'), maxTokens: 5 });
  assert.equal((await reservation.settle(0, ANSWER)).remaining, 10);
  const kept = await metering.findReplay(caller, REQUEST);
  assert.deepEqual([kept?.tokensConsumed, kept?.tokensRemaining], [0, 10]);
  assert.deepEqual(await store.sql.all('select * from balances'), []);
});
