// What the program says when the data, an address or a file is not as it should be.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { explainError } from '../../../src/edge/cli/system-error.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;

before(() => {
  folder = temporaryFolder();
});

after(() => folder[Symbol.dispose]());

const NEED_DATA: readonly (readonly string[])[] = [
  ['check'],
  ['usage', '--org', 'x'],
  ['keys', 'list', '--org', 'x'],
  ['keys', 'rotate', 'abcd1234'],
  ['keys', 'revoke', 'abcd1234'],
  ['orgs', 'list'],
  ['orgs', 'set', 'x', '--quota', '5'],
  ['orgs', 'grant', 'x', '5'],
  ['history', '4006381333931'],
  ['export'],
  ['quality'],
];

for (const args of NEED_DATA) {
  test(`a folder without data is named and not made: openshelf ${args.join(' ')}`, async () => {
    const typo = join(folder.path, 'data', 'typo');
    const done = await runCommand([...args, '--data', typo]);
    assert.equal(done.code, 1, done.stdout);
    assert.ok(done.stderr.includes(`There is no data in ${typo}.`), done.stderr);
    assert.equal(done.stdout, '');
    assert.ok(!existsSync(join(folder.path, 'data')), 'nothing is made');
  });
}

test('a quota that is out of range is refused with the range in whole numbers', async () => {
  const data = ['--data', join(folder.path, 'quotas')];
  for (const quota of ['-5', '1000000000000000', '1.5']) {
    for (const command of [
      ['keys', 'create', '--org', 'x'],
      ['orgs', 'create', 'x'],
    ]) {
      const done = await runCommand([...command, `--quota=${quota}`, ...data]);
      assert.equal(done.code, 2, done.stdout);
      assert.match(done.stderr, /--quota takes a whole number from 0 to 999999999999999, not "/);
    }
  }
  const most = await runCommand(['orgs', 'create', 'x', '--quota=999999999999999', ...data]);
  assert.equal(most.code, 0, most.stderr);
});

test('a taken port is named with its address and the way to another one', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const data = join(folder.path, 'second');
  const done = await runCommand(['serve', '--port', String(port), '--data', data]);
  taken.close();
  assert.equal(done.code, 1);
  assert.ok(done.stderr.includes(`127.0.0.1:${port} is taken`), done.stderr);
  assert.match(done.stderr, /--port or PORT/);
});

test('a host that is not an address of this machine is named with its setting', async () => {
  for (const host of ['no-such-host.invalid', '192.0.2.1']) {
    const data = join(folder.path, 'hosts');
    const done = await runCommand(['serve', '--port', '0', '--data', data], {
      env: { HOST: host },
    });
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(host), done.stderr);
    assert.match(done.stderr, /HOST or --host/);
  }
});

test('parse refuses a pipe, a device and a folder at once instead of waiting for their end', async () => {
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const cases = [
    [pipe, /is not a regular file/],
    ['/dev/zero', /is not a regular file/],
    [folder.path, /is a folder/],
  ] as const;
  for (const [file, said] of cases) {
    const done = await runCommand(['parse', file, '--url', 'https://shop.example.com/']);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(file), done.stderr);
    assert.match(done.stderr, said);
  }
});

test('a file where the data folder should be is called a file', async () => {
  const file = join(folder.path, 'a-file');
  writeFileSync(file, 'text');
  for (const path of [file, join(file, 'below')]) {
    const done = await runCommand(['orgs', 'create', 'x', '--data', path]);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(path), done.stderr);
    assert.match(done.stderr, /is a file; specify a folder/);
    assert.doesNotMatch(done.stderr, /EEXIST|ENOTDIR/);
  }
});

test('the database of another program is named and left as it is', async () => {
  const data = join(folder.path, 'foreign');
  mkdirSync(data);
  const file = join(data, 'openshelf.db');
  const foreign = new DatabaseSync(file);
  foreign.exec('create table songs (title text); insert into songs values (1)');
  for (const args of [['check'], ['orgs', 'create', 'x']]) {
    const done = await runCommand([...args, '--data', data]);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(`${file}: the database belongs to another program`));
  }
  const tables = foreign.prepare("select name from sqlite_schema where type = 'table'").all();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['songs'],
  );
  foreign.close();
});

