// Keeps page-reading threads for the next service of the same process, because a new thread loads the readers and runs them
// uncompiled. The threads have no state. One that is busy when its service ends is terminated with it.

import type { Worker } from 'node:worker_threads';

import type { ThreadMessage } from '../../src/read/threads/reading-job.ts';
import { startOwnThread } from '../../src/read/threads/own-thread.ts';

const kept = new Map<string, Set<Worker>>();
/** The processor time that each has used, as last reported. */
const used = new WeakMap<Worker, number>();

/** Like `startOwnThread`, but returns a thread left by an earlier service, if there is one. */
export const startReusedThread: typeof startOwnThread = (entry, data, limits) => {
  const kind = JSON.stringify([entry, data, limits]);
  const idle = kept.get(kind) ?? new Set();
  kept.set(kind, idle);
  const [worker] = idle;
  if (worker === undefined) return keepable(startOwnThread(entry, data, limits), idle);
  idle.delete(worker);
  const ready: ThreadMessage = { kind: 'ready', cpuMs: used.get(worker) ?? 0 };
  // By then the requester is listening.
  setImmediate(() => worker.emit('message', ready));
  return worker;
};

function keepable(worker: Worker, idle: Set<Worker>): Worker {
  // Until it reports that it is ready, it counts as busy with one job.
  let jobs = 1;
  const listen = (): void => {
    worker.on('message', ({ kind, cpuMs }: ThreadMessage) => {
      if (kind !== 'ready') jobs -= 1;
      if (cpuMs !== undefined) used.set(worker, cpuMs);
    });
    worker.on('exit', () => idle.delete(worker));
  };
  const postMessage = worker.postMessage.bind(worker);
  const terminate = worker.terminate.bind(worker);
  worker.once('message', () => void (jobs -= 1));
  listen();
  return Object.assign(worker, {
    postMessage: (...args: Parameters<Worker['postMessage']>) => {
      jobs += 1;
      postMessage(...args);
    },
    terminate: async () => {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      if (jobs > 0) return await terminate();
      listen();
      worker.unref();
      idle.add(worker);
      return 0;
    },
  });
}
