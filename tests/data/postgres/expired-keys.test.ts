// Idempotency keys that are used again at the moment they expire, while another process sweeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, SECOND_MS } from '../../../src/base/clock.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { createMetering } from '../../../src/data/metering/metering.ts';
import { deleteStoredAnswer } from '../../../src/data/accounts/idempotency.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore } from '../../../src/data/store.ts';
import { newDatabase, withClient } from '../../support/databases.ts';
import { manualClock } from '../../support/manual-clock.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');

/** A store on a server, and calls of one organization stored under keys. */
async function keptCalls() {
  const database = await newDatabase('migrated');
  const store = await openStore({ kind: 'postgres', url: database.url });
  const clock = manualClock(NOON);
  const metering = createMetering({ accounts: store.accounts, sql: store.sql, clock });
  const issued = { organization: 'acme', note: null, scopes: ['products:read'] as const };
  const { text } = await issueKey(store.accounts, issued, clock.now());
  const caller = await metering.authenticate(`Bearer ${text}`);
  let calls = 0;
  return {
    database,
    store,
    clock,
    metering,
    caller,
    charge: (key: string, bytes: number) =>
      metering.charge(caller, {
        requestId: `call-${(calls += 1)}`,
        route: 'GET /v1/products/{id}',
        tokens: 1,
        forced: false,
        idempotency: { key, fingerprint: 'f' },
        answer: { status: 200, body: 'x'.repeat(bytes) },
      }),
    counted: async () =>
      (
        await store.sql.all(
          `select (select sum(bytes) from idempotency_keys)::bigint as kept,
           (select sum(bytes) from idempotency_space)::bigint as counted`,
        )
      )[0],
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

test('a key that is used again while another process sweeps it leaves its bytes counted once', async () => {
  await using calls = await keptCalls();
  const { store, database, clock } = calls;
  await calls.charge('nightly', 10_000);
  await calls.charge('other', 5_000);
  clock.advance(DAY_MS + SECOND_MS);
  await withClient(database.url, async (sweeping) => {
    const { rows } = await sweeping.query<Record<string, string>>(
      "select * from idempotency_keys where idempotency_key = 'nightly'",
    );
    await sweeping.query('begin');
    for (const { text, params = [] } of deleteStoredAnswer(rows[0] ?? {})) {
      await sweeping.query(text, [...params]);
    }
    const again = calls.charge('nightly', 100);
    await waiting(database.url);
    await sweeping.query('commit');
    assert.equal((await again).consumed, 1);
  });
  const counted = await calls.counted();
  assert.equal(counted?.['counted'], counted?.['kept']);
  assert.deepEqual(await checkStore(store.sql), []);
});

/** Resolves when a transaction waits for another one. */
async function waiting(url: string): Promise<void> {
  const text = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  while (await withClient(url, async (client) => (await client.query(text)).rowCount === 0));
}

test('bytes that were counted too low end no sweep, and tokens of calls that died come back', async () => {
  await using calls = await keptCalls();
  const { store, clock, metering, caller } = calls;
  await calls.charge('nightly', 10_000);
  await store.sql.write([{ text: 'update idempotency_space set bytes = 7' }]);
  clock.advance(DAY_MS);
  const remaining = await metering.remaining(caller);
  const died = { requestId: 'died', route: 'GET /v1/products/{id}', forced: false, maxTokens: 9 };
  await metering.reserve(caller, died);
  clock.advance(61 * SECOND_MS);
  assert.equal(await metering.sweep(), 1);
  assert.equal(await metering.remaining(caller), remaining);
  assert.equal((await calls.counted())?.['counted'], 0);
  assert.deepEqual(await checkStore(store.sql), []);
});
