// A process of the service whose clock is set by its parent: started by lab/eval/notifications.ts, killed by it at any moment.

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';

let nowMs = Number(process.argv[2]);
const clock = { ...systemClock, now: () => nowMs };
const app = await openApp(readConfig(process.env, { port: 0 }), {
  clock,
  logTo: (line) => void process.stderr.write(`${line}\n`),
});
const { url } = await app.listen();
process.on('message', (message: { readonly nowMs: number }) => {
  ({ nowMs } = message);
  process.send?.({ nowMs });
});
process.on('disconnect', () => process.exit());
process.send?.({ url });
