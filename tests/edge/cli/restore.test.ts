// openshelf restore: a backup becomes the data again, or nothing changes; and takedowns stay in effect.

import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';

import { DAY_MS } from '../../../src/base/clock.ts';
import { migrate, readMigrations } from '../../../src/data/migrate.ts';
import { restoreSqlite } from '../../../src/data/sqlite/restore.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { openStore, readSchemaVersion } from '../../../src/data/store.ts';
import { runCommand } from '../../support/command.ts';
import { contentOf } from '../../support/filled-store.ts';
import { runProgram, serveProgram } from '../../support/program.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

const ON_SQLITE = { DATABASE_URL: '' };

/** A service's data with a few lookups, and a backup of it. */
async function backedUp(folder: string) {
  const data = join(folder, 'data');
  const file = join(folder, 'backup.db');
  await using service = await startService({ env: { OPENSHELF_DATA: data, ...ON_SQLITE } });
  const { url } = service.sandbox.describe();
  for (const each of Object.values(url)) assert.equal((await service.lookup(each)).status, 200);
  const made = await runCommand(['backup', file, '--data', data]);
  assert.equal(made.code, 0, made.stderr);
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  copyFileSync(file, join(copy, 'openshelf.db'));
  const content = await contentIn(copy);
  assert.equal((await service.lookup(url.json_ld)).status, 200);
  return { data, file, content, url };
}

async function contentIn(data: string) {
  await using store = await openStore({ kind: 'sqlite', path: join(data, 'openshelf.db') });
  return await contentOf(store.sql);
}

test('a backup is restored into a new folder, and over data that is kept', async () => {
  using folder = temporaryFolder();
  const { data, file, content } = await backedUp(folder.path);
  const fresh = join(folder.path, 'fresh');
  const first = await runCommand(['restore', file, '--data', fresh, '--json']);
  assert.deepEqual(first.json, { file, data: fresh, kept_as: null, taken_down: [] });
  assert.deepEqual(await contentIn(fresh), content);
  assert.equal(statSync(join(fresh, 'openshelf.db')).mode & 0o777, 0o600);
  assert.equal(statSync(fresh).mode & 0o777, 0o700);

  const refused = await runCommand(['restore', file, '--data', data, '--json']);
  assert.equal(refused.code, 1);
  assert.match(String(refused.json['detail']), /already exists.*--replace/s);
  const later = await contentIn(data);
  assert.notDeepEqual(later, content);

  const second = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(await contentIn(data), content);
  const kept = String(second.json['kept_as']);
  const old = join(folder.path, 'old');
  mkdirSync(old);
  copyFileSync(kept, join(old, 'openshelf.db'));
  assert.deepEqual(await contentIn(old), later);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.includes('restoring')),
    [],
  );
});

test('the log of the data that is replaced is never applied to the restored file', async () => {
  using folder = temporaryFolder();
  const { data, file, content } = await backedUp(folder.path);
  const env = { OPENSHELF_DATA: data };
  // Killed: its last answers are only in the log.
  await using killed = await serveProgram(['--port', '0'], env);
  await runProgram(['orgs', 'create', 'late'], env);
  await killed.stop('SIGKILL');
  const done = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await contentIn(data), content);
  const kept = new DatabaseSync(String(done.json['kept_as']), { readOnly: true });
  const late = kept.prepare("select count(*) as n from organizations where name = 'late'").get();
  kept.close();
  assert.equal(late?.['n'], 1);
});

test('while a service runs on the folder, nothing is changed', async () => {
  using folder = temporaryFolder();
  const { data, file } = await backedUp(folder.path);
  await using running = await serveProgram(['--port', '0'], { OPENSHELF_DATA: data });
  const before = readdirSync(data).sort();
  const refused = await runProgram(['restore', file, '--data', data, '--replace', '--json']);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /another process has it open: stop the service/);
  assert.deepEqual(readdirSync(data).sort(), before);
  assert.equal(await running.stop('SIGTERM'), 0);
});

