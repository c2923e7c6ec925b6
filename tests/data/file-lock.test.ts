// A file is used by one process at a time, and a process that no longer exists blocks no other.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

test('of several that come upon the lock of a process that is gone at the same moment, one takes it over', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const code = `
    import { createInterface } from 'node:readline';
    import { lockFile } from ${JSON.stringify(MODULE)};
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    console.log('ready');
    for (;;) {
      if ((await lines.next()).value !== 'go') break;
      let lock = null;
      try { lock = lockFile(${JSON.stringify(path)}); } catch {}
      console.log(lock === null ? 'refused' : 'taken');
      await lines.next();
      lock?.[Symbol.dispose]();
      console.log('done');
    }`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  try {
    const all = children.map(({ stdin, stdout }) => ({
      stdin,
      lines: createInterface({ input: stdout })[Symbol.asyncIterator](),
    }));
    const answers = async () =>
      (await Promise.all(all.map(({ lines }) => lines.next()))).map(({ value }) => String(value));
    await answers();
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(`${path}.lock`, `${dead}\n`);
      for (const { stdin } of all) stdin.write('go\n');
      const taken = (await answers()).filter((each) => each === 'taken');
      assert.equal(taken.length, 1, `round ${round}`);
      for (const { stdin } of all) stdin.write('end\n');
      await answers();
    }
  } finally {
    for (const child of children) child.kill();
  }
});
