// The event loop of the serving thread, as those see it who decide what to wait for.

import type { EventLoop } from '../metering/metering.ts';

/** More than half of the time: what waits for the loop then waits longer than what it waits for. */
const BUSY = 0.5;

/** Of the thread that calls it. */
export function createEventLoop(): EventLoop {
  let before = performance.eventLoopUtilization();
  return {
    isBusy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization > BUSY;
    },
    endOfTurn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
