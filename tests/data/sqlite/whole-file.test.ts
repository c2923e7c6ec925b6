// The database file as a whole: only its owner may read it, and one that lost its content is not initialized again.

import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync, truncateSync, writeFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';

import { openStore } from '../../../src/data/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const modes = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
  );

test('database and log are readable by their owner alone, from the first moment and after a start', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'made', 'here');
  const path = join(data, 'openshelf.db');
  const owned = { 'openshelf.db': 0o600, 'openshelf.db-shm': 0o600, 'openshelf.db-wal': 0o600 };
  {
    await using store = await openStore({ kind: 'sqlite', path });
    assert.equal(await store.sql.probe(), true);
    assert.deepEqual(modes(data), owned);
    assert.equal(statSync(data).mode & 0o777, 0o700);
  }
  chmodSync(path, 0o644);
  writeFileSync(`${path}-wal`, '', { mode: 0o644 });
  await using store = await openStore({ kind: 'sqlite', path });
  assert.equal(await store.sql.probe(), true);
  assert.deepEqual(modes(data), owned);
});

test('what a process with the same number has left half-made is in nobody’s way', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const half = `openshelf.db.${process.pid}.part`;
  for (const name of [half, `${half}-journal`]) writeFileSync(join(folder.path, name), 'half');
  {
    await using store = await openStore({ kind: 'sqlite', path });
    assert.equal(await store.sql.probe(), true);
  }
  assert.deepEqual(readdirSync(folder.path), ['openshelf.db']);
});

test('a file that lost its content is refused with what to do, and left as it is', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const open = async () => {
    await using store = await openStore({ kind: 'sqlite', path });
    return await store.sql.probe();
  };
  assert.equal(await open(), true);
  assert.equal(await open(), true, 'a second start of the same file');
  const whole = statSync(path).size;
  const losses: readonly (readonly [string, () => void])[] = [
    ['cut in the middle', () => truncateSync(path, whole / 2)],
    ['cut to one page', () => truncateSync(path, 4_096)],
    ['cut inside the first page', () => truncateSync(path, 100)],
    ['empty', () => truncateSync(path, 0)],
    ['zeros', () => writeFileSync(path, Buffer.alloc(whole))],
    ['another format', () => writeFileSync(path, 'PK\u0003\u0004'.repeat(1_000))],
    ['a database without tables', () => emptyDatabase(path)],
    ['a log alone', () => logAlone(path)],
  ];
  for (const [name, lose] of losses) {
    lose();
    const before = readdirSync(folder.path).map((each) => statSync(join(folder.path, each)).size);
    await assert.rejects(open(), /restore/i, name);
    const after = readdirSync(folder.path).map((each) => statSync(join(folder.path, each)).size);
    if (name !== 'a database without tables') assert.deepEqual(after, before, name);
  }
  unlinkSync(`${path}-wal`);
  assert.equal(await open(), true, 'a folder without data begins again');
});

function emptyDatabase(path: string): void {
  writeFileSync(path, '');
  const db = new DatabaseSync(path);
  db.exec('create table t (a); drop table t; vacuum');
  db.close();
}

function logAlone(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      unlinkSync(path + suffix);
    } catch {
      // It does not exist.
    }
  }
  writeFileSync(`${path}-wal`, 'what was written last');
}
