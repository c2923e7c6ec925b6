// The declared tables are those of the schema, in both databases: a table added by a migration is not moved without a line
// for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Sql } from '../../../src/data/sql.ts';
import { openStore } from '../../../src/data/store.ts';
import { NOT_MOVED, TABLES, type TableDefinition } from '../../../src/data/maintenance/tables.ts';
import {
  DUMPED_TABLES,
  NOT_DUMPED,
  NOT_DUMPED_COLUMNS,
} from '../../../src/data/maintenance/dump-tables.ts';
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

test('every table and column of the schema is in a dump, or left out for a reason that is written down', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const found = await tablesOfSqlite(store.sql);
  const dumped = DUMPED_TABLES.map(({ name, columns }) => [
    name,
    [...columns, ...Object.keys(NOT_DUMPED_COLUMNS[name] ?? {})].sort(),
  ]);
  const left = Object.keys(NOT_DUMPED).map((name) => [
    name,
    [...(found.find((table) => table.name === name)?.columns ?? [])].sort(),
  ]);
  assert.deepEqual(
    Object.fromEntries([...dumped, ...left]),
    Object.fromEntries(found.map(({ name, columns }) => [name, [...columns].sort()])),
  );
  assert.equal(dumped.length + left.length, found.length);
  const reasons = [
    ...Object.values(NOT_DUMPED),
    ...Object.values(NOT_DUMPED_COLUMNS).flatMap((columns) =>
      Object.values(columns).map(({ reason }) => reason),
    ),
  ];
  assert.ok(reasons.every((reason) => reason.length > 10));
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
