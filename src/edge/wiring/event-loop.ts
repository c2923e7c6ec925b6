// Measures the event loop of the serving thread, for code that decides what to wait for.

import { setTimeout as pause } from 'node:timers/promises';

import type { EventLoop } from '../../data/metering/metering.ts';

/** More than half of the time: what waits for the loop then waits longer for it than for anything else. */
const MOST = 0.5;
const US_OF_MS = 1_000;

/** Measures the event loop of the thread that calls it. */
export function createEventLoop(): EventLoop {
  let utilization = performance.eventLoopUtilization();
  let processor = processorTime();
  return {
    isBusy: () => {
      const now = performance.eventLoopUtilization();
      const since = performance.eventLoopUtilization(now, utilization);
      utilization = now;
      return since.utilization > MOST;
    },
    hasProcessor: () => {
      const now = processorTime();
      const share = (now.usedUs - processor.usedUs) / ((now.atMs - processor.atMs) * US_OF_MS);
      processor = now;
      return share > MOST;
    },
    endOfTurn: () => new Promise((resolve) => setImmediate(resolve)),
    pause: (ms) => pause(ms),
    nowMs: () => performance.now(),
  };
}

function processorTime() {
  const { user, system } = process.threadCpuUsage();
  return { atMs: performance.now(), usedUs: user + system };
}
