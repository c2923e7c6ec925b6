// npm run lab -- failover: the primary of a service under load is killed and its standby promoted, once with a standby that
// every commit waits for and once with an asynchronous one. Exit code 1 if a promise of docs/run/cluster.md is broken.

import { parseArgs } from 'node:util';

import { quantile } from '../bench/measurement.ts';
import { measureFailover, type FailoverResult } from './failover/measure.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'both' },
    apis: { type: 'string', default: '2' },
    callers: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    'distance-ms': { type: 'string', default: '30' },
    'before-ms': { type: 'string', default: '8000' },
    'outage-ms': { type: 'string', default: '4000' },
    'after-ms': { type: 'string', default: '8000' },
  },
});
const modes = { both: [true, false], synchronous: [true], asynchronous: [false] } as const;
const chosen = Object.entries(modes).find(([name]) => name === values.mode)?.[1];
if (chosen === undefined) throw new Error(`--mode is one of ${Object.keys(modes).join(', ')}`);

const RESUMED_MS = 10_000;

/** Returns each promise, and whether it held. */
function promises(result: FailoverResult, isSynchronous: boolean): readonly [string, boolean][] {
  const { ledger, staleness, calls } = result;
  return [
    ['no read fails', result.readFailures.length === 0 && result.outageReads > 0],
    ['writes resume within 10 s of the promotion', result.firstWriteMs <= RESUMED_MS],
    ['calls are answered within 10 s of the promotion', result.firstAnswerMs <= RESUMED_MS],
    ['every 503 says when to retry', calls.every((each) => each.withoutRetryAfter === 0)],
    ['no call fails otherwise', calls.every((each) => each.unexpected.length === 0)],
    ['no answered call is lost that the standby had', ledger.lostWithin.length === 0],
    ['no answered call is lost at all', !isSynchronous || ledger.lost === 0],
    ['each call is charged once', ledger.wrong.length === 0],
    ['the ledger contains what was answered', ledger.tokens.answered === ledger.tokens.ledger],
    ['the store is consistent', result.problems.length === 0],
    ['nothing is older than 1 s at p99.9', quantile(staleness, 0.999) <= 1_000],
    ['nothing is older than 5 s', quantile(staleness, 1) <= 5_000],
  ];
}

function show(result: FailoverResult): void {
  const { calls, ledger, staleness, answeredBy, servedBy } = result;
  const sum = (of: 'refusals' | 'cuts') => calls.reduce((all, each) => all + each[of], 0);
  const ms = (value: number) => `${Math.round(value)} ms`;
  console.log(
    `  calls ${calls.length}, answered ${calls.filter((each) => each.answeredMs !== null).length}; ` +
      `503s ${sum('refusals')}, cut or unfinished ${sum('cuts')}, ` +
      `replayed ${calls.filter((each) => each.isReplayed).length}`,
  );
  console.log(
    `  reads in the ${ms(result.outageMs)} without a primary: ${result.outageReads}, ` +
      `failed in the whole run: ${result.readFailures.length}, longest gap ${ms(result.longestReadGapMs)}; ` +
      `by the replica ${answeredBy.replica}, by the primary ${answeredBy.primary}`,
  );
  console.log(
    `  reads of the processes before: by the replica ${servedBy.replica}, ` +
      `by the primary ${servedBy.primary}`,
  );
  console.log(
    `  after the order to promote: first durable write ${ms(result.firstWriteMs)}, ` +
      `first billed answer ${ms(result.firstAnswerMs)}`,
  );
  console.log(
    `  answered before the promotion ${ledger.before}, lost ${ledger.lost}, of these known to the standby ` +
      `${ledger.lostWithin.length}; charged but not answered ${ledger.unanswered}; tokens answered ` +
      `${ledger.tokens.answered}, in the ledger ${ledger.tokens.ledger}`,
  );
  const [p50, p999, most] = [0.5, 0.999, 1].map((share) => quantile(staleness, share));
  console.log(
    `  refreshed at one process, read at another: p50 ${p50} ms, p99.9 ${p999} ms, max ${most} ms ` +
      `(${staleness.length} samples)`,
  );
  const faults = [
    ...result.readFailures,
    ...calls.flatMap((each) => each.unexpected),
    ...ledger.lostWithin,
    ...ledger.wrong,
    ...result.problems,
  ];
  for (const fault of faults.slice(0, 20)) console.log(`    ${fault}`);
}

for (const isSynchronous of chosen) {
  const result = await measureFailover({
    isSynchronous,
    apis: Number(values.apis),
    callers: Number(values.callers),
    seed: Number(values.seed),
    distanceMs: Number(values['distance-ms']),
    beforeMs: Number(values['before-ms']),
    outageMs: Number(values['outage-ms']),
    afterMs: Number(values['after-ms']),
    say: (line) => console.error(line),
  });
  console.log(isSynchronous ? 'commits wait for the standby' : 'the standby follows behind');
  show(result);
  for (const [promise, isKept] of promises(result, isSynchronous)) {
    if (isKept) continue;
    console.log(`  NOT KEPT: ${promise}`);
    process.exitCode = 1;
  }
}
console.log(process.exitCode === 1 ? 'NOT AS PROMISED' : 'as promised');
