// The program itself: what counts as correct, exit codes, the machine-readable line.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scratch = temporaryFolder();
const folder = scratch.path;
after(() => scratch[Symbol.dispose]());

const PROGRAM = new URL('../../lab/eval/quantities.ts', import.meta.url).pathname;

const run = (...options: string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...options], { encoding: 'utf8' });

function fileOf(name: string, rows: readonly (object | string)[]): string {
  const path = join(folder, name);
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const pack = (title: string, count: number | null) => ({ title, pack_count: count });
const weight = (value: number) => ({ kind: 'weight', value, unit: 'lb' });

test('both files of a folder are measured, a label of 1 is met by silence, misses are shown', () => {
  const data = join(folder, 'both');
  mkdirSync(data);
  writeFileSync(
    join(data, 'pack-count.jsonl'),
    [pack('Oat Bars (Pack of 6)', 6), pack('Desk Lamp', 1), pack('Desk Lamp', null), pack('Cup', 4)]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  writeFileSync(
    join(data, 'quantities.jsonl'),
    [
      { text: 'Rice 5 lb', quantities: [weight(5.03)] },
      { text: 'Rice 5 lb', quantities: [weight(5.2)] },
      { text: 'Rice 5 lb', quantities: [] },
      {
        text: 'Rice 5 lb 10 in',
        quantities: [{ kind: 'length', value: 10, unit: 'in' }, weight(5)],
      },
      { text: 'Film 24" x 36"', quantities: [{ kind: 'dimensions', value: [36, 24], unit: 'in' }] },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  const { status, stdout, stderr } = run('--data', data, '--json');
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    pack: { rows: 4, right: 3, share: 0.75 },
    quantities: { rows: 5, right: 2, share: 0.4 },
  });
  assert.match(stderr, /pack-count\.jsonl:4 Cup\n {2}expected 4, got null/);
  assert.match(stderr, /quantities\.jsonl:3 Rice 5 lb\n {2}expected \[\], got \[\{"kind":"weight"/);
});

test('one file of either kind may be measured alone, for people on the standard output', () => {
  const { status, stdout } = run('--data', fileOf('packs.jsonl', [pack('Soap 3 Pack', 3), '']));
  assert.equal(status, 0);
  assert.match(stdout, /^pack: 1 of 1 right, 1 \(goal 0\.94\)$/m);
  assert.ok(!stdout.includes('quantities'));
});

test('a line that is not a label, and a file that is not there, end with 1 and say which', () => {
  for (const row of ['{', '[]', 'null', '{"title":"x"}', '{"text":"x","quantities":[{}]}']) {
    const { status, stdout, stderr } = run('--data', fileOf('bad.jsonl', [pack('Soap', 1), row]));
    assert.equal(status, 1, row);
    assert.equal(stdout, '', row);
    assert.match(stderr, /bad\.jsonl:2: /, row);
  }
  assert.equal(run('--data', fileOf('empty.jsonl', [])).status, 1);
  assert.equal(run('--data', join(folder, 'nowhere')).status, 1);
  assert.equal(run().status, 2);
  assert.equal(run('--data', folder, '--what').status, 2);
});
