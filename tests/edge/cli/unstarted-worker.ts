// A program of tests/edge/cli/workers.test.ts: a parent whose worker is killed when no process can be started. It prints the
// parent's report and that a worker answers again, and exits with 0.

import cluster from 'node:cluster';

import { isWorker, notifyParent } from '../../../src/edge/cli/service/worker.ts';
import { runWorkers } from '../../../src/edge/cli/service/workers.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';

if (isWorker()) {
  process.on('message', () => process.exit(0));
  notifyParent({ url: 'http://127.0.0.1', metricsUrl: null });
} else {
  const stop = new AbortController();
  const node = process.execPath;
  let said = 0;
  await runWorkers({
    count: 1,
    args: [],
    envOf: () => process.env,
    clock: systemClock,
    stop: stop.signal,
    drainMs: 60_000,
    started: () => {
      process.execPath = '/nowhere/node';
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
      cluster.on('message', () => {
        process.stdout.write('A worker answers again.\n');
        stop.abort('SIGTERM');
      });
    },
    say: (line) => {
      process.stdout.write(`${line}\n`);
      said += 1;
      if (said === 2) process.execPath = node;
    },
  });
}
