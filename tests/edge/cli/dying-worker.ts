// A program of tests/edge/cli/workers.test.ts: a parent whose worker is killed while the parent owes it the answer to a
// message. It prints what the parent reports about it, and exits with 0.

import { execFileSync } from 'node:child_process';
import cluster from 'node:cluster';

import { isWorker, notifyParent } from '../../../src/edge/cli/service/worker.ts';
import { runWorkers } from '../../../src/edge/cli/service/workers.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';

if (isWorker()) {
  // Disconnecting is a message that the parent answers.
  process.on('message', () => {
    cluster.worker?.disconnect();
    setImmediate(() => process.kill(process.pid, 'SIGKILL'));
  });
  notifyParent({ url: 'http://127.0.0.1', metricsUrl: null });
} else {
  const stop = new AbortController();
  await runWorkers({
    count: 1,
    args: [],
    envOf: () => process.env,
    clock: systemClock,
    stop: stop.signal,
    drainMs: 1_000,
    started: () => {
      for (const worker of Object.values(cluster.workers ?? {})) {
        worker?.send('leave');
        untilDead(worker?.process.pid ?? 0);
      }
    },
    say: (line) => {
      process.stdout.write(`${line}\n`);
      stop.abort('SIGTERM');
    },
  });
}

/** Blocks meanwhile, so that the worker's message and its death arrive at once. */
function untilDead(pid: number): void {
  for (;;) {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
    if (state.trim().startsWith('Z')) return;
  }
}
