// Housekeeping that recurs as long as the service runs: what this process has gathered is written, and what has expired
// is forgotten, by one process at a time.

import type { Clock } from '../domain/clock.ts';
import type { ExclusiveWork } from '../lookup/exclusive-work.ts';
import type { Background } from './background.ts';

export type HousekeepingParts = {
  readonly clock: Clock;
  readonly background: Background;
  readonly exclusive: ExclusiveWork;
  readonly onError: (error: unknown) => void;
};

export type Chores = {
  /** Every process's own. */
  readonly own: () => Promise<unknown>;
  /** Of the whole store, in order; none in a process that leaves them to others. */
  readonly shared: readonly (() => Promise<unknown>)[];
};

const SWEEP_EVERY_MS = 10_000;

/** Does the chores at once, then every 10 s until the service stops. Rejects when the first round fails. */
export async function keepHouse(
  { own, shared }: Chores,
  { clock, background, exclusive, onError }: HousekeepingParts,
): Promise<void> {
  const sweep = async (): Promise<void> => {
    await own();
    if (shared.length === 0) return;
    // Where another process is at it, there is nothing left to do.
    await exclusive.ifFree('housekeeping', async () => {
      for (const chore of shared) await chore();
    });
  };
  await sweep();
  void background.run(async (signal) => {
    for (;;) {
      await clock.sleep(SWEEP_EVERY_MS, signal);
      // The next round tries again: one failure must not end the housekeeping of a process's life.
      await sweep().catch(onError);
    }
  });
}
