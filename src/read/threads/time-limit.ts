// Runs a reader for a limited time and interrupts it in place. The thread keeps its compiled code, whereas terminating it
// would slow down the next pages. Code that the engine cannot interrupt is left to the pool's watchdog.

import { closeSync, openSync } from 'node:fs';
import { Script } from 'node:vm';

/**
 * The work exceeded its limit. `isLate` means that only the wall-clock limit was exceeded, because the machine had no time for
 * it.
 */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean) {
    super(message);
    this.isLate = isLate;
  }
}

/**
 * On a busy machine the clock runs while the thread, which gives way to others, does not: with four busy processes a processor it
 * got a fifteenth. The wall-clock limit is therefore this many times as long; the caller's own deadline may end before.
 */
const PATIENCE = 20;
/** If less than this share of the limit was processor time, the machine had no time for the thread. */
const ENOUGH = 0.8;

const JOB = 'openshelfJob';
const script = new Script(`globalThis.${JOB}()`);

/**
 * File descriptors that must be free: five used by a limit, and some that others use meanwhile. Opening and closing them
 * takes 0.04 ms.
 */
const DESCRIPTORS = 8;

/**
 * Whether enough descriptors are free. If a limit gets none, the engine ends the process, and with it all calls, because of
 * one page.
 */
function hasDescriptors(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < DESCRIPTORS) opened.push(openSync('/', 'r'));
    return true;
  } catch {
    return false;
  } finally {
    opened.forEach((each) => closeSync(each));
  }
}

/**
 * Returns the work's value. `limitMs` limits its processor time. Without free descriptors only the pool's watchdog limits it.
 * Throws `OutOfTime`, or the error of the work.
 */
export function runWithin<T>(limitMs: number, work: () => T): T {
  let value: { readonly of: T } | null = null;
  const job = (): void => {
    value = { of: work() };
  };
  for (const times of [1, PATIENCE]) {
    if (!hasDescriptors()) return work();
    const startedMs = threadMs();
    try {
      Object.defineProperty(globalThis, JOB, { value: job, configurable: true });
      script.runInThisContext({ timeout: Math.ceil(limitMs * times) });
      return (value as unknown as { readonly of: T }).of;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      // The second attempt resets the start time, so that only its own time counts.
      if (threadMs() - startedMs >= limitMs * ENOUGH) {
        throw new OutOfTime(`reading took longer than ${limitMs} ms`, false);
      }
    }
  }
  throw new OutOfTime('the machine had no time to read the page', true);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Returns this thread's processor time so far, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
