// Migrations: a store with rows gets the next schema completely or not at all, on both databases, whatever interrupts it.

import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Client } from 'pg';

import { checkStore } from '../../src/data/maintenance/check.ts';
import { migrate, newestVersion, readMigrations, schemaVersionOf } from '../../src/data/migrate.ts';
import { openPostgres } from '../../src/data/postgres/postgres.ts';
import { StoreUnavailable, type Database, type Sql } from '../../src/data/sql.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { openStore, type StoreConfig } from '../../src/data/store.ts';
import { newDatabase, withClient } from '../support/databases.ts';
import { contentOf, fillStore } from '../support/filled-store.ts';
import { withNextMigration } from '../support/next-migration.ts';
import { until } from '../support/plain-client.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEED = seedOf(10);
const DIALECTS = ['sqlite', 'postgres'] as const;
type Dialect = (typeof DIALECTS)[number];
type Place = AsyncDisposable & { readonly config: StoreConfig };

/** Returns a place without data. */
async function newPlace(dialect: Dialect): Promise<Place> {
  if (dialect === 'postgres') {
    const { url, ...database } = await newDatabase('empty');
    return { config: { kind: 'postgres', url }, ...database };
  }
  const folder = temporaryFolder();
  return {
    config: { kind: 'sqlite', path: join(folder.path, 'openshelf.db') },
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

/** Opens the database without its migrations. */
const openRaw = (config: StoreConfig): Promise<Database> =>
  config.kind === 'sqlite'
    ? openSqlite(config)
    : openPostgres({ url: config.url, statementTimeoutMs: 0, lockTimeoutMs: 0 });

/** Creates a store of this program with rows in every table; returns its content. */
async function filled(config: StoreConfig) {
  await using store = await openStore(config);
  await fillStore(store.sql, randomFrom(SEED));
  return await contentOf(store.sql);
}

const tablesOf = async (sql: Sql): Promise<readonly string[]> => {
  const text =
    sql.dialect === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name"
      : `select relname as name from pg_class where relkind in ('r', 'p')
         and relnamespace = 'public'::regnamespace order by relname`;
  return (await sql.all(text)).map(({ name }) => String(name));
};

/** Checks that the next migration has run: every row is unchanged except for what the migration made of it. */
async function isMigrated(sql: Sql, before: Awaited<ReturnType<typeof filled>>): Promise<void> {
  const version = await schemaVersionOf(sql, 'here');
  assert.equal(version, newestVersion() + 1);
  const { organizations = [], ...others } = await contentOf(sql);
  const { organizations: organizationsBefore = [], ...othersBefore } = before;
  assert.deepEqual(others, othersBefore);
  assert.deepEqual(
    organizations,
    organizationsBefore.map((row) => ({ ...row, later_word: row['name'] })),
  );
  const words = await sql.all('select id, word from later_words order by id');
  assert.deepEqual(
    words.map(({ id, word }) => [id, word]),
    (before['listings'] ?? []).map((row) => [row['id'], row['listing_key']]),
  );
}

/** Checks that the next migration left nothing. */
async function isAsBefore(sql: Sql, before: Awaited<ReturnType<typeof filled>>): Promise<void> {
  assert.equal(await schemaVersionOf(sql, 'here'), newestVersion());
  assert.deepEqual(await contentOf(sql), before);
  assert.ok(!(await tablesOf(sql)).includes('later_words'));
}

test('both databases have migrations of the same numbers and names, without a gap', () => {
  const [sqlite, postgres] = DIALECTS.map((dialect) =>
    readdirSync(new URL(`../../src/data/schema/${dialect}`, import.meta.url)).toSorted(),
  );
  assert.deepEqual(sqlite, postgres);
  for (const dialect of DIALECTS) {
    const numbers = readMigrations(dialect).map(({ version }) => version);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => at + 1),
    );
    assert.equal(numbers.length, sqlite?.length);
  }
});

