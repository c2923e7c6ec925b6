// openshelf backup: a complete copy of one moment, made while a service keeps writing; and the restore.

import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { lastBackupMs } from '../../../src/answer/metrics/process-figures.ts';
import { openStore } from '../../../src/data/store.ts';
import { contentOf, fillStore } from '../../support/filled-store.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson, runProgram } from '../../support/program.ts';
import { randomFrom } from '../../support/random.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('what was answered before the backup is in it, and a service starts from it', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const file = join(folder.path, 'copy.db');
  await using service = await startService({ env: { OPENSHELF_DATA: data, DATABASE_URL: '' } });
  const url = service.sandbox.describe().url.json_ld;
  assert.equal((await service.lookup(url)).status, 200);
  // Calls are answered and charged during the copy.
  const copied = new AbortController();
  const calls = (async () => {
    let answered = 0;
    while (!copied.signal.aborted) answered += (await service.lookup(url)).status === 200 ? 1 : 0;
    return answered;
  })();
  // In its own process: in this one the copy would leave no turn for the calls.
  const done = await runProgram(['backup', file, '--data', data, '--json']);
  copied.abort();
  assert.ok((await calls) > 0);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(lastJson(done), { file, bytes: statSync(file).size });
  assert.equal(statSync(file).mode & 0o077, 0);
  const restored = join(folder.path, 'restored');
  mkdirSync(restored);
  copyFileSync(file, join(restored, 'openshelf.db'));
  const check = await runCommand(['check', '--data', restored, '--json']);
  assert.deepEqual(lastJson(check), { clean: true, problems: [] });
  const usage = await runCommand(['usage', '--org', 'test', '--data', restored, '--json']);
  assert.ok((lastJson(usage) as { calls: number }).calls >= 1);
});

test('every row is in the copy', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await using store = await openStore({ kind: 'sqlite', path });
  await fillStore(store.sql, randomFrom(3));
  const copy = join(folder.path, 'copy.db');
  assert.equal((await runCommand(['backup', copy, '--data', folder.path])).code, 0);
  await using stored = await openStore({ kind: 'sqlite', path: copy });
  assert.deepEqual(await contentOf(stored.sql), await contentOf(store.sql));
});

const WRITERS: readonly (readonly [args: readonly string[], works: string])[] = [
  [['backup', '@/new.db'], '@/new.db'],
  [['restore', '@/copy.db', '--data', '@/restored'], '@/restored/openshelf.db.restoring'],
  [['export', '--output', '@/new.csv'], '@/new.csv'],
  [['export', '--output', '@/new.parquet'], '@/new.parquet'],
];

for (const [args, works] of WRITERS) {
  test(`what another process is writing is left to it: openshelf ${args.join(' ')}`, async () => {
    using folder = temporaryFolder();
    const at = (path: string) => path.replace('@', folder.path);
    const path = join(folder.path, 'openshelf.db');
    await (await openStore({ kind: 'sqlite', path }))[Symbol.asyncDispose]();
    const env = { OPENSHELF_DATA: folder.path };
    assert.equal((await runCommand(['backup', at('@/copy.db')], { env })).code, 0);
    mkdirSync(at('@/restored'));
    // A live process and what it has written so far.
    writeFileSync(`${at(works)}.lock`, `${process.ppid}\n`);
    const begun = works.endsWith('.restoring') ? at(works) : `${at(works)}.part`;
    writeFileSync(begun, 'begun');
    const before = namesBelow(folder.path);
    const refused = await runCommand(args.map(at), { env });
    assert.equal(refused.code, 1, refused.stdout);
    assert.ok(refused.stderr.includes(`Another openshelf is using ${at(works)}.`), refused.stderr);
    assert.deepEqual(namesBelow(folder.path), before);
    assert.equal(readFileSync(begun, 'utf8'), 'begun');
  });
}

function namesBelow(path: string): ReadonlySet<string> {
  return new Set(readdirSync(path, { recursive: true, encoding: 'utf8' }));
}

