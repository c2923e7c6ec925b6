// Worker threads that each do one job at a time under a deadline: a page that makes a reader run forever or use up
// its memory ends that thread and not the service. The pool does not know what the jobs mean.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

import type { JobMessage, ReadingJob, ThreadMessage } from './reading-job.ts';

/** Plain JavaScript, so that the readers come out of the compile cache. */
const THREAD_STARTER = new URL('../../bin/thread.js', import.meta.url);

export type ThreadPoolOptions = {
  readonly entry: URL;
  /** Threads are started when there is work for them, at most this many. */
  readonly maxThreads: number;
  /** Processor time of one job; `PATIENCE` times as long by the clock. */
  readonly deadlineMs: number;
  /** For loading the readers; not part of the deadline of a job. */
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
  /** Processor time that it had used when it last said so; null where it does not. */
  cpuMs: number | null;
};

/** Starts no thread yet: the first job does. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  return new Threads(options);
}

const STOPPING: JobResult = { ok: false, why: 'the service is stopping' };

class Threads implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Pending[] = [];
  #nextId = 1;
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  async run(job: ReadingJob, transfer: readonly ArrayBuffer[]): Promise<JobResult> {
    if (this.#closed) return STOPPING;
    const { promise, resolve } = Promise.withResolvers<JobResult>();
    this.#waiting.push({ job, transfer, settle: resolve });
    this.#assignJobs();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const pending of this.#waiting.splice(0)) pending.settle(STOPPING);
    const ended = [...this.#threads].map(async (thread) => {
      this.#threads.delete(thread);
      clearTimeout(thread.timer);
      thread.current?.pending.settle(STOPPING);
      await thread.worker.terminate();
    });
    await Promise.all(ended);
  }

  #start(): void {
    const { entry, maxHeapMb, startMs } = this.#options;
    const worker = new Worker(THREAD_STARTER, {
      workerData: { entry: entry.href, compileCache: getCompileCacheDir() },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    const thread: Thread = { worker, ready: false, current: null, timer: undefined, cpuMs: null };
    this.#threads.add(thread);
    thread.timer = setTimeout(() => {
      this.#replace(thread, `the readers did not load within ${startMs} ms`);
    }, startMs);
    worker.on('message', (message: ThreadMessage) => this.#onMessage(thread, message));
    worker.on('error', (error) => this.#replace(thread, messageOf(error)));
    worker.on('exit', () => this.#replace(thread, 'the reading thread ended'));
  }

  #onMessage(thread: Thread, message: ThreadMessage): void {
    thread.cpuMs = message.cpuMs ?? null;
    if (message.kind === 'ready') {
      clearTimeout(thread.timer);
      thread.ready = true;
      // An idle thread keeps no process alive.
      thread.worker.unref();
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
    this.#assignJobs();
  }

  /** Ends a thread that is lost. Its job fails; the next waiting job gets a new thread. */
  #replace(thread: Thread, why: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    if (thread.current !== null) thread.current.pending.settle({ ok: false, why });
    // A thread that did not load fails one waiting job, so that the pool does not start threads forever.
    else if (!thread.ready) this.#waiting.shift()?.settle({ ok: false, why });
    this.#assignJobs();
  }

  #assignJobs(): void {
    if (this.#closed) return;
    for (const thread of this.#threads) {
      if (!thread.ready || thread.current !== null) continue;
      const pending = this.#waiting.shift();
      if (pending === undefined) return;
      this.#assign(thread, pending);
    }
    const starting = [...this.#threads].filter((thread) => !thread.ready).length;
    const mayStart = this.#threads.size < this.#options.maxThreads;
    if (this.#waiting.length > starting && mayStart) this.#start();
  }

  /** Ends the thread when the job has used up its time, and not when the machine had no time for it. */
  async #watch(thread: Thread, id: number): Promise<void> {
    const { deadlineMs } = this.#options;
    const isRunning = (): boolean => thread.current?.id === id && this.#threads.has(thread);
    const before = thread.cpuMs;
    for (let times = 1; isRunning(); times += 1) {
      await new Promise<void>((resolve) => {
        thread.timer = setTimeout(resolve, deadlineMs);
      });
      if (!isRunning()) return;
      const now = before === null || times >= PATIENCE ? null : await cpuMsOf(thread, deadlineMs);
      if (!isRunning()) return;
      if (now === null || before === null || now - before >= deadlineMs * 0.9) {
        this.#replace(thread, `reading took longer than ${deadlineMs} ms`);
        return;
      }
    }
  }

  #assign(thread: Thread, pending: Pending): void {
    const id = this.#nextId;
    this.#nextId += 1;
    thread.current = { id, pending };
    thread.worker.ref();
    void this.#watch(thread, id);
    const message: JobMessage = { id, job: pending.job };
    thread.worker.postMessage(message, [...pending.transfer]);
  }
}

/** How many times its deadline a job may take by the clock: on a busy machine a sound page has to wait for its turn. */
const PATIENCE = 4;

/**
 * Processor time of a thread, in milliseconds; null where it cannot be told: before Node 24.6, of a thread that has ended, and of
 * one that answers nothing any more.
 */
async function cpuMsOf({ worker }: Thread, patienceMs: number): Promise<number | null> {
  if (typeof worker.cpuUsage !== 'function') return null;
  const told = worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => null,
  );
  const timeout = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), patienceMs).unref();
  });
  return Promise.race([told, timeout]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