test('every table of SQLite is strict', async () => {
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

test('every text of PostgreSQL is compared by its bytes', async () => {
  await using database = await newDatabase('migrated');
  await using sql = await openPostgres(database);
  const rows = await sql.all(
    `select table_name, column_name, collation_name from information_schema.columns
     where table_schema = 'public' and data_type = 'text' and table_name in
       (select relname from pg_class where relkind in ('r', 'p'))`,
  );
  assert.ok(rows.length > 100);
  assert.deepEqual(
    rows.filter((row) => row['collation_name'] !== 'C'),
    [],
  );
});

for (const dialect of DIALECTS) {
  test(`a store with rows gets the next schema, once (${dialect}, seed ${SEED})`, async () => {
    await using place = await newPlace(dialect);
    const before = await filled(place.config);
    await using sql = await openRaw(place.config);
    await migrate(sql);
    await isAsBefore(sql, before);
    const migrations = withNextMigration(dialect, { fill: 'stored' });
    await migrate(sql, migrations);
    await isMigrated(sql, before);
    await migrate(sql, migrations);
    await isMigrated(sql, before);
  });

  test(`a migration that fails leaves nothing of itself (${dialect})`, async () => {
    await using place = await newPlace(dialect);
    const before = await filled(place.config);
    await using sql = await openRaw(place.config);
    const [last] = withNextMigration(dialect, { fill: 'stored' }).slice(-1);
    assert.ok(last !== undefined);
    const broken = { ...last, statements: [...last.statements, ...last.statements] };
    await assert.rejects(migrate(sql, [...readMigrations(dialect), broken]), /already exists/);
    await isAsBefore(sql, before);
    await migrate(sql, [...readMigrations(dialect), last]);
    await isMigrated(sql, before);
  });

  test(`two processes that migrate at once run each migration once (${dialect})`, async () => {
    await using place = await newPlace(dialect);
    const before = await filled(place.config);
    await using one = await openRaw(place.config);
    await using other = await openRaw(place.config);
    const migrations = withNextMigration(dialect, { fill: 'stored' });
    await Promise.all([migrate(one, migrations), migrate(other, migrations)]);
    await isMigrated(one, before);
  });

  test(`data of a newer program is refused and left as it is (${dialect})`, async () => {
    await using place = await newPlace(dialect);
    const before = await filled(place.config);
    await using sql = await openRaw(place.config);
    await migrate(sql, withNextMigration(dialect, { fill: 'stored' }));
    const newest = newestVersion();
    const said = `schema version ${newest + 1}, this program knows up to ${newest}`;
    await assert.rejects(openStore(place.config), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.ok(error.message.includes(said), error.message);
      return true;
    });
    await isMigrated(sql, before);
  });
}

test('a process killed in the middle of a migration leaves the store as it was, and the next one migrates it (sqlite)', async () => {
  await using place = await newPlace('sqlite');
  assert.ok(place.config.kind === 'sqlite');
  const { path } = place.config;
  const before = await filled(place.config);
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./upgrading-child.ts', import.meta.url)), path],
    { stdio: 'inherit' },
  );
  const ended = once(child, 'close');
  try {
    // Bytes written by the open transaction: more than its cache holds, and it never ends.
    const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    await until(() => child.exitCode !== null || logBytes() > 4_000_000);
    assert.equal(child.exitCode, null);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  await using sql = await openRaw(place.config);
  await isAsBefore(sql, before);
  await migrate(sql, withNextMigration('sqlite', { fill: 'stored' }));
  await isMigrated(sql, before);
});

test('a connection cut in the middle of a migration leaves the store as it was, and the next one migrates it (postgres)', async () => {
  await using place = await newPlace('postgres');
  assert.ok(place.config.kind === 'postgres');
  const { url } = place.config;
  const before = await filled(place.config);
  {
    await using sql = await openRaw(place.config);
    const ended = new AbortController();
    const migrations = withNextMigration('postgres', { fill: 'endless' });
    const migrating = migrate(sql, migrations).finally(() => ended.abort());
    const [outcome, cuts] = await Promise.allSettled([migrating, cutSleepers(url, ended.signal)]);
    assert.match(String(outcome.status === 'rejected' && outcome.reason), /terminating connection/);
    // It is retried on a new connection, which finds nothing of the first attempt.
    assert.deepEqual(cuts, { status: 'fulfilled', value: 2 });
  }
  await using sql = await openRaw(place.config);
  await isAsBefore(sql, before);
  await migrate(sql, withNextMigration('postgres', { fill: 'stored' }));
  await isMigrated(sql, before);
});

/** The schema before facts had an origin and amounts minor units. */
const FIRST = 1;
const KILLS = 10;

/** Amounts as the first schema had them, in hundredths of every currency. */
const PRICED = [
  ['USD', 1_999, 1_999],
  ['JPY', 129_950, 1_300],
  ['JPY', 49, null],
  ['KWD', 1_250, 12_500],
  ['CLF', 3_075, 307_500],
] as const;

async function withFirstSchema(config: StoreConfig): Promise<void> {
  await using sql = await openRaw(config);
  await migrate(sql, readMigrations(sql.dialect).slice(0, FIRST));
  await sql.write(
    PRICED.map(([currency, cents], at) => ({
      text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms, price_cents, currency)
        values ($1, 'retailer_w', $1, 'https://shop.example.com/', 'url', 'ok', 1, $2, $3)`,
      params: [`listing${at}`, cents, currency],
    })),
  );
}

async function hasMinorUnits(config: StoreConfig): Promise<void> {
  await using sql = await openRaw(config);
  await migrate(sql);
  assert.equal(await schemaVersionOf(sql, 'here'), newestVersion());
  const rows = await sql.all('select price_cents, source, layer_of from listings order by id');
  assert.deepEqual(
    rows.map((row) => [row['price_cents'], row['source'], row['layer_of']]),
    PRICED.map(([, , cents]) => [cents, null, null]),
  );
}

test(`a store of the first schema gets this one after ${KILLS} kills in the middle of its migrations (sqlite)`, async () => {
  await using place = await newPlace('sqlite');
  assert.ok(place.config.kind === 'sqlite');
  const { path } = place.config;
  await withFirstSchema(place.config);
  const own = readMigrations('sqlite').filter(({ version }) => version > FIRST);
  const stops = own.flatMap(({ version, statements }) => statements.map((_, at) => [version, at]));
  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const random = randomFrom(SEED);
  const versions: number[] = [];
  // In order, so that no kill finds its migration done.
  const chosen = Array.from({ length: KILLS }, () => integerBelow(random, stops.length));
  for (const at of chosen.toSorted((a, b) => a - b)) {
    const [version = 0, statements = 0] = stops[at] ?? [];
    const program = fileURLToPath(new URL('./upgrading-child.ts', import.meta.url));
    const args = [program, path, String(version), String(statements)];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    const ended = once(child, 'close');
    await until(() => child.exitCode !== null || logBytes() > 4_000_000);
    assert.equal(child.exitCode, null, `version ${version} after ${statements} statements`);
    child.kill('SIGKILL');
    await ended;
    await using sql = await openRaw(place.config);
    versions.push((await schemaVersionOf(sql, 'here')) ?? 0);
    assert.equal(versions.at(-1), version - 1, 'nothing of the migration is left');
  }
  await hasMinorUnits(place.config);
});

test(`a store of the first schema gets this one after ${KILLS} kills in the middle of its migrations (postgres)`, async () => {
  await using place = await newPlace('postgres');
  assert.ok(place.config.kind === 'postgres');
  const { url } = place.config;
  await withFirstSchema(place.config);
  const text = readMigrations('postgres')
    .filter(({ version }) => version > FIRST)
    .flatMap(({ statements }) => statements)
    .join('\n');
  const tables = [
    ...new Set(text.matchAll(/^(?:alter table|update) (\w+)/gm).map(([, name = '']) => name)),
  ];
  assert.ok(tables.length >= KILLS);
  for (const table of tables.slice(-KILLS)) {
    await withClient(url, async (client) => {
      await client.query('begin');
      await client.query(`lock table ${table} in access exclusive mode`);
      const program = fileURLToPath(new URL('./migrating-child.ts', import.meta.url));
      const child = spawn(process.execPath, [program, url, 'one'], { stdio: 'ignore' });
      const ended = once(child, 'close');
      await withClient(url, (watcher) => untilWaiting(watcher, table, child));
      child.kill('SIGKILL');
      await ended;
      await client.query('rollback');
    });
  }
  await hasMinorUnits(place.config);
});

/** Resolves when a connection waits for a lock on the table. Another transaction's view of the activity does not change. */
async function untilWaiting(client: Client, table: string, child: ChildProcess): Promise<void> {
  const text = `select 1 from pg_locks where not granted and relation = '${table}'::regclass`;
  for (let isWaiting = false; !isWaiting;) {
    assert.equal(child.exitCode, null, `the migrations do not wait for ${table}`);
    isWaiting = (await client.query(text)).rows.length > 0;
  }
}

/** Ends every sleeping connection until told to stop; returns how many server processes that were. */
async function cutSleepers(url: string, stop: AbortSignal): Promise<number> {
  return await withClient(url, async (client) => {
    const cut = new Set<number>();
    while (!stop.aborted) {
      const { rows } = await client.query<{ readonly pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`,
      );
      for (const { pid } of rows) cut.add(pid);
    }
    return cut.size;
  });
}

test('eight processes that start together make one store', { timeout: 60_000 }, async () => {
  await using place = await newPlace('sqlite');
  assert.ok(place.config.kind === 'sqlite');
  const { path } = place.config;
  const child = fileURLToPath(new URL('./migrating-child.ts', import.meta.url));
  const names = Array.from({ length: 8 }, (_, n) => `org-${n}`);
  const runs = await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [child, path, name])),
  );
  assert.deepEqual(
    runs.map(({ stdout }) => stdout),
    names.map(() => 'done\n'),
  );
  await using store = await openStore(place.config);
  const found = await store.accounts.listOrganizations();
  assert.deepEqual(
    found.map(({ name }) => name),
    names,
  );
  assert.deepEqual(await checkStore(store.sql), []);
});
