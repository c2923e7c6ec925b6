// npm run lab -- cluster --calls 10000: mixed calls to several processes over one PostgreSQL of their own, of which one of
// each kind is killed every two seconds. Every answer must be correct and in the ledger exactly once, and no product may be
// fetched twice at the same time; the age of the answers is printed.

import { parseArgs } from 'node:util';

import { measureCluster } from './cluster/measure.ts';
import { quantile } from '../bench/measurement.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    apis: { type: 'string', default: '3' },
    indexers: { type: 'string', default: '2' },
    callers: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '3600' },
    cold: { type: 'string', default: '400' },
    'kill-every-ms': { type: 'string', default: '2000' },
    /** Processes are suspended for this long instead, and resumed (SIGSTOP, SIGCONT). */
    'halt-ms': { type: 'string' },
    'delay-ms': { type: 'string', default: '60' },
  },
});
const result = await measureCluster({
  calls: Number(values.calls),
  seed: Number(values.seed),
  apis: Number(values.apis),
  indexers: Number(values.indexers),
  callers: Number(values.callers),
  seconds: Number(values.seconds),
  killEveryMs: Number(values['kill-every-ms']),
  haltMs: values['halt-ms'] === undefined ? null : Number(values['halt-ms']),
  delayMs: Number(values['delay-ms']),
  products: 1_500,
  warmOfEach: 8,
  cold: Number(values.cold),
  say: (line) => console.error(line),
});
const { calls, outcomes, wrong, ledger, problems, twiceAtOnce } = result;

function show(what: string, all: readonly string[]): void {
  console.log(`${what}: ${all.length}`);
  for (const each of all.slice(0, 20)) console.log(`  ${each}`);
}

function showStaleness(what: string, samples: readonly number[]): void {
  const [p50, p99, p999, most] = [0.5, 0.99, 0.999, 1].map((share) => quantile(samples, share));
  const fresh = samples.filter((each) => each === 0).length;
  console.log(
    `${what}: p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, max ${most} ms ` +
      `(${samples.length} samples, ${fresh} fresh at the first read)`,
  );
}

const repeated = calls.filter(
  ({ once, cuts, status }) => once !== null && cuts > 0 && status === 200,
);
console.log(
  `calls ${calls.length} in ${result.seconds.toFixed(1)} s, ${result.kills} processes ` +
    `${values['halt-ms'] === undefined ? 'killed' : 'halted'}; cut and repeated with their key: ` +
    `${repeated.length}, of them answered from what was stored: ` +
    `${repeated.filter(({ isReplayed }) => isReplayed).length}`,
);
for (const [name, count] of Object.entries(outcomes).sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`  ${name}: ${count}`);
show('wrong answers', wrong);
console.log(
  `tokens answered ${ledger.answered}, cut without a key ${ledger.cut}, in the ledger ${ledger.ledger}, ` +
    `balances fell by ${ledger.dropped}`,
);
show('calls that are not in the ledger as they should be', ledger.wrong);
show('problems of the store', problems);
console.log(`fetches ${result.fetches}, of ${result.differentFetches} different things`);
show(
  'fetched twice at once',
  twiceAtOnce.map(([a, b]) => `${a.name}: ${(a.endedMs - b.beganMs).toFixed(0)} ms together`),
);
showStaleness('a product refreshed at another process', result.staleness);
showStaleness('a key revoked at another process', result.revocations);
const isExact = ledger.answered + ledger.cut === ledger.ledger && ledger.ledger === ledger.dropped;
const all = [...result.staleness, ...result.revocations];
const isFresh = quantile(all, 0.999) <= 1_000 && quantile(all, 1) <= 5_000;
const isRight = [wrong, ledger.wrong, problems, twiceAtOnce].every((each) => each.length === 0);
console.log(isExact && isFresh && isRight ? 'as promised' : 'NOT AS PROMISED');
process.exitCode = isExact && isFresh && isRight ? 0 : 1;
