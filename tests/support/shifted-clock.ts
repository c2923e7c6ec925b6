// The machine's clock, moved by a test: time passes as usual, and jumps when the test says so.

import { systemClock } from '../../src/edge/wiring/clocks.ts';
import type { Clock } from '../../src/base/clock.ts';

export type ShiftedClock = Clock & { readonly advance: (ms: number) => void };

/** Starts at `startMs`, by default at the machine's time. */
export function shiftedClock(startMs?: number): ShiftedClock {
  let shiftMs = startMs === undefined ? 0 : startMs - systemClock.now();
  return {
    now: () => systemClock.now() + shiftMs,
    sleep: systemClock.sleep,
    advance: (ms) => {
      shiftMs += ms;
    },
  };
}

/** Stands still until moved, while waits take real time. */
export function stillClock(startMs: number): ShiftedClock & { set(atMs: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: systemClock.sleep,
    advance: (ms) => {
      nowMs += ms;
    },
    set: (atMs) => {
      nowMs = atMs;
    },
  };
}
