// How `npm run lab -- hits` evaluates labelled pairs, and its errors for a table of pairs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import type { LabelledPair } from '../../lab/eval/matching/data.ts';
import { labelledHits } from '../../lab/eval/matching/labelled-hits.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function pair(left: string, right: string, isMatch: boolean): LabelledPair {
  const input = (title: string) => ({ title });
  return { id: '', left: input(left), right: input(right), isMatch, cluster: null };
}

function described(pairs: readonly LabelledPair[], count: number): readonly string[] {
  return labelledHits(pairs, count).map(({ known, hit, isRight }) =>
    [known.map(({ listing }) => listing.title).join(' + '), hit.title, isRight].join(' | '),
  );
}

test('a hit is held against so many listings of one product, and none of them has its title', () => {
  const pairs = [
    pair('Kettle A', 'Kettle B', true),
    pair('Kettle B', 'Kettle C', true),
    pair('Kettle C', 'Lamp', false),
  ];
  assert.deepEqual(described(pairs, 1).slice(-2), [
    'Kettle C | Lamp | false',
    'Lamp | Kettle C | false',
  ]);
  assert.deepEqual(described(pairs, 2), [
    'Kettle A + Kettle C | Kettle B | true',
    'Kettle B + Kettle C | Kettle A | true',
    'Kettle B + Kettle A | Kettle C | true',
    'Kettle C + Kettle A | Kettle B | true',
    'Kettle C + Kettle A | Lamp | false',
  ]);
  assert.deepEqual(described(pairs, 4), []);
});

test('a label that calls two listings of one product another makes no hit', () => {
  const pairs = [pair('A', 'B', true), pair('B', 'C', true), pair('A', 'C', false)];
  assert.ok(described(pairs, 1).every((line) => line.endsWith('true')));
});

function evalHits(...args: readonly string[]) {
  const path = join(import.meta.dirname, '..', '..', 'lab', 'eval', 'hits.ts');
  return spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
}

test('a table of pairs is judged by kind, wrong verdicts are listed, and a line that is not a pair is named', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'pairs.tsv');
  const drill = 'Halden HD450 Cordless Drill';
  writeFileSync(
    path,
    `drill\t1\t${drill}, Blue\tHalden HD450 Drill Cordless Blue\ndrill\t0\t${drill}\t${drill}\nlamp\t0\tHalden Lamp 40 W\tCorvane Garden Hose\n`,
  );
  const { status, stdout } = evalHits('--pairs', path, '--list');
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^0\.\d{3}  drill  Halden HD450 Cordless Drill  \|  Halden HD450 Cordless Drill\n/,
  );
  assert.match(stdout, /^drill +1 +1 \| +1 +1 +50\.0 100\.0 \|/m);
  assert.match(stdout, /^lamp +0 +1 \| +0 +0 /m);
  assert.match(stdout, /^all +1 +2 \| +1 +1 +50\.0 100\.0 \|/m);
  writeFileSync(path, 'drill\t2\ta\tb\n');
  const wrong = evalHits('--pairs', path);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /Line 1 of .* is not a pair/);
  assert.match(evalHits().stderr, /Use either --data or --pairs/);
});
