// A quota that is changed while the first call of a month creates the month's balance.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { monthOf } from '../../../src/base/clock.ts';
import { findUsage, insertBalance } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore } from '../../../src/data/store.ts';
import { newDatabase, withClient } from '../../support/databases.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');

/** Resolves when `work` has ended or a transaction waits for another one. */
async function endedOrWaiting(url: string, work: Promise<unknown>): Promise<void> {
  const ended: unknown[] = [];
  void work.finally(() => ended.push(work));
  const text = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  const waits = () => withClient(url, async (client) => (await client.query(text)).rowCount !== 0);
  while (ended.length === 0 && !(await waits()));
}

test('a quota that is changed next to the first call of a month holds for that month', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const acme = await store.accounts.upsertOrganization({ name: 'acme', monthlyQuota: 60 }, NOON);
  const account = { organizationId: acme.id, month: monthOf(NOON) };
  assert.deepEqual(await store.sql.all('select * from balances'), []);
  await withClient(database.url, async (calling) => {
    const { text, params = [] } = insertBalance(account);
    await calling.query('begin');
    await calling.query(text, [...params]);
    const changed = store.accounts.upsertOrganization({ name: 'acme', monthlyQuota: 5 }, NOON);
    await endedOrWaiting(database.url, changed);
    await calling.query('commit');
    await changed;
  });
  assert.equal((await findUsage(store.sql, account)).allowance, 5);
  assert.deepEqual(await checkStore(store.sql), []);
});
