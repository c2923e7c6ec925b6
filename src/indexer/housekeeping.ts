// Housekeeping that recurs as long as the service runs: what has expired is forgotten.

import type { Clock } from '../domain/clock.ts';
import type { Background } from './background.ts';

export type HousekeepingParts = {
  readonly clock: Clock;
  readonly background: Background;
  readonly onError: (error: unknown) => void;
};

const SWEEP_EVERY_MS = 10_000;

/** Runs `sweep` at once, then every 10 s until the service stops. Rejects when the first fails. */
export async function sweepNowAndThen(
  sweep: () => Promise<void>,
  { clock, background, onError }: HousekeepingParts,
): Promise<void> {
  await sweep();
  void background.run(async (signal) => {
    for (;;) {
      await clock.sleep(SWEEP_EVERY_MS, signal);
      // The next round tries again: one failure must not end the housekeeping of a process's life.
      await sweep().catch(onError);
    }
  });
}
