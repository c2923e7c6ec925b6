// A process of the proof of promise 10: processes the queue of the store given as its argument. A job on `/poison` kills
// its process; any other takes a while and completes.

import { createWorker } from '../../src/answer/indexer/worker.ts';
import type { Collect } from '../../src/answer/collect/collect.ts';
import type { CollectOutcome } from '../../src/answer/collect/collect-outcome.ts';
import { fetchContext } from '../../src/egress/deadline.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { answerLines } from './children.ts';

const [place = '', pause = '100'] = process.argv.slice(2);
await using store = await storeAt(place);
let ids = 0;
const MISS: CollectOutcome = { kind: 'miss', miss: { detail: 'done', upstream: null } };

const collect: Pick<Collect, 'collect'> = {
  collect: async ({ url }) => {
    if (new URL(url).pathname.startsWith('/poison')) process.kill(process.pid, 'SIGKILL');
    await systemClock.sleep(Number(pause));
    return MISS;
  },
};
const worker = createWorker({
  sql: store.sql,
  jobs: store.jobs,
  // Only listings are requested here.
  collect: collect as Collect,
  clock: systemClock,
  random: Math.random,
  newId: () => `${process.pid} ${(ids += 1)}`,
  notifyWatches: () => Promise.resolve(),
  endChecks: () => Promise.resolve(),
  contextFor: (stop) =>
    fetchContext({ nowMs: Date.now(), ms: 60_000, stop }, { kind: 'background' }),
  onError: () => undefined,
  concurrency: 4,
});
worker.start();
await answerLines(() => Promise.resolve('works'));
await worker.stop();
