// Worker threads that each read one page at a time within a processor time limit. A page that makes a reader run forever or
// exhaust its memory costs that thread, not the service. The pool does not know what the jobs mean.

import type { Worker } from 'node:worker_threads';

import type { HeldBytes } from '../../base/byte-budget.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { messageOf } from '../../base/fault.ts';
import type { JobMessage, ReadingJob, ThreadMessage } from './reading-job.ts';
import { cpuMsOf, startOwnThread } from './own-thread.ts';
import { createReadingQueue } from './reading-queue.ts';

type ThreadPoolOptions = {
  readonly entry: URL;
  /** Maximum number of threads; they start when there is work for them. */
  readonly maxThreads: number;
  /** Processor time of one job. */
  readonly deadlineMs: number;
  /** Time for loading the readers, which is not part of a job's deadline. */
  readonly startMs: number;
  readonly maxHeapMb: number;
  /** A thread without a job for this long is ended. */
  readonly idleMs: number;
  /** Starts a thread; `startOwnThread` by default. */
  readonly start?: typeof startOwnThread;
};

export type JobResult =
  | { readonly ok: true; readonly value: unknown }
  /**
   * `isLate` means that the job was not done: its caller was gone or had no time left, no thread was available, or the
   * machine had no time.
   */
  | { readonly ok: false; readonly why: string; readonly isLate?: boolean };

type JobOptions = {
  /** Who is waiting for it and until when; null if nobody in particular is. */
  readonly context: FetchContext | null;
  /** The bytes it holds while waiting and being read; released when it ends. */
  readonly held: HeldBytes | null;
  /** How many times the usual deadline it may take. */
  readonly times: number;
};

type ThreadPool = {
  /** Starts a thread if there is none, for a job that will come. */
  prepare(): void;
  run(job: ReadingJob, options: JobOptions): Promise<JobResult>;
  /** Ends the threads. Running and waiting jobs fail. */
  close(): Promise<void>;
};

type Pending = JobOptions & {
  readonly job: ReadingJob;
  readonly settle: (result: JobResult) => void;
};

type Thread = {
  readonly worker: Worker;
  ready: boolean;
  current: { readonly id: number; readonly pending: Pending } | null;
  timer: NodeJS.Timeout | undefined;
  /** Processor time used as of its last report. */
  cpuMs: number;
  /** Processor time that it had used when its readers were loaded. */
  readyCpuMs: number;
};

/** Starts no thread yet: the first job does. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  return new Threads(options);
}

const STOPPING: JobResult = { ok: false, why: 'the service is stopping', isLate: true };
const LATE: JobResult = {
  ok: false,
  why: 'there was no time left to read the page',
  isLate: true,
};

/**
 * Until a thread has worked for this long, its readers run uncompiled, several times slower. A page of 1.2 MB took 20 to 50 ms
 * in a warm thread and up to 170 in a new one. A new thread therefore gets `COLD_TIMES` the limit.
 */
const COLD_MS = 1_000;
const COLD_TIMES = 4;
/** The young generation of a thread's heap, in addition to the rest: the default of 48 MB is seldom released. */
const YOUNG_MB = 16;
/** A thread is terminated when a job has used this many times its limit: only uninterruptible code does. */
const LAST_RESORT = 3;
/** The final wall-clock limit: on a busy machine a valid page has to wait. */
const PATIENCE = 30;

