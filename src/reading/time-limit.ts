// Runs a reader for at most so long and interrupts it in place: the thread goes on with its compiled code, where ending
// the thread would make the next pages slow. Code that the engine cannot interrupt is left to the watch of the pool.

import { closeSync, openSync } from 'node:fs';
import { Script } from 'node:vm';

/** The work took longer than its limit. `isLate`: by the clock alone, because the machine had no time for it. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean) {
    super(message);
    this.isLate = isLate;
  }
}

/** On a busy machine the clock runs while the thread does not: then the work gets this many times as long by the clock. */
const PATIENCE = 4;
/** Less of the limit in processor time means that the machine had no time for the thread. */
const ENOUGH = 0.8;

const JOB = 'openshelfJob';
const script = new Script(`globalThis.${JOB}()`);

/** Of the five that a limit takes and some that others take meanwhile. Opening and closing them takes 0.04 ms. */
const DESCRIPTORS = 8;

/** Where the process has no descriptors left for a limit, the engine ends it: all calls, for one page. */
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
 * The work's value. `limitMs`: its processor time; without descriptors it has no limit here, and the watch of the pool is the only
 * one. Throws `OutOfTime`, or what the work throws.
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
      // The second time begins anew, so that only its own time counts.
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

/** Processor time of this thread so far, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
