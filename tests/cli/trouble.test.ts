// What the program says when the data, an address, a setting or a file is not as it should be.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';

import { ConfigError, readConfig } from '../../src/config.ts';
import { lastJson, runProgram, serveProgram } from '../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

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
    const done = await runProgram([...args, '--data', typo]);
    assert.equal(done.code, 1, done.stdout);
    assert.ok(done.stderr.includes(`no data in ${typo}`), done.stderr);
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
      const done = await runProgram([...command, `--quota=${quota}`, ...data]);
      assert.equal(done.code, 2, done.stdout);
      assert.match(done.stderr, /--quota takes a whole number from 0 to 999999999999999\n/);
    }
  }
  const most = await runProgram(['orgs', 'create', 'x', '--quota=999999999999999', ...data]);
  assert.equal(most.code, 0, most.stderr);
});

test('a taken port is named with its address and the way to another one', async () => {
  const data = (name: string) => ['--data', join(folder.path, name)];
  const first = await serveProgram(['--port', '0', ...data('first')]);
  const { port, host } = new URL(first.url);
  const second = await runProgram(['serve', '--port', port, ...data('second')]);
  assert.equal(second.code, 1);
  assert.ok(second.stderr.includes(`${host} is taken`), second.stderr);
  assert.match(second.stderr, /--port or PORT/);
  assert.equal(await first.stop('SIGTERM'), 0);
});

test('a host that is no address of this machine is named with its setting', async () => {
  for (const host of ['no-such-host.invalid', '192.0.2.1']) {
    const done = await runProgram(['serve', '--port', '0', '--data', join(folder.path, 'hosts')], {
      HOST: host,
    });
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(host), done.stderr);
    assert.match(done.stderr, /HOST or --host/);
  }
});

/** The problems of these settings; empty when there are none. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

test('a DNS server is an address with or without a port', () => {
  const all = '192.0.2.1, 192.0.2.1:53,2001:db8::1,[2001:db8::1],[2001:db8::1]:5353,fe80::1%eth0';
  assert.deepEqual(problemsOf({ OPENSHELF_DNS_SERVERS: all }), []);
});

test('every DNS server that is no address is a problem of its own, beside those of other settings', () => {
  const bad = [
    'foo',
    '192.0.2.1:0',
    '192.0.2.1:70000',
    '192.0.2.1:',
    '[192.0.2.1]:53',
    '[::1]x',
    '1::2::3',
    '192.0.2',
    '192.0.2.256',
  ];
  const problems = problemsOf({ OPENSHELF_DNS_SERVERS: bad.join(','), PORT: 'many' });
  assert.equal(problems.length, bad.length + 1);
  for (const each of bad) {
    const isNamed = (problem: string) =>
      problem.startsWith('OPENSHELF_DNS_SERVERS') && problem.includes(`"${each}"`);
    assert.ok(problems.some(isNamed), each);
  }
});

test('parse refuses a pipe, a device and a folder at once instead of waiting for their end', async () => {
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const cases = [
    [pipe, /is no regular file/],
    ['/dev/zero', /is no regular file/],
    [folder.path, /is a folder/],
  ] as const;
  for (const [file, said] of cases) {
    const done = await runProgram(['parse', file, '--url', 'https://shop.example.com/']);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(file), done.stderr);
    assert.match(done.stderr, said);
  }
});

const BADLY_CALLED: readonly (readonly string[])[] = [
  ['lookup'],
  ['lookup', '614141000005', '--force-refresh'],
  ['lookup', '614141000005', '--forced'],
  ['history', 'one', 'two'],
  ['keys'],
  ['keys', 'create'],
  ['orgs', 'set'],
  ['usage'],
  ['check', 'everything'],
  ['serve', '--port', 'any'],
  ['look'],
];

for (const args of BADLY_CALLED) {
  test(`bad usage is exit 2 and, with --json, the problem as JSON: openshelf ${args.join(' ')}`, async () => {
    const done = await runProgram([...args, '--json']);
    assert.equal(done.code, 2);
    const { code, detail } = lastJson(done) as { code: string; detail: string };
    assert.equal(code, 'bad_usage');
    assert.equal(done.stdout.trimEnd().split('\n').length, 1);
    assert.ok(done.stderr.includes(detail), done.stderr);
    assert.match(done.stderr, /Usage: openshelf/);
    const plain = await runProgram(args);
    assert.deepEqual([plain.code, plain.stdout], [2, '']);
  });
}

test('what is asked with options is answered in words of options', async () => {
  const done = await runProgram(['lookup', '614141000005', '--force-refresh']);
  assert.match(done.stderr, /--force-refresh .*--retailer/);
  assert.doesNotMatch(done.stderr, /force_refresh|retailer=/);
});

test('an unknown setting is told every setting that there is', () => {
  const [problem = ''] = problemsOf({ OPENSHELF_RETAILER_B_KEY: 'x' });
  const known = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const names = [...known.matchAll(/^#? ?(OPENSHELF_[A-Z_]+)=/gm)].map(([, name = '']) => name);
  assert.ok(names.length > 20);
  for (const name of names) assert.ok(problem.includes(name), name);
});

test('a file where the data folder should be is called a file', async () => {
  const file = join(folder.path, 'a-file');
  writeFileSync(file, 'text');
  for (const path of [file, join(file, 'below')]) {
    const done = await runProgram(['orgs', 'create', 'x', '--data', path]);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(path), done.stderr);
    assert.match(done.stderr, /is a file; name a folder/);
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
    const done = await runProgram([...args, '--data', data]);
    assert.equal(done.code, 1);
    assert.ok(done.stderr.includes(`${file}: this is the database of another program`));
  }
  const tables = foreign.prepare("select name from sqlite_schema where type = 'table'").all();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['songs'],
  );
  foreign.close();
});
