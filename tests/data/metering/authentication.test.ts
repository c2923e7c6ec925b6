import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError, type FaultCode } from '../../../src/base/fault.ts';
import { createMetering } from '../../../src/data/metering/metering.ts';
import { formatApiKey, generateKey } from '../../../src/data/metering/api-key.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { NOON, openMeteredService } from './metered-service.ts';

function faultOf(code: FaultCode) {
  return (error: unknown) => error instanceof FaultError && error.fault.code === code;
}

test('a key is its organization, its id and its scopes', async () => {
  await using service = await openMeteredService({ throttlePerMinute: 60 });
  const { key, caller, metering } = service;
  assert.equal(caller.organization, 'acme');
  assert.deepEqual(caller.scopes, ['products:read', 'products:refresh']);
  assert.deepEqual([caller.throttlePerMinute, caller.throttleBurst], [60, 1_000_000]);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    assert.equal((await metering.authenticate(`${scheme} ${key}`)).keyId, caller.keyId);
  }
  metering.requireScope(caller, 'products:refresh');
  assert.throws(
    () => metering.requireScope(caller, 'admin'),
    (error: unknown) => {
      assert.ok(error instanceof FaultError);
      assert.equal(error.fault.code, 'insufficient_scope');
      assert.equal(error.fault.scope, 'admin');
      return true;
    },
  );
});

test('no header is a missing key; anything else that is not a key in force is an invalid one', async () => {
  await using service = await openMeteredService();
  const { metering, key, store, clock } = service;
  for (const nothing of [undefined, '', '   ']) {
    await assert.rejects(metering.authenticate(nothing), faultOf('missing_api_key'));
  }
  const unknown = generateKey().text;
  const known = { id: key.slice(9, 17), secret: 'a'.repeat(32) };
  const invalid = [
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer ${unknown}`,
    `Bearer ${key} x`,
  ];
  invalid.push(`Bearer ${formatApiKey(known)}`, `Bearer ${key}`.repeat(40));
  for (const header of invalid) {
    await assert.rejects(metering.authenticate(header), faultOf('invalid_api_key'), header);
  }
  const { id, text, secretSha256 } = generateKey();
  const [organization] = await store.accounts.listOrganizations();
  await store.accounts.insertKey({
    id,
    organizationId: organization?.id ?? '',
    secretSha256,
    scopes: [],
    note: 'expires',
    createdAtMs: NOON,
    expiresAtMs: NOON + 500,
  });
  await metering.authenticate(`Bearer ${text}`);
  clock.advance(499);
  await metering.authenticate(`Bearer ${text}`);
  clock.advance(1);
  await assert.rejects(metering.authenticate(`Bearer ${text}`), faultOf('invalid_api_key'));
});

test('a revoked key is refused at once here, and within a second elsewhere', async () => {
  await using service = await openMeteredService();
  const { store, clock, key, caller, metering } = service;
  const elsewhere = createMetering({
    accounts: { ...store.accounts, changes: () => 0 },
    sql: store.sql,
    clock,
  });
  await elsewhere.authenticate(`Bearer ${key}`);
  await metering.authenticate(`Bearer ${key}`);
  assert.equal(await store.accounts.revokeKey(caller.keyId, clock.now()), true);
  assert.equal(await store.accounts.revokeKey(caller.keyId, clock.now()), false);
  assert.equal(await store.accounts.revokeKey('nobody00', clock.now()), false);
  await assert.rejects(metering.authenticate(`Bearer ${key}`), faultOf('invalid_api_key'));
  clock.advance(1_000);
  await assert.rejects(elsewhere.authenticate(`Bearer ${key}`), faultOf('invalid_api_key'));
});

test('a malformed header never asks the database; 2,000 of them are only ever 401', async (t) => {
  const seed = seedOf(12);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using service = await openMeteredService();
  const { store, clock, key } = service;
  let reads = 0;
  const findKey = (id: string) => {
    reads += 1;
    return store.accounts.findKey(id);
  };
  const metering = createMetering({
    accounts: { ...store.accounts, findKey },
    sql: store.sql,
    clock,
  });
  const mutations: readonly ((text: string) => string)[] = [
    (text) => text.slice(0, integerBelow(random, text.length)),
    (text) => text + String.fromCharCode(integerBelow(random, 0xffff)),
    (text) => {
      const at = 7 + integerBelow(random, text.length - 7);
      const other = String.fromCharCode((text.charCodeAt(at) + 1 + integerBelow(random, 90)) % 128);
      return text.slice(0, at) + other + text.slice(at + 1);
    },
    (text) => `${text}\u0000`,
    (text) => text.replace('Bearer ', pick(random, ['Basic ', 'Bearer\t', '', 'Bearer,', 'bear '])),
    (text) =>
      Array.from(text)
        .toSorted(() => random() - 0.5)
        .join(''),
    (text) => text.repeat(2 + integerBelow(random, 2_000)),
    () => 'osk_live_'.padEnd(integerBelow(random, 80), '_A0 '),
    () => String.fromCharCode(...Array.from({ length: 60 }, () => integerBelow(random, 65_536))),
  ];
  for (let round = 0; round < 2_000; round += 1) {
    const header = pick(random, mutations)(`Bearer ${key}`);
    if (header === `Bearer ${key}`) continue;
    await assert.rejects(metering.authenticate(header), (error: unknown) => {
      assert.ok(error instanceof FaultError, String(error));
      assert.match(error.fault.code, /^(missing|invalid)_api_key$/);
      assert.ok(!error.fault.detail.includes(key.slice(17)));
      return true;
    });
  }
  assert.equal(reads, 0);
});

test('a cached key asks the database twice a second', async () => {
  await using service = await openMeteredService();
  const { store, clock, key } = service;
  let reads = 0;
  const findKey = (id: string) => {
    reads += 1;
    return store.accounts.findKey(id);
  };
  const metering = createMetering({
    accounts: { ...store.accounts, findKey },
    sql: store.sql,
    clock,
  });
  for (let call = 0; call < 100; call += 1) {
    await metering.authenticate(`Bearer ${key}`);
    clock.advance(50);
  }
  assert.equal(reads, 10);
});
