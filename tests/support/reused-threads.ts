// Keeps threads that read pages for the next service of the same process, because a new thread loads the readers and runs them
// uncompiled. The threads keep no state. One that is busy when its service ends is ended with it.

import type { Worker } from 'node:worker_threads';

import type { ThreadMessage } from '../../src/read/threads/reading-job.ts';
import { startOwnThread } from '../../src/read/threads/own-thread.ts';

const kept = new Map<string, Set<Worker>>();
/** Processor time that each has used, as it last said. */
const used = new WeakMap<Worker, number>();

/** Like `startOwnThread`, but gives a thread that an earlier service has left, if there is one. */
export const startReusedThread: typeof startOwnThread = (entry, data, limits) => {
  const kind = JSON.stringify([entry, data, limits]);
  const idle = kept.get(kind) ?? new Set();
  kept.set(kind, idle);
  const [worker] = idle;
  if (worker === undefined) return keepable(startOwnThread(entry, data, limits), idle);
  idle.delete(worker);
  const ready: ThreadMessage = { kind: 'ready', cpuMs: used.get(worker) ?? 0 };
  // Whoever asked for it listens from now on.
  setImmediate(() => worker.emit('message', ready));
  return worker;
};

function keepable(worker: Worker, idle: Set<Worker>): Worker {
  // Until it says that it is ready it has as much to do as with a job.
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