test('a file that is not a sound backup is refused, and the data stays as it is', async () => {
  using folder = temporaryFolder();
  const { data, file } = await backedUp(folder.path);
  const before = await contentIn(data);
  const broken: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ['empty.db', (path) => writeFileSync(path, ''), /is empty/],
    [
      'text.db',
      (path) => writeFileSync(path, 'a backup, honestly'.repeat(100)),
      /not an SQLite database/,
    ],
    [
      'cut.db',
      (path) => truncateSync(path, Math.floor(statSync(path).size / 8_192) * 4_096),
      /cut off/,
    ],
    [
      'flipped.db',
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xff, 3 * 4_096, 40 * 4_096);
        writeFileSync(path, bytes);
      },
      /is damaged|malformed|damaged|file/,
    ],
    [
      'ledger.db',
      (path) => {
        const db = new DatabaseSync(path);
        db.exec('update balances set used = used + 1');
        db.close();
      },
      /is damaged/,
    ],
    [
      'foreign.db',
      (path) => {
        writeFileSync(path, '');
        const db = new DatabaseSync(path);
        db.exec('create table notes (text)');
        db.close();
      },
      /another program/,
    ],
    [
      'newer.db',
      (path) => {
        const db = new DatabaseSync(path);
        db.exec('insert into openshelf_migrations values (999)');
        db.close();
      },
      /newer\.db: .*schema version 999/,
    ],
    ['live.db', (path) => writeFileSync(`${path}-wal`, 'log'), /not a backup/],
  ];
  for (const [name, breakIt, says] of broken) {
    const path = join(folder.path, name);
    copyFileSync(file, path);
    chmodSync(path, 0o600);
    breakIt(path);
    const refused = await runCommand(['restore', path, '--data', data, '--replace', '--json']);
    assert.equal(refused.code, 1, name);
    const detail = String(refused.json['detail']);
    assert.match(detail, says, name);
    assert.doesNotMatch(detail, /restoring/, name);
  }
  assert.equal((await runCommand(['restore', folder.path, '--data', data, '--replace'])).code, 1);
  assert.equal((await runCommand(['restore', join(folder.path, 'none'), '--data', data])).code, 1);
  assert.deepEqual(await contentIn(data), before);
  assert.deepEqual(
    readdirSync(data).filter((name) => /restoring|replaced/.test(name)),
    [],
  );
  const elsewhere = await runCommand(['restore', file], {
    env: { DATABASE_URL: 'postgres://u@127.0.0.1:9/x' },
  });
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stderr, /pg_restore/);
});

test('data that is not replaced keeps the schema of its own program', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const path = join(data, 'openshelf.db');
  const older = readMigrations('sqlite').slice(0, -1);
  {
    mkdirSync(data);
    await using sql = await openSqlite({ path });
    await migrate(sql, older);
  }
  const text = join(folder.path, 'text.db');
  writeFileSync(text, 'no backup');
  assert.equal((await runCommand(['restore', text, '--data', data, '--replace'])).code, 1);
  assert.equal(await readSchemaVersion({ kind: 'sqlite', path }), older.length);
});

test('what a service has begun meanwhile is replaced only by --replace', async () => {
  using folder = temporaryFolder();
  const { file } = await backedUp(folder.path);
  const path = join(folder.path, 'new', 'openshelf.db');
  const begun = async () => {
    await (await openStore({ kind: 'sqlite', path }))[Symbol.asyncDispose]();
  };
  const restored = restoreSqlite({ file, path, replaces: false, movedTo: `${path}.kept` }, begun);
  await assert.rejects(restored, /already exists/);
  assert.deepEqual(readdirSync(join(folder.path, 'new')), ['openshelf.db']);
});

test('data that cannot be opened any more is replaced, and kept', async () => {
  using folder = temporaryFolder();
  const { data, file, content } = await backedUp(folder.path);
  const path = join(data, 'openshelf.db');
  for (const bytes of ['', 'lost']) {
    writeFileSync(path, bytes);
    const started = await runProgram(['serve', '--port', '0', '--data', data]);
    assert.equal(started.code, 1);
    assert.match(started.stderr, /openshelf(?:\.js)? restore/);
    const done = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(readFileSync(String(done.json['kept_as']), 'utf8'), bytes);
    assert.deepEqual(await contentIn(data), content);
    await oneSecondLater(String(done.json['kept_as']));
  }
});