test('a file or folder that does not exist is said to, without a word of the system', async () => {
  const data = join(folder.path, 'something');
  const nowhere = join(folder.path, 'nowhere');
  assert.equal((await runCommand(['orgs', 'create', 'x', '--data', data])).code, 0);
  const cases: readonly (readonly [args: readonly string[], said: string])[] = [
    [['import', nowhere], `${nowhere} does not exist.`],
    [['parse', nowhere, '--url', 'https://shop.example.com/'], `${nowhere} does not exist.`],
    [['export', '--output', join(nowhere, 'x.csv')], `The folder ${nowhere} does not exist.`],
    [['backup', join(nowhere, 'x.db')], `The folder ${nowhere} does not exist.`],
  ];
  for (const [args, said] of cases) {
    const done = await runCommand(args, { env: { OPENSHELF_DATA: data } });
    assert.equal(done.code, 1);
    assert.equal(done.stderr, `openshelf ${args[0]}: ${said}\n`);
  }
});

/** The Linux user `nobody`. */
const OTHER_USER = 65_534;

/**
 * Returns what a command reports for each of these data folders to another user; null when this machine has no such user.
 */
function saidToOther(
  folders: readonly string[],
  command: readonly string[] = ['orgs', 'create', 'x'],
): readonly string[] | null {
  const program = `
    import { run } from '${new URL('../../../src/edge/cli/run.ts', import.meta.url).href}';
    const io = { out() {}, err: console.log, isTerminal: false, env: {}, stop: new AbortController().signal };
    for (const data of ${JSON.stringify(folders)}) await run([...${JSON.stringify(command)}, '--data', data], io);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    uid: OTHER_USER,
    gid: OTHER_USER,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trimEnd().split('\n') : null;
}

test('a data folder of another user is named with its owner, this user and what to do', async (t) => {
  const [theirs, own] = [join(folder.path, 'theirs'), join(folder.path, 'own')];
  mkdirSync(theirs, { mode: 0o755 });
  assert.equal((await runCommand(['orgs', 'create', 'x', '--data', own])).code, 0);
  const database = join(own, 'openshelf.db');
  chmodSync(folder.path, 0o755);
  if (process.getuid?.() === 0) for (const path of [own, database]) chownSync(path, OTHER_USER, 0);
  chmodSync(database, 0o400);
  chmodSync(own, 0o500);
  const said = process.getuid?.() === 0 ? saidToOther([theirs, join(theirs, 'below'), own]) : null;
  if (said === null) {
    t.skip('this needs root, and a checkout that every user can read');
    return;
  }
  const [first, below, last = ''] = said;
  assert.equal(
    first,
    `openshelf orgs: ${theirs} cannot be written: it belongs to user 0, and openshelf runs as user 65534. ` +
      'Run openshelf as the owner, change the owner with chown, or choose another location.',
  );
  assert.equal(below, first);
  assert.match(last, /openshelf\.db cannot be written\. Change its permissions, or choose another/);
});

test('a data folder that may not be looked into is not taken for one without data', (t) => {
  const [closed, unlisted] = [join(folder.path, 'closed'), join(folder.path, 'unlisted')];
  mkdirSync(closed, { mode: 0o700 });
  mkdirSync(unlisted, { mode: 0o766 });
  chmodSync(unlisted, 0o766);
  chmodSync(folder.path, 0o755);
  const said = process.getuid?.() === 0 ? saidToOther([closed, unlisted], ['orgs', 'list']) : null;
  if (said === null) {
    t.skip('this needs root, and a checkout that every user can read');
    return;
  }
  assert.match(said[0] ?? '', /closed cannot be read: it belongs to user 0, and openshelf runs as/);
  assert.match(
    said[1] ?? '',
    /No permission to use .*unlisted\/openshelf\.db\. Choose another location/,
  );
});

/** Returns what the command reports for a data folder on a read-only file system; null if this machine cannot mount one. */
function saidOfReadOnly(command: string): string | null {
  const place = join(folder.path, 'mounted');
  mkdirSync(place, { recursive: true });
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  const steps = [
    'mount -t tmpfs tmpfs "$1" || exit 99',
    '"$2" "$3" orgs create x --data "$1/data" || exit 98',
    'mount -o remount,ro "$1" || exit 99',
    `"$2" "$3" ${command} --data "$1/$4"`,
  ];
  const args = ['-rm', 'sh', '-c', steps.join('; '), 'sh', place, process.execPath, launcher];
  const where = command.startsWith('serve') ? 'none' : 'data';
  const { status, stderr } = spawnSync('unshare', [...args, where], { encoding: 'utf8' });
  return status === 1 ? stderr.trim() : null;
}

test('a file system that is mounted read-only is named as that, and nobody is sent to its permissions', (t) => {
  const { path } = folder;
  const refused = Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'open', path });
  assert.match(explainError(refused, []), /is mounted read-only\. Mount it for writing, or choose/);
  const said = ['orgs create y', 'serve --port 0'].map(saidOfReadOnly);
  if (said.includes(null)) {
    t.skip("this needs a Linux on which one may mount a file system of one's own");
    return;
  }
  for (const each of said) {
    assert.match(
      each ?? '',
      /mounted.* cannot be written, because its file system is mounted read-only\. Mount it/,
    );
  }
});

test('a disk that is full is named: that of what is written, with what to do', () => {
  const copied = { code: 'ENOSPC', syscall: 'copyfile', path: 'backup.db', dest: 'data/copy.db' };
  const whole = 'the store cannot write: database or disk is full';
  const ofStore = new StoreUnavailable(whole, { problem: 'full' });
  const advice = 'Free some space and run the command again.';
  assert.equal(
    explainError(Object.assign(new Error('ENOSPC'), copied), []),
    `The disk of data/copy.db is full. ${advice}`,
  );
  assert.equal(explainError(ofStore, []), `${whole}. ${advice}`);
  // Opened by code that names the file, and with no room even for the log's index.
  const opened = new StoreUnavailable(`data/openshelf.db: ${whole}`, { cause: ofStore });
  assert.equal(explainError(opened, []), `data/openshelf.db: ${whole}. ${advice}`);
  const ofIndex = Object.assign(new Error('disk I/O error'), { errcode: 4_874 });
  const read = new StoreUnavailable('cannot read data/openshelf.db', { cause: ofIndex });
  assert.equal(
    explainError(read, []),
    `cannot read data/openshelf.db: the disk is full. ${advice}`,
  );
});

test('a backup of data that this user may not open says whose it is', async (t) => {
  const own = join(folder.path, 'unopened');
  assert.equal((await runCommand(['orgs', 'create', 'x', '--data', own])).code, 0);
  chmodSync(own, 0o755);
  chmodSync(folder.path, 0o755);
  const args = ['backup', '/tmp/openshelf-never-made.db'];
  const said = process.getuid?.() === 0 ? saidToOther([own], args) : null;
  if (said === null) {
    t.skip('this needs root, and a checkout that every user can read');
    return;
  }
  assert.match(said[0] ?? '', /openshelf\.db cannot be read: it belongs to user 0, and openshelf/);
});

test('standard output on a disk that is full fails the command with a sentence', () => {
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  for (const command of ['version', 'orgs --help']) {
    const line = `exec "$0" "$1" ${command} > /dev/full`;
    const { status, stderr } = spawnSync('bash', ['-c', line, process.execPath, launcher], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^openshelf.*: The disk is full\. Free some space and run the command again\.\n$/,
    );
  }
});

const LOGS_THAT_TAKE_NOTHING = {
  'is on a disk that is full': '2> /dev/full',
  'is read by nobody any more': '2> >(exec true)',
} as const;

for (const [what, redirected] of Object.entries(LOGS_THAT_TAKE_NOTHING)) {
  test(`a service whose log ${what} answers on, and ends as told`, async () => {
    const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
    const data = join(folder.path, `log ${what}`);
    const line = `exec "$0" "$1" serve --json --port 0 --data "$2" ${redirected}`;
    const child = spawn('bash', ['-c', line, process.execPath, launcher, data], {
      env: { PATH: process.env['PATH'], OPENSHELF_DRAIN_DELAY_MS: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    try {
      const [first] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const { url } = JSON.parse(first) as { readonly url: string };
      // A log line is written some time after its answer, so several calls are made.
      for (let call = 0; call < 20; call += 1) {
        assert.equal((await fetch(`${url}/v1/usage`)).status, 401);
      }
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
}