class Threads implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting = createReadingQueue<Pending>();
  #nextId = 1;
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  prepare(): void {
    if (!this.#closed && this.#threads.size === 0) this.#start();
  }

  async run(job: ReadingJob, options: JobOptions): Promise<JobResult> {
    try {
      return await this.#inTurn(job, options);
    } finally {
      options.held?.release();
    }
  }

  async #inTurn(job: ReadingJob, options: JobOptions): Promise<JobResult> {
    if (this.#closed) return STOPPING;
    const signal = options.context?.signal;
    if (signal?.aborted === true) return LATE;
    const { promise, resolve } = Promise.withResolvers<JobResult>();
    const pending: Pending = { ...options, job, settle: resolve };
    // A page already being read continues. It ends within its limit, and its result is discarded.
    const leave = (): void => {
      this.#waiting.remove(pending);
      resolve(LATE);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(pending);
    this.#assignJobs();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let one = this.#waiting.next(); one !== undefined; one = this.#waiting.next()) {
      one.settle(STOPPING);
    }
    const ended = [...this.#threads].map(async (thread) => {
      this.#threads.delete(thread);
      clearTimeout(thread.timer);
      thread.current?.pending.settle(STOPPING);
      await thread.worker.terminate();
    });
    await Promise.all(ended);
  }

  #start(): void {
    const { entry, maxHeapMb, startMs, start = startOwnThread } = this.#options;
    let worker: Worker;
    try {
      worker = start(entry, {}, { oldMb: maxHeapMb, youngMb: YOUNG_MB });
    } catch (error) {
      // The system has no thread left, as in a container with a limit. The other threads read on, or nobody can.
      if (this.#threads.size > 0) return;
      const result: JobResult = { ok: false, why: messageOf(error), isLate: true };
      for (let one = this.#waiting.next(); one !== undefined; one = this.#waiting.next()) {
        one.settle(result);
      }
      return;
    }
    const thread: Thread = {
      worker,
      ready: false,
      current: null,
      timer: undefined,
      cpuMs: 0,
      readyCpuMs: 0,
    };
    this.#threads.add(thread);
    thread.timer = setTimeout(() => {
      this.#replace(thread, `the readers did not load within ${startMs} ms`);
    }, startMs);
    worker.on('message', (message: ThreadMessage) => this.#onMessage(thread, message));
    worker.on('error', (error) => this.#replace(thread, messageOf(error)));
    worker.on('exit', () => this.#replace(thread, 'the reading thread ended'));
  }

  #onMessage(thread: Thread, message: ThreadMessage): void {
    const before = thread.cpuMs;
    thread.cpuMs = message.cpuMs ?? before;
    if (message.kind === 'ready') {
      clearTimeout(thread.timer);
      thread.ready = true;
      thread.readyCpuMs = thread.cpuMs;
      this.#rest(thread);
    } else if (thread.current?.id === message.id) {
      clearTimeout(thread.timer);
      const { pending } = thread.current;
      thread.current = null;
      this.#rest(thread);
      this.#waiting.spent(pending, thread.cpuMs - before);
      pending.settle(
        message.kind === 'result'
          ? { ok: true, value: message.value }
          : { ok: false, why: message.why, isLate: message.isLate === true },
      );
    }
    this.#assignJobs();
  }

  /** Ends the thread unless it gets a job in time. An idle thread does not keep the process alive. */
  #rest(thread: Thread): void {
    thread.worker.unref();
    thread.timer = setTimeout(() => {
      this.#threads.delete(thread);
      void thread.worker.terminate();
    }, this.#options.idleMs).unref();
  }

  /** Terminates a lost thread. Its job fails; the next waiting job gets a new thread. */
  #replace(thread: Thread, why: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    const { current } = thread;
    if (current !== null) {
      this.#waiting.spent(current.pending, this.#options.deadlineMs * COLD_TIMES);
      current.pending.settle({ ok: false, why });
    }
    // A thread that did not load fails one waiting job, so that the pool does not start threads forever. This says nothing
    // about the page: on a machine that had no time for ten seconds, products were set aside permanently.
    else if (!thread.ready) this.#waiting.next()?.settle({ ok: false, why, isLate: true });
    this.#assignJobs();
  }

  #assignJobs(): void {
    if (this.#closed) return;
    for (const thread of this.#threads) {
      if (!thread.ready || thread.current !== null) continue;
      const pending = this.#waiting.next();
      if (pending === undefined) return;
      this.#assign(thread, pending);
    }
    const starting = [...this.#threads].filter((thread) => !thread.ready).length;
    const mayStart = this.#threads.size < this.#options.maxThreads;
    if (this.#waiting.size > starting && mayStart) this.#start();
  }

  /** Terminates the thread if the job has used far more than its time, but not if the machine had no time for it. */
  async #watch(thread: Thread, id: number, limitMs: number): Promise<void> {
    const isRunning = (): boolean => thread.current?.id === id && this.#threads.has(thread);
    const before = thread.cpuMs;
    for (let times = 1; isRunning(); times += 1) {
      await new Promise<void>((resolve) => {
        thread.timer = setTimeout(resolve, limitMs);
      });
      if (!isRunning()) return;
      const now = times >= PATIENCE ? null : await cpuMsOf(thread.worker, limitMs * PATIENCE);
      if (!isRunning()) return;
      if (now === null || now - before >= limitMs * LAST_RESORT) {
        this.#replace(thread, `reading took longer than ${limitMs} ms`);
        return;
      }
    }
  }

  #assign(thread: Thread, pending: Pending): void {
    const id = this.#nextId;
    this.#nextId += 1;
    clearTimeout(thread.timer);
    thread.current = { id, pending };
    thread.worker.ref();
    const isCold = thread.cpuMs - thread.readyCpuMs < COLD_MS;
    const limitMs = this.#options.deadlineMs * (isCold ? COLD_TIMES : 1) * pending.times;
    void this.#watch(thread, id, limitMs);
    const { page, bytes } = withOwnBytes(pending.job.page);
    const message: JobMessage = { id, job: { ...pending.job, page }, limitMs };
    thread.worker.postMessage(message, [bytes]);
  }
}

/** Copies the page with a buffer that can be transferred to the thread, once the thread is free. 8 MiB cost about 1 ms. */
function withOwnBytes(page: ReadingJob['page']): {
  readonly page: ReadingJob['page'];
  readonly bytes: ArrayBuffer;
} {
  const bytes = new ArrayBuffer(page.body.byteLength);
  const body = new Uint8Array(bytes);
  body.set(page.body);
  return { page: { ...page, body }, bytes };
}
