// A clock controlled by tests: nothing really waits, and events happen in order of time.

import type { Clock } from '../../src/base/clock.ts';

export type VirtualClock = Clock & {
  /** Moves time forward, waking sleepers in the order of their times. */
  advance(ms: number): Promise<void>;
  readonly sleepers: number;
  /** Moves time to the next sleeper's, if there is one. */
  advanceToNext(): Promise<void>;
};

type Sleeper = { readonly atMs: number; readonly wake: () => void };

export function createVirtualClock(startMs = Date.UTC(2026, 0, 5)): VirtualClock {
  let nowMs = startMs;
  let sleepers: Sleeper[] = [];
  const clock: VirtualClock = {
    now: () => nowMs,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper: Sleeper = { atMs: nowMs + ms, wake: resolve };
      sleepers.push(sleeper);
      const abort = () => {
        sleepers = sleepers.filter((each) => each !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
      return promise;
    },
    async advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        await settle();
        const next = sleepers.toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined || next.atMs > endMs) break;
        nowMs = next.atMs;
        sleepers = sleepers.filter((each) => each !== next);
        next.wake();
      }
      nowMs = endMs;
      await settle();
    },
    get sleepers() {
      return sleepers.length;
    },
    advanceToNext: () =>
      clock.advance(Math.max(0, Math.min(...sleepers.map(({ atMs }) => atMs)) - nowMs)),
  };
  return clock;
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}
