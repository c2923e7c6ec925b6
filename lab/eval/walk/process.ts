// A process of the service whose clock is set by its parent: started by lab/eval/walk.ts, killed by it in the middle of
// calls.

import { subscribe } from 'node:diagnostics_channel';

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { untilQueueIdle } from '../../../tests/support/service.ts';

/** The parent's request. `settle`: run the checks of watches that are due and everything on the queue. */
export type Order = { readonly nowMs: number; readonly settle: boolean };
export type Done = { readonly failure: string | null; readonly read: number };

let nowMs = Number(process.argv[2]);
/** Requests that node:http has read: a repeated one is not included. */
let read = 0;
subscribe('http.server.request.start', () => (read += 1));
const clock = { ...systemClock, now: () => nowMs };
const app = await openApp(readConfig(process.env, { port: 0 }), {
  clock,
  logTo: (line) => void process.stderr.write(`${line}\n`),
});
const { url } = await app.listen();
process.on('message', (order: Order) => {
  ({ nowMs } = order);
  void carryOut(order).then((failure) => process.send?.({ failure, read }));
});
process.on('disconnect', () => process.exit());
process.send?.({ url });

async function carryOut({ settle }: Order): Promise<string | null> {
  if (!settle) return null;
  try {
    await untilQueueIdle(app, clock);
    await app.checkWatches();
    await untilQueueIdle(app, clock);
    return null;
  } catch (error) {
    return String(error);
  }
}
