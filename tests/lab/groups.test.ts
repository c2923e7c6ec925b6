// What a run reports for files that share a process.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { endedIn } from '../contract/reporter.ts';
import { dearestFiles, entriesOf, filesOfEntry, groupsOf, TIMES_VARIABLE } from '../groups.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REPORTER = new URL('../contract/reporter.ts', import.meta.url).href;

test('every file is in one group, and what measures its process has one of its own', () => {
  const files = globSync('tests/**/*.test.ts', { cwd: ROOT }).sort();
  const groups = groupsOf(files);
  assert.deepEqual(groups.flat().toSorted(), files);
  assert.ok(groups.length < files.length / 5);
  for (const file of ['tests/server/sheet.test.ts', 'tests/edge/sheets/read-sheet.test.ts']) {
    assert.deepEqual(
      groups.find((group) => group.includes(file)),
      [file],
    );
  }
});

test('neighbours of which each starts services are in processes of their own, and are begun first', () => {
  const files = globSync('tests/**/*.test.ts', { cwd: ROOT }).sort();
  const groups = groupsOf(files);
  const recorded = files.filter((file) => file.startsWith('tests/contract/get-product/'));
  const where = recorded.map((file) => groups.findIndex((group) => group.includes(file)));
  assert.equal(new Set(where).size, recorded.length);
  assert.ok(recorded.length > 2 && Math.max(...where) < groups.length / 2);
});

test('an entry states which files it runs', () => {
  using folder = temporaryFolder();
  const shared = ['tests/base/byte-budget.test.ts', 'tests/base/call-cost.test.ts'];
  const [entry = ''] = entriesOf(ROOT, [shared], folder.path);
  assert.deepEqual(filesOfEntry(readFileSync(entry, 'utf8')), shared);
});

test('a test of a file that shares a process is reported as that file’s, and a file that breaks ends no other', () => {
  using folder = temporaryFolder();
  const [broken, alone] = ['tests/none.test.ts', 'tests/rules/channels/targets.test.ts'];
  const shared = ['tests/base/byte-budget.test.ts', broken, 'tests/base/call-cost.test.ts'];
  const entries = entriesOf(ROOT, [shared, [alone]], folder.path);
  const { stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORTER}`, ...entries],
    // A nested test run would report in the format of the outer run.
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, [TIMES_VARIABLE]: undefined },
    },
  );
  const ended = endedIn(stdout);
  const answered = (file: string) => {
    const own = ended.filter((each) => each.file === join(ROOT, file));
    return [own.length > 1, own.every(({ ok }) => ok)];
  };
  for (const file of [...shared, alone]) {
    assert.deepEqual(answered(file), file === broken ? [false, false] : [true, true], file);
  }
  assert.equal(ended.filter(({ file }) => file.startsWith(folder.path)).length, 0);
});

test('the times of a run have a line for each file, and one for all', () => {
  using folder = temporaryFolder();
  const shared = ['tests/base/byte-budget.test.ts', 'tests/base/call-cost.test.ts'];
  const path = join(folder.path, 'times.jsonl');
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, [TIMES_VARIABLE]: path };
  spawnSync(process.execPath, ['--test', ...entriesOf(ROOT, [shared], folder.path)], {
    cwd: ROOT,
    env,
  });
  const lines = dearestFiles({ sqlite: path, postgres: join(folder.path, 'none.jsonl') });
  assert.equal(lines.length, shared.length + 1);
  for (const file of shared) {
    assert.ok(
      lines.some((line) =>
        new RegExp(String.raw`\d s of processors .* \d+\.\d s  ${file} \(sqlite\)$`).test(line),
      ),
      file,
    );
  }
  assert.match(lines.at(-1) ?? '', /2 files \(all\)$/);
});
