// Loading in steps, because a file is loaded without a pause of the event loop: who asks meanwhile whether the process is alive
// waits for one of them and not for all.

import { createEventLoop } from './event-loop.ts';

/** One after the other, each in a turn of its own. */
export async function inSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const loop = createEventLoop();
  for (const load of steps) {
    await load();
    await loop.endOfTurn();
  }
}
