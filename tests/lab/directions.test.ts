// What the trees may not learn: that more in common is evidence against one product, or a rarer word on one side alone
// evidence for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { boost } from '../../lab/training/boosting.ts';
import { directionOf } from '../../lab/training/directions.ts';
import { OPTIONS } from '../../lab/training/forest-training.ts';
import { F, FEATURE_NAMES } from '../../src/rules/matching/features/feature-names.ts';
import { sumOf } from '../../src/rules/matching/model/forest.ts';
import { randomFrom, seedOf } from '../support/random.ts';

const OPTION = { ...OPTIONS.boosting, trees: 20, rate: 0.3, rowShare: 1, featureShare: 1 };

/** Rows whose label follows two features, one of them against its direction, with some randomness. */
function contraryRows(seed: number) {
  const random = randomFrom(seed);
  const columns = FEATURE_NAMES.map(() => new Uint8Array(600));
  const labels = Uint8Array.from({ length: 600 }, (_, row) => {
    for (const column of columns) column[row] = Math.floor(random() * 40);
    const shared = columns[F.sharedRarest]?.[row] ?? 0;
    const answered = columns[F.shortWords]?.[row] ?? 0;
    return answered - shared + 10 * random() > 5 ? 1 : 0;
  });
  return { columns, labels, weights: new Float64Array(600).fill(1) };
}

test('no answer falls when a feature that can only speak for a match grows, whatever the rows say', (t) => {
  const seed = seedOf(20_261_123);
  t.diagnostic(`seed ${seed}`);
  const rows = contraryRows(seed);
  const forest = boost(rows, OPTION);
  const row = new Int32Array(FEATURE_NAMES.length);
  const scoreAt = (feature: number, value: number): number => {
    row[feature] = value;
    return sumOf(forest, row, 0, forest.trees);
  };
  const random = randomFrom(seed + 1);
  for (let turn = 0; turn < 200; turn += 1) {
    for (let at = 0; at < row.length; at += 1) row[at] = Math.floor(random() * 40);
    for (const name of ['sharedRarest', 'jaccard', 'longRarest', 'swaps'] as const) {
      const direction = directionOf(F[name]);
      assert.notEqual(direction, 0, name);
      const before = scoreAt(F[name], 10);
      const after = scoreAt(F[name], 30);
      // After all rounds, a pair of leaves against the direction differs by at most one step per tree.
      assert.ok(direction * (after - before) >= -forest.trees, `${name}: ${before} to ${after}`);
    }
  }
});

test('features without a direction are learnt as the rows say', () => {
  const rows = contraryRows(7);
  const forest = boost(rows, OPTION);
  const row = new Int32Array(FEATURE_NAMES.length).fill(20);
  row[F.shortWords] = 2;
  const few = sumOf(forest, row, 0, forest.trees);
  row[F.shortWords] = 38;
  assert.equal(directionOf(F.shortWords), 0);
  assert.ok(sumOf(forest, row, 0, forest.trees) > few);
});
