// Several processes over one PostgreSQL, one of each kind killed now and then: the small version of lab/eval/cluster.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { measureCluster } from '../../../lab/eval/cluster/measure.ts';
import { overlapping } from '../../../lab/eval/recording-front.ts';

test('processes that are killed answer right, charge once and never fetch the same twice at once', async (t) => {
  const result = await measureCluster({
    calls: 120,
    seed: 3,
    apis: 2,
    indexers: 2,
    callers: 12,
    seconds: 60,
    killEveryMs: 1_000,
    delayMs: 40,
    warmOfEach: 1,
    cold: 6,
    products: 200,
    say: (line) => t.diagnostic(line),
  });
  t.diagnostic(`${result.kills} kills, ${JSON.stringify(result.outcomes)}`);
  assert.deepEqual(result.wrong, []);
  assert.deepEqual(result.ledger.wrong, []);
  const { answered, cut, ledger, dropped } = result.ledger;
  assert.ok(answered > 0);
  assert.deepEqual([ledger, dropped], [answered + cut, answered + cut]);
  assert.deepEqual(result.problems, []);
  assert.deepEqual(result.twiceAtOnce, []);
  assert.ok(
    result.staleness.every((ms) => ms === 0),
    'a refreshed product is known everywhere at once',
  );
});

test('requests that overlap are seen', () => {
  const one = { name: 'a', beganMs: 0, endedMs: 10 };
  const next = { name: 'a', beganMs: 10, endedMs: 20 };
  const other = { name: 'b', beganMs: 5, endedMs: 15 };
  assert.deepEqual(overlapping([next, other, one]), []);
  const early = { ...next, beganMs: 9 };
  assert.deepEqual(overlapping([early, other, one]), [[one, early]]);
});
