// Recent observations on PostgreSQL: one partition per month, created ahead.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkStore } from '../../../src/data/maintenance/check.ts';
import { countFilledTables, ensureMonths } from '../../../src/data/postgres/partitions.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { newDatabase, withClient } from '../../support/databases.ts';
import { fileSeen, SEEN_ID } from '../../support/seen-listing.ts';
import { insertObservation } from '../../../src/data/history/recent-observations.ts';

const see = (store: Store, ...days: readonly string[]) => fileSeen(store, days.map(Date.parse));

/** Returns the row count of each partition. */
async function rowsOf({ sql }: Store): Promise<Readonly<Record<string, number>>> {
  const rows = await sql.all(
    `select cast(cast(tableoid as regclass) as text) as name, cast(count(*) as bigint) as n
     from observations group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['n'])]));
}

async function partitionsOf({ sql }: Store): Promise<readonly string[]> {
  const rows = await sql.all(
    `select cast(cast(inhrelid as regclass) as text) as name from pg_inherits
     where inhparent = cast('observations' as regclass) order by 1`,
  );
  return rows.map((row) => String(row['name']));
}

test('this month and the next two are made ahead; what no month holds goes to the rest', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  assert.deepEqual(await partitionsOf(store), ['observations_rest']);
  await ensureMonths(store.sql, '2026-11-20');
  const months = ['observations_2026_11', 'observations_2026_12', 'observations_2027_01'];
  assert.deepEqual(await partitionsOf(store), [...months, 'observations_rest']);
  await see(
    store,
    '2026-11-30T23:59:59.999Z',
    '2026-12-01',
    '2027-01-31',
    '2027-02-01',
    '2001-02-03',
  );
  assert.deepEqual(await rowsOf(store), {
    observations_2026_11: 1,
    observations_2026_12: 1,
    observations_2027_01: 1,
    observations_rest: 2,
  });
  const commits = store.sql.commits();
  await ensureMonths(store.sql, '2026-11-21');
  assert.equal(store.sql.commits(), commits, 'nothing is written where nothing is missing');
});

test('rows that came before their month has a partition move into it, once', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  await using other = await openStore({ kind: 'postgres', url: database.url });
  const days = ['2026-10-31', '2026-11-01', '2026-11-20', '2026-12-24'];
  await see(store, ...days);
  assert.deepEqual(await rowsOf(store), { observations_rest: 4 });
  const before = (await store.observations.findSince(SEEN_ID, 0)).observations;
  await Promise.all([store, other, store].map(({ sql }) => ensureMonths(sql, '2026-11-20')));
  assert.deepEqual(await rowsOf(store), {
    observations_2026_11: 2,
    observations_2026_12: 1,
    observations_rest: 1,
  });
  assert.deepEqual((await store.observations.findSince(SEEN_ID, 0)).observations, before);
  await see(store, ...days);
  assert.equal(await store.observations.countObservations(SEEN_ID), 4);
  await assert.rejects(
    store.sql.write([
      insertObservation({ listingId: 'x', observedAtMs: 1, price: null, inStock: null }),
    ]),
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('on SQLite there is nothing to make', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const commits = store.sql.commits();
  await ensureMonths(store.sql, '2026-11-20');
  assert.equal(store.sql.commits(), commits);
});

test('tables of price history that the server takes for empty are counted once they are filled', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const counted = async () => {
    const text = `select cast(reltuples as bigint) as rows from pg_class where relname = 'observations_rest'`;
    return (await store.sql.all(text))[0]?.['rows'];
  };
  await withClient(database.url, (client) => client.query('analyze observations_rest'));
  assert.equal(await counted(), 0);
  // Another installation may use a schema of the same database.
  await withClient(database.url, (client) =>
    client.query('create schema other create table observations_1999_01 (day bigint)'),
  );
  await see(store, '2026-11-20', '2026-11-21', '2026-11-22');
  await countFilledTables(store.sql);
  assert.equal(await counted(), 3);
  const commits = store.sql.commits();
  await countFilledTables(store.sql);
  assert.equal(store.sql.commits(), commits);
});
