// What a test run writes for the contract report and for its last lines.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { countsIn, endedIn } from '../contract/reporter.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REPORTER = new URL('../contract/reporter.ts', import.meta.url).href;

test('a run leaves each test that ended, the counts of the whole, and no warning about its reporters', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'two.test.mjs');
  writeFileSync(
    file,
    `import { test } from 'node:test';
     test('holds', (t) => t.diagnostic('tests 99'));
     test('does not', () => { throw new Error('no'); });`,
  );
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${REPORTER}`,
      '--test-reporter-destination=stderr',
      file,
    ],
    // A nested test run would report in the format of the outer run.
    { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  );
  assert.deepEqual(
    endedIn(stderr).map(({ title, ok, why }) => [title, ok, why]),
    [
      ['holds', true, null],
      ['does not', false, 'no'],
    ],
  );
  const counts = new Map(countsIn(stderr).map(({ count, of }) => [count, of]));
  assert.deepEqual([counts.get('tests'), counts.get('pass'), counts.get('fail')], [2, 1, 1]);
  assert.match(stdout, /holds/);
  assert.doesNotMatch(stderr, /Warning/);
});
