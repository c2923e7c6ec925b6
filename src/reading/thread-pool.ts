// Worker threads that each do one job at a time under a deadline: a page that makes a reader run forever
// or eat memory costs its thread, never the service (security 2.2). Knows nothing of what jobs mean.

import { Worker } from 'node:worker_threads';

import type { JobMessage, ReadingJob, ThreadMessage } from './reading-job.ts';

export type ThreadPoolOptions = {
  readonly entry: URL;
  /** Threads are started when there is work for them, at most this many. */
  readonly maxThreads: number;
  /** From handing a job to a loaded thread to its answer. */
  readonly deadlineMs: number;
  /** Loading the readers; not part of any job's deadline. */
  readonly startMs: number;
  readonly maxHeapMb: number;
};

export type JobResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

export type ThreadPool = {
  run(job: ReadingJob, transfer: readonly ArrayBuffer[]): Promise<JobResult>;
  /** Ends the threads; jobs that still run or wait fail. */
  close(): Promise<void>;
};

type Pending = {
  readonly job: ReadingJob;
  readonly transfer: readonly ArrayBuffer[];
  readonly settle: (result: JobResult) => void;
};

type Thread = {
  readonly worker: Worker;
  ready: boolean;
  current: { readonly id: number; readonly pending: Pending } | null;
  timer: NodeJS.Timeout | undefined;
};

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const threads = new Set<Thread>();
  const waiting: Pending[] = [];
  let nextId = 1;
  let closed = false;

  function start(): void {
    const worker = new Worker(options.entry, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
    });
    const thread: Thread = { worker, ready: false, current: null, timer: undefined };
    threads.add(thread);
    thread.timer = setTimeout(() => {
      replace(thread, `the readers did not load within ${options.startMs} ms`);
    }, options.startMs);
    worker.on('message', (message: ThreadMessage) => heard(thread, message));
    worker.on('error', (error) => replace(thread, messageOf(error)));
    worker.on('exit', () => replace(thread, 'the reading thread ended'));
  }

  function heard(thread: Thread, message: ThreadMessage): void {
    if (message.kind === 'ready') {
      clearTimeout(thread.timer);
      thread.ready = true;
      if (thread.current === null) thread.worker.unref();
    } else if (thread.current?.id === message.id) {
      clearTimeout(thread.timer);
      const { pending } = thread.current;
      thread.current = null;
      thread.worker.unref();
      pending.settle(
        message.kind === 'result'
          ? { ok: true, value: message.value }
          : { ok: false, why: message.why },
      );
    }
    handOut();
  }

  /** Ends a thread that is lost; its job fails, the next waiting one gets a new thread. */
  function replace(thread: Thread, why: string): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    if (thread.current !== null) thread.current.pending.settle({ ok: false, why });
    else if (!thread.ready) waiting.shift()?.settle({ ok: false, why });
    handOut();
  }

  function handOut(): void {
    if (closed) return;
    for (const thread of threads) {
      if (!thread.ready || thread.current !== null) continue;
      const pending = waiting.shift();
      if (pending === undefined) return;
      give(thread, pending);
    }
    const starting = [...threads].filter((thread) => !thread.ready).length;
    if (waiting.length > starting && threads.size < options.maxThreads) start();
  }

  function give(thread: Thread, pending: Pending): void {
    const id = nextId;
    nextId += 1;
    thread.current = { id, pending };
    thread.worker.ref();
    thread.timer = setTimeout(() => {
      replace(thread, `reading took longer than ${options.deadlineMs} ms`);
    }, options.deadlineMs);
    const message: JobMessage = { id, job: pending.job };
    thread.worker.postMessage(message, [...pending.transfer]);
  }

  return {
    async run(job, transfer) {
      if (closed) return { ok: false, why: 'the service is stopping' };
      const { promise, resolve } = Promise.withResolvers<JobResult>();
      waiting.push({ job, transfer, settle: resolve });
      handOut();
      return promise;
    },
    async close() {
      closed = true;
      const failed: JobResult = { ok: false, why: 'the service is stopping' };
      for (const pending of waiting.splice(0)) pending.settle(failed);
      const ended = [...threads].map(async (thread) => {
        threads.delete(thread);
        clearTimeout(thread.timer);
        thread.current?.pending.settle(failed);
        await thread.worker.terminate();
      });
      await Promise.all(ended);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
