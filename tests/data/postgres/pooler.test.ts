// With a pooler in transaction mode two connections share one session of the server, and each would change the other's
// settings and prepared statements.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openStore } from '../../../src/data/store.ts';
import { newDatabase } from '../../support/databases.ts';
import { startTransactionPooler } from '../../support/transaction-pooler.ts';

// Without the refusal nothing is ever answered.
test('a pooler in transaction mode is refused in words', { timeout: 120_000 }, async () => {
  await using database = await newDatabase('empty');
  const direct = new URL(database.url);
  await using pooler = await startTransactionPooler(Number(direct.port));
  const url = new URL(database.url);
  url.port = String(pooler.port);
  await assert.rejects(openStore({ kind: 'postgres', url: url.href }), {
    name: 'StoreUnavailable',
    message: /pooler in transaction mode.*session mode/,
  });
  await using store = await openStore({ kind: 'postgres', url: database.url });
  assert.deepEqual(await store.sql.all('select 1 as one'), [{ one: 1 }]);
});
