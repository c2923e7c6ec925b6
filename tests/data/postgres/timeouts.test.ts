// Timeouts after which the server, its database or its user would end a session: the service has its own limits, and moving a
// store is one long transaction.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connectPostgres } from '../../../src/data/postgres/connection.ts';
import { newDatabase, withClient } from '../../support/databases.ts';

/**
 * Limits that a session may set and that end it or its transaction. `transaction_timeout` has existed since PostgreSQL 17.
 */
const LIMITS = ['transaction_timeout', 'idle_session_timeout'];

test('no limit of the server for transactions or idle sessions holds for a connection', async () => {
  await using database = await newDatabase('empty');
  const known = await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from pg_settings where name = any ($1)',
      [LIMITS],
    );
    for (const { name } of rows) {
      await client.query(
        `do $$ begin execute format('alter database %I set ${name} = 60000', current_database()); end $$`,
      );
    }
    return rows.map(({ name }) => name);
  });
  assert.ok(known.length > 0);
  const { url } = database;
  const connection = await connectPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  const answers = await connection.run(
    known.map((name) => ({ text: 'select current_setting($1) as stored', params: [name] })),
  );
  assert.deepEqual(
    answers,
    known.map(() => [{ stored: '0' }]),
  );
  await connection.close();
});
