// What the program says when the data, an address, a setting or a file is not as it should be.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { runProgram } from '../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

let folder: TemporaryFolder;

before(() => {
  folder = temporaryFolder();
});

after(() => folder[Symbol.dispose]());

const LOOKING: readonly (readonly string[])[] = [
  ['check'],
  ['usage', '--org', 'x'],
  ['keys', 'list', '--org', 'x'],
  ['orgs', 'list'],
  ['history', '4006381333931'],
  ['export'],
];

for (const args of LOOKING) {
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
