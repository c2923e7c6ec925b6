// The machine's clock, moved by a test: time passes as usual, and jumps when the test says so.

import { systemClock } from '../../src/app.ts';
import type { Clock } from '../../src/domain/clock.ts';

export type ShiftedClock = Clock & { readonly advance: (ms: number) => void };

export function shiftedClock(): ShiftedClock {
  let shiftMs = 0;
  return {
    now: () => systemClock.now() + shiftMs,
    sleep: systemClock.sleep,
    advance: (ms) => {
      shiftMs += ms;
    },
  };
}
