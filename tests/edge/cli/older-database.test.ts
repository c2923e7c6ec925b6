// Every command that opens a database refuses one of an older program, explains what to do, and leaves it unchanged.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { openStore, type StoreConfig } from '../../../src/data/store.ts';
import { runCommand } from '../../support/command.ts';
import { newDatabase } from '../../support/databases.ts';
import { contentOf, fillStore } from '../../support/filled-store.ts';
import { randomFrom } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SAID =
  /is the database of an older openshelf, .*nothing was changed\. Check out commit [0-9a-f]{7,40} .*`openshelf dump FILE`\. .*`openshelf load FILE`/;

/** IMPORTED is replaced by a file that can be imported. */
const COMMANDS: readonly (readonly string[])[] = [
  ['serve', '--port', '0'],
  ['lookup', '012345678905'],
  ['compare', '012345678905'],
  ['history', '012345678905'],
  ['mcp'],
  ['keys', 'create', '--org', 'acme'],
  ['keys', 'list', '--org', 'acme'],
  ['orgs', 'list'],
  ['usage', '--org', 'acme'],
  ['watch', 'list', '--org', 'acme'],
  ['channel', 'list', '--org', 'acme'],
  ['import', 'IMPORTED'],
  ['export'],
  ['takedown', 'shop.example'],
  ['check'],
  ['compact'],
  ['quality'],
  ['doctor'],
];

const openRaw = (config: StoreConfig) =>
  config.kind === 'sqlite' ? openSqlite(config) : openPostgres({ url: config.url });

/** Fills a store and adds the version table that older programs have. */
async function makeOlder(config: StoreConfig): Promise<void> {
  {
    await using store = await openStore(config);
    await fillStore(store.sql, randomFrom(1), () => 3);
  }
  await using sql = await openRaw(config);
  await sql.write([
    { text: 'alter table openshelf_migrations rename to schema_versions' },
    { text: 'insert into schema_versions (version) values (25)' },
  ]);
}

async function contentAt(config: StoreConfig) {
  await using sql = await openRaw(config);
  const versions = await sql.all('select version from schema_versions order by version');
  return { versions, content: await contentOf(sql) };
}

for (const [dialect, title] of [
  ['sqlite', 'every command that opens the data refuses it, and changes nothing: on SQLite'],
  ['postgres', 'every command that opens the data refuses it, and changes nothing: on PostgreSQL'],
] as const) {
  test(title, async () => {
    using folder = temporaryFolder();
    await using database = dialect === 'sqlite' ? null : await newDatabase('empty');
    const data = join(folder.path, 'data');
    const path = join(data, 'openshelf.db');
    mkdirSync(data);
    const config: StoreConfig =
      database === null ? { kind: 'sqlite', path } : { kind: 'postgres', url: database.url };
    const env: Record<string, string> = {
      OPENSHELF_DATA: data,
      ...(database === null ? {} : { DATABASE_URL: database.url }),
    };
    await makeOlder(config);
    const before = await contentAt(config);
    const bytes = dialect === 'sqlite' ? readFileSync(path) : null;
    const imported = join(folder.path, 'history.ndjson');
    writeFileSync(imported, '{"identifier":"012345678905","at":"2026-01-01","price":1}\n');
    for (const words of COMMANDS) {
      const args = words.map((word) => (word === 'IMPORTED' ? imported : word));
      const { code, stdout, stderr } = await runCommand(args, { env });
      assert.equal(code, 1, `${words.join(' ')}: ${stderr}`);
      assert.match(stdout + stderr, SAID, words.join(' '));
    }
    if (bytes !== null) {
      assert.ok(readFileSync(path).equals(bytes));
      // The lock of a service, and what SQLite leaves after a reader: an empty log and its index.
      const made = readdirSync(data).filter((name) => statSync(join(data, name)).size > 0);
      assert.deepEqual(
        made.filter((name) => !/(?:\.service|-shm)$/.test(name)),
        ['openshelf.db'],
      );
    }
    assert.deepEqual(await contentAt(config), before);
  });

  test(`it is neither the source nor the target of a move (${dialect})`, async () => {
    using folder = temporaryFolder();
    await using database = dialect === 'sqlite' ? null : await newDatabase('empty');
    const [older, other] = ['older', 'other'].map((name) => join(folder.path, name));
    assert.ok(older !== undefined && other !== undefined);
    mkdirSync(older);
    const config: StoreConfig =
      database === null
        ? { kind: 'sqlite', path: join(older, 'openshelf.db') }
        : { kind: 'postgres', url: database.url };
    const env: Record<string, string> = database === null ? {} : { DATABASE_URL: database.url };
    const place = database === null ? older : 'DATABASE_URL';
    await makeOlder(config);
    const before = await contentAt(config);
    await (
      await openStore({ kind: 'sqlite', path: join(other, 'openshelf.db') })
    )[Symbol.asyncDispose]();
    for (const [from, to] of [
      [place, other],
      [other, place],
    ] as const) {
      const { code, stderr } = await runCommand(['migrate-store', '--from', from, '--to', to], {
        env,
      });
      assert.equal(code, 1);
      assert.match(stderr, SAID);
    }
    assert.deepEqual(await contentAt(config), before);
  });
}

test('a backup of it is not restored, and the data that is there stays', async () => {
  using folder = temporaryFolder();
  const [path, backup] = [join(folder.path, 'openshelf.db'), join(folder.path, 'backup.db')];
  await makeOlder({ kind: 'sqlite', path });
  copyFileSync(path, backup);
  const data = join(folder.path, 'data');
  const { code, stderr } = await runCommand(['restore', backup, '--data', data]);
  assert.equal(code, 1);
  assert.match(stderr, SAID);
  assert.ok(stderr.includes(backup));
  assert.deepEqual(readdirSync(data), []);
});

test('tables of another program next to ours do not make a database an older one', async () => {
  await using database = await newDatabase('empty');
  const config = { kind: 'postgres', url: database.url } as const;
  {
    await using sql = await openPostgres(database);
    await sql.write([{ text: 'create table schema_versions (version text)' }]);
  }
  await assert.doesNotReject(async () => (await openStore(config))[Symbol.asyncDispose]());
});