test('of backups that are begun together one is made, whole', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  {
    await using store = await openStore({ kind: 'sqlite', path });
    await fillStore(store.sql, randomFrom(6), (name) => (name === 'observations' ? 20_000 : 30));
  }
  const copy = join(folder.path, 'copy.db');
  const args = ['backup', copy, '--data', folder.path, '--json'];
  const all = await Promise.all([runProgram(args), runProgram(args), runProgram(args)]);
  const [made, ...others] = all.filter(({ code }) => code === 0);
  assert.ok(made !== undefined && others.length === 0);
  assert.deepEqual(lastJson(made), { file: copy, bytes: statSync(copy).size });
  await using original = await openStore({ kind: 'sqlite', path });
  const content = await contentOf(original.sql);
  await using stored = await openStore({ kind: 'sqlite', path: copy });
  assert.deepEqual(await contentOf(stored.sql), content);
});

test('what a backup that was killed has left is gone with the next one', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await (await openStore({ kind: 'sqlite', path }))[Symbol.asyncDispose]();
  const copy = join(folder.path, 'copy.db');
  const left = ['.part', '.part-journal', '.lock'];
  for (const suffix of left) writeFileSync(copy + suffix, '');
  assert.equal((await runCommand(['backup', copy, '--data', folder.path])).code, 0);
  const copies = readdirSync(folder.path).filter((name) => name.startsWith('copy.db'));
  assert.deepEqual(copies, ['copy.db']);
});

test('a backup is one, whether or not it can be noted; the note follows no link', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await using _store = await openStore({ kind: 'sqlite', path });
  const note = join(folder.path, 'last-backup');
  const other = join(folder.path, 'other');
  writeFileSync(other, 'as it was');
  symlinkSync(other, note);
  const done = await runCommand(['backup', join(folder.path, 'one.db'), '--data', folder.path]);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(readFileSync(other, 'utf8'), 'as it was');
  assert.ok(lastBackupMs(folder.path) !== null);
  rmSync(note);
  mkdirSync(note);
  const copy = join(folder.path, 'two.db');
  const unnoted = await runCommand(['backup', copy, '--data', folder.path]);
  assert.equal(unnoted.code, 0);
  assert.ok(existsSync(copy));
  assert.match(unnoted.stderr, /The service is not told of this backup: .*last-backup/);
});

test('an unreadable list of takedowns is reported before anything is written', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  await (await openStore({ kind: 'sqlite', path }))[Symbol.asyncDispose]();
  writeFileSync(join(folder.path, 'takedowns.json'), 'none');
  const copy = join(folder.path, 'copy.db');
  const refused = await runCommand(['backup', copy, '--data', folder.path]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /takedowns\.json is not a list of takedowns/);
  assert.ok(!existsSync(copy));
});

test('nothing is overwritten, nothing is left half, and PostgreSQL has tools of its own', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  {
    await using store = await openStore({ kind: 'sqlite', path });
    await fillStore(store.sql, randomFrom(4));
  }
  const taken = join(folder.path, 'taken.db');
  writeFileSync(taken, 'mine');
  const refused = await runCommand(['backup', taken, '--data', folder.path, '--json']);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /already exists/);
  const nowhere = await runCommand([
    'backup',
    join(folder.path, 'no', 'copy.db'),
    '--data',
    folder.path,
  ]);
  assert.equal(nowhere.code, 1);
  const none = await runCommand([
    'backup',
    join(folder.path, 'x.db'),
    '--data',
    join(folder.path, 'no'),
  ]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /There is no data|no data in/);
  const env = { DATABASE_URL: 'postgres://u@127.0.0.1:9/x' };
  const other = await runCommand(['backup', join(folder.path, 'x.db')], { env });
  assert.equal(other.code, 1);
  assert.match(other.stderr, /pg_dump/);
  assert.deepEqual(readdirSync(folder.path).sort(), ['openshelf.db', 'taken.db']);
  assert.equal((await runCommand(['backup'])).code, 2);
  assert.ok(existsSync(path));
  chmodSync(path, 0o400);
  assert.equal(
    (await runCommand(['backup', join(folder.path, 'y.db'), '--data', folder.path])).code,
    0,
  );
});
