// The declared tables are those of the schema, in both databases: a table added by a migration is not moved without a line
// for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Sql } from '../../../src/data/sql.ts';
import { openStore } from '../../../src/data/store.ts';
import { TABLES, type TableDefinition } from '../../../src/data/maintenance/tables.ts';
import { DUMPED_TABLES } from '../../../src/data/maintenance/dump-tables.ts';
import { newDatabase } from '../../support/databases.ts';

const plain = (tables: readonly TableDefinition[]) =>
  [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));

async function tablesOfSqlite(sql: Sql): Promise<readonly TableDefinition[]> {
  const rows = await sql.all(
    `select t.name as name, c.name as column_name, c.pk as place
     from sqlite_schema t join pragma_table_info(t.name) c
     where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`,
  );
  return definitions(rows);
}

async function tablesOfPostgres(sql: Sql): Promise<readonly TableDefinition[]> {
  const rows = await sql.all(
    `select t.relname as name, a.attname as column_name,
       coalesce(array_position(cast(i.indkey as smallint[]), a.attnum) + 1, 0) as place
     from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = t.oid and i.indisprimary
     where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace order by t.relname, a.attnum`,
  );
  return definitions(rows);
}

function definitions(rows: Awaited<ReturnType<Sql['all']>>): readonly TableDefinition[] {
  const byName = Map.groupBy(rows, (row) => String(row['name']));
  return [...byName].map(([name, columns]) => ({
    name,
    key: columns
      .filter((row) => Number(row['place']) > 0)
      .sort((a, b) => Number(a['place']) - Number(b['place']))
      .map((row) => String(row['column_name'])),
    columns: columns.map((row) => String(row['column_name'])),
  }));
}

/**
 * Tables that each database has for itself: its migrations, the rows of the write probes, and revisions, which are compared
 * with the memory of a process. The others contain what running processes agree on for some seconds, all of it obsolete
 * when a move begins.
 */
const NOT_MOVED: readonly string[] = [
  'heartbeat',
  'host_slots',
  'host_pauses',
  'leases',
  'revisions',
  'openshelf_migrations',
  'write_probe',
];

const moved = ({ name }: TableDefinition): boolean => !NOT_MOVED.includes(name);

test('every table, column and key of the schema on SQLite is declared, and nothing else', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const found = await tablesOfSqlite(store.sql);
  assert.deepEqual(plain(found.filter(moved)), plain(TABLES));
  assert.deepEqual(
    NOT_MOVED.filter((name) => !found.some((table) => table.name === name)),
    [],
  );
});

test('the same holds on PostgreSQL', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const found = await tablesOfPostgres(store.sql);
  assert.deepEqual(plain(found.filter(moved)), plain(TABLES));
});

/** Tables and columns that no dump has; `dump-tables.ts` gives the reasons. */
const LEFT_OUT = [
  'barcode_facts',
  'channels.claim_token',
  'channels.lease_until_ms',
  'forced_refreshes',
  'heartbeat',
  'host_pauses',
  'host_slots',
  'jobs.claim_token',
  'jobs.lease_until_ms',
  'leases',
  'misses',
  'openshelf_migrations',
  'reading_counts',
  'revisions',
  'sessions',
  'sign_in_codes',
  'takedowns.is_cleared',
  'throttles',
  'unknown_words',
  'write_probe',
];

test('every table and column of the schema is in a dump, or left out for a reason that is written down', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const found = await tablesOfSqlite(store.sql);
  const dumped = new Map(DUMPED_TABLES.map(({ name, columns }) => [name, columns]));
  const left = found.flatMap(({ name, columns }) => {
    const kept = dumped.get(name);
    if (kept === undefined) return [name];
    return columns.filter((column) => !kept.includes(column)).map((each) => `${name}.${each}`);
  });
  assert.deepEqual(left.sort(), LEFT_OUT);
});

test('a column has whole numbers, fractions or text, which are what a dump can write', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const rows = await store.sql.all(
    `select distinct lower(c.type) as type from sqlite_schema t join pragma_table_info(t.name) c
     where t.type = 'table' and t.name not like 'sqlite_%' order by 1`,
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['integer', 'real', 'text'],
  );
});

test('a table stands after those that its rows point to', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const names = TABLES.map(({ name }) => name);
  let pointers = 0;
  for (const [at, name] of names.entries()) {
    const rows = await store.sql.all(`select "table" as parent from pragma_foreign_key_list($1)`, [
      name,
    ]);
    for (const { parent } of rows) {
      assert.ok(names.indexOf(String(parent)) < at, `${name} points to ${String(parent)}`);
      pointers += 1;
    }
  }
  assert.ok(pointers > 10);
});
