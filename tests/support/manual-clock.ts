// A clock that stands still until a test moves it.

import type { Clock } from '../../src/base/clock.ts';

export type ManualClock = Clock & { set(atMs: number): void; advance(ms: number): void };

/** Starts at the given instant; `sleep` moves the clock itself and returns at once. */
export function manualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep(ms) {
      nowMs += ms;
      return Promise.resolve();
    },
    set(atMs) {
      nowMs = atMs;
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}
