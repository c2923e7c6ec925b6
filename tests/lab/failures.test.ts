// A run's closing report of the failed tests, from runs that fail.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { endedIn } from '../contract/reporter.ts';
import { failureLines } from '../failures.ts';
import { entriesOf } from '../groups.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REPORTER = new URL('../contract/reporter.ts', import.meta.url).href;
const GOOD = ['tests/base/byte-budget.test.ts', 'tests/base/call-cost.test.ts'];

function linesOf(entries: readonly string[]): readonly string[] {
  const { stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORTER}`, ...entries],
    // A nested test run would report in the format of the outer run.
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  );
  return failureLines(ROOT, 'postgres', endedIn(stdout));
}

test('a run in which nothing failed says nothing of failures', () => {
  using folder = temporaryFolder();
  assert.deepEqual(linesOf(entriesOf(ROOT, [GOOD], folder.path)), []);
});

test('a failed test is reported once, with the reason and the command that runs it alone, without the tests around it', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'sums.test.mjs');
  const body = `assert.equal(1 + 1, 3, 'one and one are three')`;
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'; import { describe, test } from 'node:test';
describe('sums', () => { test("Ada's \\"sum\\" is 3 (or $2)", () => { ${body}; }); test('are numbers', () => {}); });`,
  );
  const [told, why, again = '', ...others] = linesOf([file]);
  assert.deepEqual(
    [told, why],
    [`FAILED on postgres: Ada's "sum" is 3 (or $2)`, '  one and one are three'],
  );
  assert.deepEqual(others, []);
  const [, option = ''] =
    /^ {2}again: OPENSHELF_TEST_DATABASE=postgres npm test -- .*sums\.test\.mjs (--\S+=".*")$/.exec(
      again,
    ) ?? [];
  const alone = spawnSync(`"$NODE" --test --test-reporter=tap ${option} "$FILE"`, {
    shell: true,
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE: process.execPath, FILE: file },
  });
  assert.match(alone.stdout, /^# tests 1$/m);
  assert.match(alone.stdout, /^# fail 1$/m);
});

test('a file that breaks before its tests is reported by its own name, whichever process ran it', () => {
  using folder = temporaryFolder();
  const lines = linesOf(entriesOf(ROOT, [[...GOOD, 'tests/none.test.ts']], folder.path));
  assert.equal(lines[0], 'FAILED on postgres: tests/none.test.ts');
  assert.equal(
    lines.at(-1),
    '  again: OPENSHELF_TEST_DATABASE=postgres npm test -- tests/none.test.ts',
  );
  assert.equal(lines.filter((line) => line.startsWith('FAILED')).length, 1);
});

test('a process that ends early is reported by its files', () => {
  using folder = temporaryFolder();
  const [entry = ''] = entriesOf(ROOT, [GOOD], folder.path);
  writeFileSync(entry, `process.kill(process.pid, 'SIGKILL');\n${readFileSync(entry, 'utf8')}`);
  const lines = linesOf([entry]);
  assert.equal(lines[0], 'FAILED on postgres: the process of 2 test files');
  assert.equal(
    lines.at(-1),
    `  again: OPENSHELF_TEST_DATABASE=postgres npm test -- ${GOOD.join(' ')}`,
  );
});
