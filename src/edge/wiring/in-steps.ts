// Loads files in steps, because loading one file does not yield to the event loop. A liveness check meanwhile waits for one
// step and not for all.

import { createEventLoop } from './event-loop.ts';

/** Runs the steps one after the other, each in its own turn of the event loop. */
export async function inSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const loop = createEventLoop();
  for (const load of steps) {
    await load();
    await loop.endOfTurn();
  }
}
