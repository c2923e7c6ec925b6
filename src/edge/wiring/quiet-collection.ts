// Gives memory back to the system after a busy time. The engine collects garbage to make room for more, so what a service
// needed for an hour of calls stays with a process that has nothing to do.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Clock } from '../../base/clock.ts';
import { once } from '../../base/once.ts';

type QuietParts = {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Processor time of the process so far, in milliseconds. */
  readonly cpuMs: () => number;
  readonly collect: () => void;
};

const STEP_MS = 15_000;
/** The process is quiet while it uses at most 1 % of a processor. */
const QUIET_CPU_MS = 150;
/** Together 45 s, so that it has happened after a minute. */
const QUIET_STEPS = 3;

/** Collects once in every quiet time, until `stop` is aborted. */
export async function collectWhenQuiet(
  { clock, cpuMs, collect }: QuietParts,
  stop: AbortSignal,
): Promise<void> {
  for (let quiet = 0; !stop.aborted;) {
    const beforeMs = cpuMs();
    await clock.sleep(STEP_MS, stop);
    quiet = cpuMs() - beforeMs <= QUIET_CPU_MS ? quiet + 1 : 0;
    if (quiet === QUIET_STEPS) collect();
  }
}

/** A larger heap is not collected: 20 MB take 20 ms, 200 MB up to 300, during which nothing is answered. */
const MOST_BYTES = 256 * 1_048_576;

/** Collects all garbage of this thread, and returns the memory to the system. */
export function collectGarbage(): void {
  if (getHeapStatistics().total_heap_size > MOST_BYTES) return;
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** The engine's own function, which only a context that is created with this flag has. */
const collector = once(() => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
  return collect;
});

/** Processor time of this process so far, in milliseconds. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
