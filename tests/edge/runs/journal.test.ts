// The journal of a run: entries survive a kill, truncated ones are requested again, and no run uses another's.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openJournal } from '../../../src/edge/runs/journal.ts';
import type { EntryResult } from '../../../src/edge/runs/result-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAME = { digest: 'abc', options: 'here 0' };
const MISSING: EntryResult = { status: 'not_found', detail: 'Nobody has “it”.', tokens: 0 };
const LATER: EntryResult = { status: 'error', detail: 'x'.repeat(3_000_000), tokens: 7 };

test('a run that was killed continues with what it had written, under the same name for its calls', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const first = openJournal(path, NAME);
  first.noteAsked('1', 1);
  first.noteAsked('2', 1);
  first.noteAsked('2', 3);
  first.noteResult('1', LATER);
  first.noteResult('3', MISSING);
  assert.equal(first.tokens(), 11);
  first.close();
  appendFileSync(path, '{"i":"4","r":{"status":"fou');
  const again = openJournal(path, NAME);
  assert.deepEqual([again.id, again.isContinued, again.tokens()], [first.id, true, 11]);
  assert.deepEqual(['1', '2', '3', '4'].map(again.stateOf), [
    'answered',
    'asked',
    'answered',
    null,
  ]);
  assert.deepEqual([again.askedTokens('2'), again.callsOf('2')], [4, 2]);
  assert.equal(again.earlyCalls(), 1);
  assert.deepEqual([again.result('1'), again.result('3')], [LATER, MISSING]);
  again.noteResult('4', MISSING);
  assert.deepEqual(again.result('4'), MISSING);
  again.close();
  assert.ok(readFileSync(path, 'utf8').endsWith('}\n'));
});

test('a run that continues asks again for what a token limit left out', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const first = openJournal(path, NAME);
  first.noteResult('1', MISSING);
  first.noteResult('2', { status: 'skipped', detail: 'over the limit', tokens: 0 });
  assert.equal(first.result('2').status, 'skipped');
  first.close();
  const again = openJournal(path, NAME);
  assert.deepEqual([again.stateOf('1'), again.stateOf('2')], ['answered', null]);
  again.close();
});

test('another input, other options or another file are refused with what to do', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const own = openJournal(path, NAME);
  own.noteResult('1', MISSING);
  own.close();
  for (const other of [
    { ...NAME, digest: 'abd' },
    { ...NAME, options: 'here 1' },
  ]) {
    assert.throws(() => openJournal(path, other), /another input or other options/);
  }
  const foreign = join(folder.path, 'b.progress');
  for (const notes of ['my own notes\n', 'my own notes', '{"openshelf": 1}']) {
    writeFileSync(foreign, notes);
    assert.throws(() => openJournal(foreign, NAME), /not the journal of a run/);
    assert.equal(readFileSync(foreign, 'utf8'), notes);
  }
});

test('a complete run leaves no journal', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  openJournal(path, NAME).forget();
  assert.ok(!existsSync(path));
});

test('a run that has asked for nothing stands in the way of no other one', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  openJournal(path, NAME).close();
  const other = openJournal(path, { ...NAME, options: 'here 1' });
  assert.equal(other.isContinued, false);
  other.noteResult('1', MISSING);
  other.close();
  const again = openJournal(path, { ...NAME, options: 'here 1' });
  assert.deepEqual([again.isContinued, again.result('1')], [true, MISSING]);
  again.close();
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 12));
  const cut = openJournal(path, NAME);
  assert.equal(cut.isContinued, false);
  cut.close();
});

for (const [what, damage] of [
  ['zeros', '\0\0\0\n'],
  ['half a line that another one follows', '{"i":"2","r":{"sta{"i":"2","t":1}\n'],
  ['JSON that is not a line of a journal', 'null\n7\n{"i":"2"}\n{"i":"2","r":3}\n'],
] as const) {
  test(`a journal that was damaged in its middle goes on: ${what}`, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.progress');
    const first = openJournal(path, NAME);
    first.noteResult('1', MISSING);
    first.close();
    appendFileSync(path, `${damage}{"i":"3","r":${JSON.stringify(LATER)}}\n`);
    const again = openJournal(path, NAME);
    assert.deepEqual(['1', '2', '3'].map(again.stateOf), ['answered', null, 'answered']);
    again.noteResult('2', MISSING);
    assert.deepEqual(
      ['1', '2', '3'].map((each) => again.result(each)),
      [MISSING, MISSING, LATER],
    );
    again.close();
  });
}

test('an answer is never that of another product, whatever became of the file', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.progress');
  const run = openJournal(path, NAME);
  run.noteResult('1', MISSING);
  run.noteResult('2', MISSING);
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const changed of [[lines[0], lines[2], lines[1], ''].join('\n'), '']) {
    writeFileSync(path, changed);
    assert.throws(() => run.result('1'), /was changed while it was in use/);
  }
  run.close();
});