/** Kept files are named to the second. */
async function oneSecondLater(name: string): Promise<void> {
  const stamp = /\d{8}T\d{6}Z$/.exec(name)?.[0];
  assert.ok(stamp !== undefined, name);
  while (new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '') === stamp)
    await runCommand(['--version']);
}

for (const isWatchedBefore of [true, false]) {
  const began = isWatchedBefore ? 'before' : 'after';
  test(`a feed that began ${began} the backup and was read on gives all that comes behind the restore`, async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'data');
    const file = join(folder.path, 'backup.db');
    const env = { OPENSHELF_DATA: data, ...ON_SQLITE };
    const backUp = async () =>
      assert.equal((await runCommand(['backup', file, '--data', data])).code, 0);
    const watched = async (running: WatchService) => {
      const identifier = running.prices('/lamp', '20.00');
      const id = await running.watch({ identifier, any_change: true });
      await running.check(id);
      return id;
    };
    let id = '';
    let cursor = '';
    const feedOf = async (running: WatchService) => {
      const { status, body } = await running.call('GET', `/v1/changes?cursor=${cursor}`);
      assert.equal(status, 200, JSON.stringify(body));
      cursor = String(body['next']);
      return (body['changes'] as readonly { readonly after: unknown }[]).map(({ after }) => after);
    };
    {
      await using running = await startWatchService(env);
      if (!isWatchedBefore) await backUp();
      id = await watched(running);
      if (isWatchedBefore) await backUp();
      cursor = String((await running.call('GET', '/v1/changes')).body['next']);
      for (const price of ['19.00', '18.00', '17.00']) {
        running.prices('/lamp', price);
        await running.checkNext(id);
      }
      assert.deepEqual(await feedOf(running), [19, 18, 17]);
    }
    const restored = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
    assert.equal(restored.code, 0, restored.stderr);
    await using running = await startWatchService(env);
    running.clock.advance(10 * DAY_MS);
    if (!isWatchedBefore) id = await watched(running);
    assert.deepEqual(await feedOf(running), []);
    for (const price of ['16.00', '15.00', '14.00', '13.00']) {
      running.prices('/lamp', price);
      await running.checkNext(id);
      assert.deepEqual(await feedOf(running), [Number(price)]);
    }
  });
}

test('what was taken down after the backup is deleted from what is restored', async () => {
  using folder = temporaryFolder();
  const { data, file, url } = await backedUp(folder.path);
  const hosts = Object.values(url).map((each) => new URL(each).hostname);
  const [inFolder = '', besideBackup = '', undone = ''] = hosts;
  assert.equal((await runCommand(['takedown', inFolder, '--data', data])).code, 0);
  assert.equal((await runCommand(['takedown', undone, '--data', data])).code, 0);
  assert.equal((await runCommand(['takedown', '--undo', undone, '--data', data])).code, 0);
  writeFileSync(
    `${file}.takedowns.json`,
    JSON.stringify({
      takedowns: [{ host: besideBackup, taken_down_at: '2026-01-01T00:00:00Z', undone_at: null }],
    }),
  );
  const done = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(done.json['taken_down'], [inFolder, besideBackup].sort());
  const content = await contentIn(data);
  const left = (content['listings'] ?? []).map((row) => new URL(String(row['url'])).hostname);
  assert.deepEqual(left, [undone]);
  const second = join(folder.path, 'second.db');
  assert.equal((await runCommand(['backup', second, '--data', data])).code, 0);
  const beside = readFileSync(`${second}.takedowns.json`, 'utf8');
  for (const host of hosts) assert.match(beside, new RegExp(`"${host}"`));
  assert.equal(statSync(`${second}.takedowns.json`).mode & 0o077, 0);

  // An unreadable list stops a restore and a start: it may name hosts that must not return.
  writeFileSync(join(data, 'takedowns.json'), '{"takedowns": [{');
  const unread = await runCommand(['restore', file, '--data', data, '--replace', '--json']);
  assert.equal(unread.code, 1);
  assert.match(String(unread.json['detail']), /takedowns\.json is not a list of takedowns/);
  assert.ok(existsSync(join(data, 'openshelf.db')));
});
