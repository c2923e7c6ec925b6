// A file is used by one process at a time, and a process that no longer exists blocks no other.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { lockFile } from '../../src/data/file-lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODULE = new URL('../../src/data/file-lock.ts', import.meta.url).href;

test('what one works on another one is refused, until it is done', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  {
    using _lock = lockFile(path);
    assert.throws(() => lockFile(path), /Another openshelf is using .*a\.progress\. Wait for it/);
    lockFile(join(folder.path, 'b.progress'))[Symbol.dispose]();
  }
  assert.ok(!existsSync(`${path}.lock`));
  lockFile(path)[Symbol.dispose]();
});

test('a process that lives is waited for', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  writeFileSync(`${path}.lock`, `${process.ppid}\n`);
  assert.throws(() => lockFile(path), /Another openshelf is using/);
  assert.equal(readFileSync(`${path}.lock`, 'utf8'), `${process.ppid}\n`);
});

test('a lock that could not be written, as on a full disk, is not left behind', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const code = `import(${JSON.stringify(MODULE)}).then(({ lockFile }) => lockFile(${JSON.stringify(path)}))`;
  const line = `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`;
  const ended = spawnSync('bash', ['-c', line, process.execPath, code], { encoding: 'utf8' });
  assert.match(ended.stderr, /EFBIG/);
  assert.ok(!existsSync(`${path}.lock`));
});

const dead = spawnSync(process.execPath, ['--version']).pid;
for (const [whose, text] of [
  ['a process that is gone', `${dead}\n`],
  ['a process before this one that had its number', `${process.pid}\n`],
  ['a process that was killed before it wrote its number', ''],
  ['nobody', 'a lock\n'],
] as const) {
  test(`the lock of ${whose} is taken over`, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.progress');
    writeFileSync(`${path}.lock`, text);
    using _lock = lockFile(path);
    assert.equal(readFileSync(`${path}.lock`, 'utf8'), `${process.pid}\n`);
    assert.throws(() => lockFile(path), /Another openshelf is using/);
  });
}
