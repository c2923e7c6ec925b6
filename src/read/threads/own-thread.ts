// Starts a thread that runs one of our programs on untrusted bytes, without environment variables and with a memory limit.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Plain JavaScript, so that the program is loaded from the compile cache. */
const THREAD_STARTER = new URL('../../../bin/thread.js', import.meta.url);

type HeapLimits = { readonly oldMb: number; readonly youngMb?: number };

/** `data` is available to the program as `workerData`. */
export function startOwnThread(entry: URL, data: object, { oldMb, youngMb }: HeapLimits): Worker {
  const young = youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb };
  return new Worker(THREAD_STARTER, {
    workerData: { ...data, entry: entry.href, compileCache: getCompileCacheDir() },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: oldMb, ...young },
  });
}

/**
 * Returns the processor time used by a thread, in milliseconds. Null if it has ended, or does not respond within
 * `patienceMs`.
 */
export async function cpuMsOf(worker: Worker, patienceMs: number): Promise<number | null> {
  const usage = worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => null,
  );
  const timeout = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), patienceMs).unref();
  });
  return Promise.race([usage, timeout]);
}
