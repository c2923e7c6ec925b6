import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { checkStore } from '../../src/data/maintenance/check.ts';
import { debit } from '../../src/data/accounts/balances.ts';
import { insertCharges } from '../../src/data/accounts/charges.ts';
import { migrate, readMigrations } from '../../src/data/migrate.ts';
import type { Sql } from '../../src/data/sql.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { openStore } from '../../src/data/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { StoreUnavailable } from '../../src/data/sql.ts';

const CHILD = fileURLToPath(new URL('./migrating-child.ts', import.meta.url));
const SCHEMA = new URL('./schema.sql', import.meta.url);

async function schemaOf(sql: Sql): Promise<string> {
  const rows = await sql.all(
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
  );
  return rows.map((row) => `${String(row['sql'])};\n`).join('\n');
}

test('the schema that migrations make is the one that was reviewed', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const schema = await schemaOf(store.sql);
  if (process.env['UPDATE'] === '1') writeFileSync(SCHEMA, schema);
  assert.equal(schema, readFileSync(SCHEMA, 'utf8'), 'run with UPDATE=1 and review the difference');
});

test('every table is strict', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const rows = await store.sql.all(
    "select name, strict from pragma_table_list where schema = 'main' and type <> 'view' and name not like 'sqlite_%'",
  );
  assert.ok(rows.length > 10);
  assert.deepEqual(
    rows.filter((row) => row['strict'] !== 1),
    [],
  );
});

test('migrating again changes nothing', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const before = await schemaOf(store.sql);
  await migrate(store.sql);
  await migrate(store.sql);
  assert.equal(await schemaOf(store.sql), before);
  const versions = await store.sql.all('select version from schema_versions');
  assert.equal(versions.length, readMigrations().length);
});

test('eight processes that start together make one store', { timeout: 60_000 }, async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.sqlite');
  const names = Array.from({ length: 8 }, (_, n) => `org-${n}`);
  const runs = await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [CHILD, path, name])),
  );
  assert.deepEqual(
    runs.map(({ stdout }) => stdout),
    names.map(() => 'done\n'),
  );
  await using store = await openStore({ kind: 'sqlite', path });
  const found = await store.accounts.listOrganizations();
  assert.deepEqual(
    found.map(({ name }) => name),
    names,
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('data of a newer program is refused and left as it is', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.sqlite');
  const newest = readMigrations().length;
  {
    await using sql = await openSqlite({ path });
    const later = { version: newest + 1, statements: ['create table later (a text)'] };
    await migrate(sql, [...readMigrations(), later]);
  }
  await assert.rejects(openStore({ kind: 'sqlite', path }), (error: Error) => {
    assert.ok(error instanceof StoreUnavailable);
    const expected = `schema version ${newest + 1}, this program knows up to ${newest}`;
    assert.ok(error.message.includes(expected), error.message);
    return true;
  });
});

test('a migration that fails leaves nothing of itself', async () => {
  await using sql = await openSqlite({ path: ':memory:' });
  const broken = {
    version: 1,
    statements: ['create table kept (a text)', 'create table kept (a text)'],
  };
  await assert.rejects(migrate(sql, [broken]), /already exists/);
  assert.deepEqual(await sql.all("select name from sqlite_schema where name = 'kept'"), []);
  assert.deepEqual(await sql.all('select version from schema_versions'), []);
  await migrate(sql);
});

test('a ledger from before the sums by day has them after the migration', async () => {
  await using sql = await openSqlite({ path: ':memory:' });
  await migrate(sql, readMigrations().slice(0, 2));
  const key = "'2026-03', 'charge'";
  await sql.write([
    { text: "insert into organizations values ('o', 'acme', 100, 1, 1, 0)" },
    { text: "insert into api_keys values ('k', 'o', 'x', '', null, 0, null, null, null)" },
    { text: "insert into balances values ('o', '2026-03', 100, 50, 7, 0, 3)" },
    { text: `insert into ledger values ('a', 'o', 'k', ${key}, 1, 99, 'GET /', 86399999)` },
    { text: `insert into ledger values ('b', 'o', 'k', ${key}, 2, 97, 'GET /', 86400000)` },
    { text: `insert into ledger values ('c', 'o', 'k', ${key}, 4, 93, 'GET /', 86400001)` },
    { text: "insert into ledger values ('g', 'o', null, '2026-03', 'grant', 50, 143, 'grant', 5)" },
  ]);
  await migrate(sql);
  const rows = await sql.all('select day, tokens, calls from usage_days order by day');
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { day: 0, tokens: 1, calls: 1 },
      { day: 1, tokens: 6, calls: 2 },
    ],
  );
  assert.deepEqual(await checkStore(sql), []);
});

test('what was booked before and what is booked now is one ledger, with the balance behind each call', async () => {
  await using sql = await openSqlite({ path: ':memory:' });
  await migrate(sql, readMigrations().slice(0, 19));
  await sql.write([
    { text: "insert into organizations values ('o', 'acme', 100, 1, 1, 0)" },
    { text: "insert into api_keys values ('k', 'o', 'x', '', null, 0, null, null, null)" },
    { text: "insert into balances values ('o', '2026-03', 100, 50, 1, 0, 1)" },
    { text: "insert into usage_days values ('o', '2026-03', 0, 'GET /', 'k', 1, 1)" },
    {
      text: "insert into ledger values ('a', 'o', 'k', '2026-03', 'charge', 1, 99, 'GET /', 7)",
    },
    { text: "insert into ledger values ('g', 'o', null, '2026-03', 'grant', 50, 149, 'grant', 8)" },
  ]);
  await migrate(sql);
  const account = { organizationId: 'o', month: '2026-03' };
  const charges = [2, 3, 1].map((tokens, at) => ({
    requestId: `c${at}`,
    keyId: 'k',
    tokens,
    route: 'GET /',
    atMs: 9,
  }));
  await sql.write([debit(account, 6, { calls: 3 }), ...insertCharges(account, charges)]);
  const rows = await sql.all(
    'select request_id, key_id, kind, tokens, balance_after, at_ms from ledger order by request_id',
  );
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['a', 'k', 'charge', 1, 99, 7],
      ['c0', 'k', 'charge', 2, 147, 9],
      ['c1', 'k', 'charge', 3, 144, 9],
      ['c2', 'k', 'charge', 1, 143, 9],
      ['g', null, 'grant', 50, 149, 8],
    ],
  );
  assert.deepEqual(await checkStore(sql), []);
  await assert.rejects(sql.write(insertCharges(account, charges.slice(1))), /UNIQUE|unique/);
});
