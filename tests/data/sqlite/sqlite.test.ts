import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';

import { isSafeSqliteVersion } from '../../../src/data/sqlite/connection.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testConformance } from '../conformance.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';

testConformance('sqlite', () => openSqlite({ path: ':memory:' }));

test('builds of SQLite whose WAL can be corrupted are refused', () => {
  const safe = ['3.51.3', '3.53.4', '3.52.0', '3.50.7', '3.50.12', '3.44.6', '4.0.0', '3.100.0'];
  const unsafe = [
    '3.51.2',
    '3.51.0',
    '3.50.6',
    '3.46.1',
    '3.44.5',
    '3.45.9',
    '3.7.0',
    '2.8.17',
    '',
  ];
  assert.deepEqual(
    safe.filter((version) => !isSafeSqliteVersion(version)),
    [],
  );
  assert.deepEqual(unsafe.filter(isSafeSqliteVersion), []);
});

test('what was written is there after closing, in one file', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'deep', 'er', 'openshelf.sqlite');
  {
    await using sql = await openSqlite({ path });
    await sql.write([{ text: 'create table t (a integer) strict' }]);
    await sql.write([{ text: 'insert into t (a) values ($1)', params: [42] }]);
    assert.equal(existsSync(`${path}-wal`), true);
    assert.equal(readFileSync(path).readUInt8(18), 2, 'byte 18 of the file says WAL');
  }
  assert.equal(existsSync(`${path}-wal`), false);
  await using again = await openSqlite({ path });
  assert.deepEqual({ ...(await again.all('select a from t'))[0] }, { a: 42 });
});

test('the connection that reads cannot write', async () => {
  await using sql = await openSqlite({ path: ':memory:' });
  await assert.rejects(sql.all('create table t (a integer)'), /readonly/);
});

test('a writer thread that dies rejects what waits and what comes, and the probe says so', async () => {
  using folder = temporaryFolder();
  await using sql = await openSqlite({
    path: join(folder.path, 'openshelf.sqlite'),
    writerThread: new URL('./dying-writer-thread.ts', import.meta.url),
  });
  const transaction = [{ text: 'create table t (a integer)' }];
  const waiting = await Promise.allSettled([sql.write(transaction), sql.write(transaction)]);
  for (const each of waiting) {
    assert.ok(each.status === 'rejected' && each.reason instanceof StoreUnavailable);
    assert.match(each.reason.message, /the disk is on fire/);
  }
  await assert.rejects(sql.write(transaction), StoreUnavailable);
  assert.equal(await sql.probe(), false);
});

test('a file that is not a database, or a folder, is refused with its path', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'notes.txt');
  writeFileSync(
    path,
    'this is not a database, but it is long enough to look like a page\n'.repeat(99),
  );
  await assert.rejects(openSqlite({ path }), (error: Error) => {
    assert.ok(error instanceof StoreUnavailable);
    assert.match(error.message, /notes\.txt.*is not an SQLite database/);
    return true;
  });
  await assert.rejects(openSqlite({ path: folder.path }), StoreUnavailable);
  await assert.rejects(
    openSqlite({ path: join(path, 'deeper', 'db') }),
    /cannot create the data folder/,
  );
});

test('a lock that another process holds is waited for, then given up with a reason', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.sqlite');
  await using sql = await openSqlite({ path, busyTimeoutMs: 60 });
  await sql.write([{ text: 'create table t (a integer) strict' }]);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const insert = [{ text: 'insert into t (a) values (1)' }];
  await assert.rejects(sql.write(insert), (error: Error) => {
    assert.ok(error instanceof StoreUnavailable);
    assert.match(error.message, /locked/);
    return true;
  });
  assert.deepEqual(await sql.all('select a from t'), [], 'reads go on meanwhile');
  other.exec('commit');
  other.close();
  assert.equal((await sql.write(insert)).done, true);
});

test('two stores of one process on one file see each other at once', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.sqlite');
  await using one = await openSqlite({ path });
  await using two = await openSqlite({ path });
  await one.write([{ text: 'create table t (a integer) strict' }]);
  await two.write([{ text: 'insert into t (a) values (7)' }]);
  assert.deepEqual({ ...(await one.all('select a from t'))[0] }, { a: 7 });
});

test('a full disk rejects what did not fit, keeps what was there, and is written again when there is room', async () => {
  await using sql = await openSqlite({ path: ':memory:' });
  await sql.write([{ text: 'create table t (a text not null) strict' }]);
  // The same error as on a full disk, without one.
  await sql.write([{ text: 'pragma max_page_count = 20' }]);
  const insert = (text: string) =>
    sql.write([{ text: 'insert into t (a) values ($1)', params: [text] }]);
  const results = await Promise.allSettled([
    insert('before'),
    insert('x'.repeat(1_000_000)),
    insert('after'),
  ]);
  const kept: string[] = [];
  for (const [index, each] of results.entries()) {
    if (each.status === 'fulfilled') kept.push(['before', 'x', 'after'][index] ?? '');
    else assert.ok(each.reason instanceof StoreUnavailable, String(each.reason));
  }
  assert.equal(results[1]?.status, 'rejected');
  const rows = await sql.all('select a from t');
  assert.deepEqual(
    rows.map((row) => row['a']),
    kept,
    'what was promised is there, nothing else',
  );
  await sql.write([{ text: 'pragma max_page_count = 1000000' }]);
  await insert('x'.repeat(1_000_000));
  assert.equal((await sql.all('select a from t')).length, kept.length + 1);
});

const LOST: readonly (readonly [what: string, lose: (folder: string, path: string) => void])[] = [
  ['is deleted', (_folder, path) => rmSync(path)],
  ['is deleted with its folder', (folder) => rmSync(folder, { recursive: true })],
  [
    'is replaced by a copy of itself',
    (_folder, path) => {
      cpSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
];

for (const [what, lose] of LOST) {
  test(`nothing is said to be written once the file ${what}, and the probe says so`, async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'data');
    const path = join(data, 'openshelf.sqlite');
    await using sql = await openSqlite({ path });
    await sql.write([{ text: 'create table t (a integer) strict' }, HEARTBEAT]);
    assert.equal(await sql.probe(), true);
    lose(data, path);
    const insert = [{ text: 'insert into t (a) values (1)' }];
    await assert.rejects(sql.write(insert), isAway);
    assert.equal(await sql.probe(), false);
  });
}

test('a file that is moved away and put back is written again', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.sqlite');
  await using sql = await openSqlite({ path });
  await sql.write([{ text: 'create table t (a integer) strict' }]);
  const insert = [{ text: 'insert into t (a) values (1)' }];
  renameSync(path, `${path}.away`);
  await assert.rejects(sql.write(insert), isAway);
  renameSync(`${path}.away`, path);
  await sql.write(insert);
  assert.equal((await sql.all('select a from t')).length, 1);
});

const HEARTBEAT = {
  text: 'create table heartbeat (id integer primary key, beats integer) strict',
};

function isAway(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable &&
    error.problem === 'away' &&
    /was deleted, moved or replaced while it was open/.test(error.message)
  );
}
