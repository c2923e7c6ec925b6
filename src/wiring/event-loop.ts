// The event loop of the serving thread, as those see it who decide what to wait for.

import { setTimeout as pause } from 'node:timers/promises';

import type { EventLoop } from '../metering/metering.ts';

/** More than half of a processor: what waits for the loop then waits longer than what it waits for. */
const BUSY = 0.5;
const US_OF_MS = 1_000;

/** Of the thread that calls it. */
export function createEventLoop(): EventLoop {
  let before = standing();
  return {
    isBusy: () => {
      const now = standing();
      const used = (now.cpuUs - before.cpuUs) / ((now.atMs - before.atMs) * US_OF_MS);
      before = now;
      return used > BUSY;
    },
    endOfTurn: () => new Promise((resolve) => setImmediate(resolve)),
    pause: (ms) => pause(ms),
    nowMs: () => performance.now(),
  };
}

/**
 * Processor time and not `eventLoopUtilization`, which takes the time in which other processes have the processor for work: each of four
 * workers on two processors said that it was busy, and waited for the database.
 */
function standing() {
  const { user, system } = process.threadCpuUsage();
  return { atMs: performance.now(), cpuUs: user + system };
}
