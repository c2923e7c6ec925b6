// A database that lost pages is refused when it is opened, not in the middle of a call; one whose empty pages mean nothing is
// opened.

import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { openStore } from '../../../src/data/store.ts';
import { fillStore } from '../../support/filled-store.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAGE = 1_024;

async function filledFile(path: string): Promise<number> {
  {
    await using store = await openStore({ kind: 'sqlite', path });
    await fillStore(store.sql, randomFrom(seedOf(8)));
  }
  return statSync(path).size / PAGE;
}

async function opens(path: string): Promise<boolean> {
  await using store = await openStore({ kind: 'sqlite', path });
  return await store.sql.probe();
}

function zero(path: string, page: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE), 0, PAGE, (page - 1) * PAGE);
  closeSync(file);
}

test('a database with any one of its pages zeroed is refused with the page and the remedy, and left as it is', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'whole.db');
  const pages = await filledFile(path);
  assert.ok(pages > 50);
  for (let page = 2; page <= pages; page += 7) {
    const damaged = join(folder.path, 'damaged.db');
    copyFileSync(path, damaged);
    zero(damaged, page);
    const before = readFileSync(damaged);
    const says = new RegExp(
      `damaged\\.db is damaged: 1 of its ${pages} pages .* page ${page}\\. Restore a backup`,
    );
    await assert.rejects(opens(damaged), says);
    assert.ok(readFileSync(damaged).equals(before));
  }
  assert.equal(await opens(path), true);
});

test('a database whose lost page is in its log is opened', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const copy = join(folder.path, 'copy.db');
  const pages = await filledFile(path);
  {
    await using store = await openStore({ kind: 'sqlite', path });
    await store.sql.write([
      { text: "insert into takedowns (host, taken_down_at_ms) values ('a.example', 1)" },
    ]);
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
  }
  const frame = 24 + PAGE;
  const log = readFileSync(`${copy}-wal`);
  assert.ok(log.length > frame);
  const page = log.readUInt32BE(32);
  assert.ok(page > 1 && page <= pages);
  zero(copy, page);
  assert.equal(await opens(copy), true);
});

test('a database with many free pages of zeros is opened', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await filledFile(path);
  const db = new DatabaseSync(path);
  db.exec(`pragma secure_delete = on; pragma journal_mode = delete; create table later (text text);
    insert into later values (hex(randomblob(200000))); drop table later`);
  const free = Number(db.prepare('pragma freelist_count').get()?.['freelist_count']);
  db.close();
  assert.ok(free > 50);
  assert.equal(await opens(path), true);
});

test('a database larger than what is read at a start is refused if a stretch of it is zeroed', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await filledFile(path);
  const db = new DatabaseSync(path);
  db.exec(`begin; create table later (text text); insert into later
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 40) select hex(randomblob(1000000)) from n; commit;
    pragma wal_checkpoint(truncate)`);
  const { size } = statSync(path);
  db.close();
  assert.ok(size > 70_000_000);
  await assert.rejects(opens(path), /a table that this program did not make \(later\)/);
  const middle = Math.floor(size / PAGE / 2);
  for (let page = middle; page < middle + 4; page += 1) zero(path, page);
  await assert.rejects(opens(path), /openshelf\.db is damaged/);
});
