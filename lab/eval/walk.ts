// npm run lab -- walk [--seed N] [--seeds M] [--steps K] [--database sqlite|postgres] [--processes P] [--replica] [--only
// 3,17,42] [--acts lookUp,letTimePass]: mixed calls in unforeseen orders, made by a random walker and compared with a model of
// the contract. Each step depends on the seed and its own number, so that a failing walk is shortened by leaving steps out, and
// `--only` repeats the rest. Exit code 1 if service and model differ.

import { parseArgs } from 'node:util';

import { shorten, walk, type WalkResult } from './walk/walk.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    database: { type: 'string', default: 'sqlite' },
    processes: { type: 'string' },
    replica: { type: 'boolean', default: false },
    only: { type: 'string' },
    acts: { type: 'string' },
    shorten: { type: 'boolean', default: false },
    show: { type: 'string', default: '12' },
  },
});
const database: 'postgres' | 'sqlite' = values.database === 'postgres' ? 'postgres' : 'sqlite';
// SQLite allows only one process.
const processes = database === 'sqlite' ? 1 : Number(values.processes ?? 2);
const numbers =
  values.only === undefined
    ? Array.from({ length: Number(values.steps) }, (_, at) => at + 1)
    : values.only.split(',').map(Number);

let isFailed = false;
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.seeds); seed += 1) {
  const acts = values.acts?.split(',');
  const hasReplica = values.replica;
  const plan = {
    database,
    processes,
    seed,
    numbers,
    hasReplica,
    ...(acts === undefined ? {} : { acts }),
  };
  const startedMs = performance.now();
  const result = await walk(plan);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  const statuses = [...result.statuses].toSorted(([, a], [, b]) => b - a);
  console.log(
    `seed ${seed}: ${numbers.length} steps, ${result.calls} calls in ${seconds} s on ${database}, ` +
      `${result.onConnections.repeated} of ${result.onConnections.sent} without node:http, ` +
      `${result.differences.length} differences (${statuses.map(([name, count]) => `${name}: ${count}`).join(', ')})`,
  );
  show(result);
  if (result.differences.length === 0) continue;
  isFailed = true;
  if (!values.shorten) continue;
  const { numbers: left, result: last } = await shorten(plan, result);
  console.log(`the same with --seed ${seed} --only ${left.join(',')}:`);
  show(last);
}
process.exitCode = isFailed ? 1 : 0;

function show({ differences }: WalkResult): void {
  for (const { step, act, where, what } of differences.slice(0, Number(values.show)))
    console.log(`  step ${step} (${act}) ${where}\n    ${what}`);
}
