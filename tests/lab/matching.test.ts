// The programs around the matcher: what is measured is what was labelled, and training gives the same model
// from the same pairs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OPTIONS } from '../../lab/training/forest-training.ts';
import { train } from '../../lab/training/training.ts';
import type { TrainingPair } from '../../lab/training/training-rows.ts';
import { datasetNames, readOutlierGroups, readPairs } from '../../lab/eval/matching/data.ts';
import { modelText } from '../../src/rules/matching/model/model.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scratch = temporaryFolder();
const folder = scratch.path;
after(() => scratch[Symbol.dispose]());

function program(path: string, ...args: readonly string[]) {
  return spawnSync(
    process.execPath,
    [new URL(`../../${path}`, import.meta.url).pathname, ...args],
    {
      encoding: 'utf8',
    },
  );
}

function write(path: string, rows: readonly (object | string)[]): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
}

const SAME = {
  left: { title: 'Halden ZX-4410B printer' },
  right: { name: 'Halden ZX4410B Printer' },
};
const OTHER = { left: { title: 'Corvane drive 64GB' }, right: { title: 'Corvane drive 128GB' } };

test('every folder is a dataset, its test split goes before valid, and the last line is for machines', () => {
  write('data/lamps/valid.jsonl', [
    { id: 'v', ...SAME, label: 0 },
    { id: 'w', ...SAME, label: 0 },
  ]);
  write('data/lamps/test.jsonl', [
    { id: 'a', ...SAME, label: 1 },
    { id: 'b', ...OTHER, label: 0 },
  ]);
  write('data/chairs/offers.jsonl', [
    {
      id: '1',
      title: 'Halden ZX-4410B printer',
      price: '1,200.50',
      pricecurrency: 'EUR',
      cluster: 'a',
    },
    { id: '2', title: 'printer Halden ZX-4410B', cluster: 'a' },
    { id: '3', title: 'Corvane garden chair', cluster: 'b' },
  ]);
  write('data/chairs/valid.csv', ['left_id,right_id,label', '1,2,1', '1,3,0', '2,3,0']);
  write('data/odd-one-out.jsonl', [
    { offers: [SAME.left, SAME.left, { title: 'Corvane garden chair' }], intruder: 2 },
  ]);
  const { status, stdout, stderr } = program(
    'lab/eval/matching.ts',
    '--data',
    join(folder, 'data'),
    '--json',
  );
  assert.equal(status, 0, stderr);
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    datasets: object;
    us_per_pair: number;
  };
  const all = { f1: 1, p: 1, r: 1, strong: { precision: 0, recall: 0 } };
  assert.deepEqual(last.datasets, { chairs: { ...all, rows: 3 }, lamps: { ...all, rows: 2 } });
  assert.deepEqual(Object.keys(last), ['datasets', 'strong', 'macro_f1', 'us_per_pair']);
  assert.match(stdout, /^lamps +test +2 /m);
  assert.match(stdout, /odd one out: 1 of 1 right/);
});

test('prices keep their currency, and products keep their pairs together', () => {
  const [pair] = readPairs(join(folder, 'data'), 'chairs', 'valid');
  assert.deepEqual(pair?.left.price, { cents: 120_050, currency: 'EUR' });
  assert.equal(pair?.cluster, 'a');
  assert.deepEqual(datasetNames(join(folder, 'data')), ['chairs', 'lamps']);
  assert.equal(readOutlierGroups(folder), null);
});

function madeUpPairs(seed: number): readonly TrainingPair[] {
  const random = randomFrom(seed);
  const word = (): string =>
    pick(random, ['lamp', 'chair', 'retailer', 'oak', 'steel', 'blue', 'tall']);
  const title = (code: string): string => `Halden ${word()} ${code} ${word()} ${word()}`;
  return Array.from({ length: 240 }, (_, at) => {
    const isMatch = random() < 0.4;
    const code = `ZX${integerBelow(random, 900)}`;
    const other = isMatch ? code : `ZX${integerBelow(random, 900)}`;
    return {
      id: `pair-${at}`,
      left: { title: title(code) },
      right: { title: title(other) },
      isMatch,
      cluster: null,
      dataset: at % 2,
      isExtra: false,
    };
  });
}

test('the same pairs give the same model, letter by letter, and it has learnt something', async (t) => {
  const seed = seedOf(20_261_121);
  t.diagnostic(`seed ${seed}`);
  const options = { ...OPTIONS, boosting: { ...OPTIONS.boosting, trees: 12, rate: 0.3 } };
  const one = await train(madeUpPairs(seed), options, () => {});
  const two = await train(madeUpPairs(seed), options, () => {});
  assert.equal(modelText(one.model, 'test'), modelText(two.model, 'test'));
  const mean = (isMatch: boolean): number => {
    const group = one.leftOut
      .flatMap(({ pairs }) => pairs.own)
      .filter((pair) => pair.isMatch === isMatch && pair.score !== null);
    return group.reduce((sum, { score }) => sum + (score ?? 0), 0) / group.length;
  };
  assert.ok(mean(true) > mean(false) + 1);
});

test('bad usage is exit code 2, data that cannot be read 1', () => {
  for (const path of ['lab/eval/matching.ts', 'lab/training/train-matching.ts']) {
    assert.equal(program(path).status, 2);
    assert.equal(program(path, '--colour').status, 2);
  }
  const train_ = (...args: readonly string[]) =>
    program('lab/training/train-matching.ts', ...args).status;
  assert.equal(train_('--data', folder, '--on', 'test'), 2);
  assert.equal(
    train_('--data', join(folder, 'gone'), '--on', 'train', '--out', join(folder, 'm')),
    1,
  );
  assert.equal(program('lab/eval/matching.ts', '--data', join(folder, 'gone')).status, 1);
});
