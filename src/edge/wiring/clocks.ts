// The clocks of a running service.

import { setTimeout as wait } from 'node:timers/promises';

import type { Clock } from '../../base/clock.ts';

/** The wall clock of a running service. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};

const steadyNow = () => Math.round(performance.timeOrigin + performance.now());
/** The clock for waiting and for measuring durations. It begins at the system's time and, unlike that, is never set. */
export const steadyClock: Clock = { ...systemClock, now: steadyNow };
