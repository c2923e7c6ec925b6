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
