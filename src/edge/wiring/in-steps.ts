// Loads files in steps, because loading one file does not pause for the event loop. Whoever asks meanwhile whether the process
// is alive waits for one step and not for all.

import { createEventLoop } from './event-loop.ts';

/** Does the steps one after the other, each in a turn of its own. */
export async function inSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const loop = createEventLoop();
  for (const load of steps) {
    await load();
    await loop.endOfTurn();
  }
}
