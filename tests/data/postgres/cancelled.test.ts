// Statements that are cancelled from outside, as by pg_cancel_backend or a timeout, at any moment.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connectPostgres } from '../../../src/data/postgres/connection.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import type { Database, Statement } from '../../../src/data/sql.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';
import { command, newDatabase, withClient } from '../../support/databases.ts';

const NOTES = 'create table notes (id text not null primary key)';
const write = (id: string): Statement => ({
  text: 'insert into notes (id) values ($1)',
  params: [id],
});
/** Has no row, so the transaction is rolled back. */
const REFUSES: Statement = { text: 'select 1 as one where false', mustReturn: true };

test('outside of a transaction a connection cannot write: what was sent after a begin that failed is refused', async () => {
  await using database = await newDatabase('empty');
  await command(database.url, NOTES);
  const { url } = database;
  const connection = await connectPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  const [alone] = await connection.run([write('alone')]);
  assert.ok(alone instanceof Error && /read-only transaction/.test(alone.message));
  connection.destroy();
});

/** Not while a connection is being made: that would affect the next statement. */
const CANCEL = `do $$ begin for i in 1..20 loop
    perform pg_stat_clear_snapshot();
    perform pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and query !~ 'timeout|setting';
  end loop; end $$`;
/**
 * In this many rounds each statement of a writer is hit: without the rule, some transactions are reported wrongly, or as a
 * bug of ours.
 */
const ROUNDS = 500;

test('statements are cancelled at any moment: exactly the acknowledged writes are stored', async () => {
  await using database = await newDatabase('empty');
  await command(database.url, NOTES);
  await using sql = await openPostgres({ url: database.url });
  const outcomes = new Map<string, string>();
  const unexpected = new Set<string>();
  const over = new AbortController();
  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const id = `${worker} ${turn}`;
      const outcome = await outcomeOf(sql, id, turn % 3 === 0);
      const isExpected = !(outcome instanceof Error) || outcome instanceof StoreUnavailable;
      if (!isExpected) unexpected.add(outcome.message);
      outcomes.set(id, outcome instanceof Error ? 'failed' : outcome);
    }
  };
  await withClient(database.url, async (canceller) => {
    const working = Promise.all([1, 2, 3, 4, 5, 6].map(work));
    for (let round = 0; round < ROUNDS; round += 1) await canceller.query(CANCEL);
    over.abort();
    await working;
  });
  assert.deepEqual([...unexpected], []);
  const rows = await sql.all('select id from notes');
  const written = new Set(rows.map(({ id }) => String(id)));
  const wrong = [...outcomes].filter(([id, outcome]) => {
    const parts = Number(written.has(id)) + Number(written.has(`${id} too`));
    return parts !== (outcome === 'done' ? 2 : 0);
  });
  assert.deepEqual(wrong, []);
});

async function outcomeOf(sql: Database, id: string, isRefused: boolean): Promise<string | Error> {
  try {
    const middle = isRefused ? [REFUSES] : [];
    const { done } = await sql.write([write(id), ...middle, write(`${id} too`)]);
    return done ? 'done' : 'refused';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
