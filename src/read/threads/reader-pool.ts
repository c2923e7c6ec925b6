// Runs the pure readers in threads, where a hostile page cannot stop the service: each page is read within a time limit and
// gets a verdict. The page itself remains with the caller; the thread gets a copy of its bytes.

import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import type { ByteBudget } from '../../base/byte-budget.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import type { HandedInReading } from '../handed-in/read-handed-in.ts';
import type { PageCandidates } from '../candidates/candidates.ts';
import type { PageRule, RuleFinding } from '../candidates/page-rules.ts';
import type { StatedShopFacts } from '../retailers/hosted-store.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import type { SearchHit } from '../retailers/search/search-answers.ts';
import { startOwnThread } from './own-thread.ts';
import type { ReadingJob } from './reading-job.ts';
import { createThreadPool } from './thread-pool.ts';
import type { JobResult } from './thread-pool.ts';

export type ReaderPoolOptions = {
  /**
   * Maximum number of threads; by default one less than the number of cores, or as many as the memory allows. A further
   * thread only starts when pages are waiting.
   */
  readonly maxThreads?: number;
  /** Processor time for one page. By default 100 ms, and 4 times as long in a newly started thread. */
  readonly deadlineMs?: number;
  /** Time for loading the readers; 10 s by default. */
  readonly startMs?: number;
  /**
   * Heap of a thread; 64 MB by default. With 128 MB, the most expensive pages made a service grow by 179 MB, with 64 by 107.
   */
  readonly maxHeapMb?: number;
  /** A thread without a page for this long is ended, which frees its 20 MB; 30 s by default. */
  readonly idleMs?: number;
  /** The thread's program; reader-thread by default. */
  readonly entry?: URL;
  /** Starts a thread; `startOwnThread` by default. */
  readonly start?: typeof startOwnThread;
  /** Counts the bytes of waiting pages. */
  readonly budget?: ByteBudget;
};

/**
 * `context` states who is waiting for a reading and until when. Without one, the reading waits in the queue indefinitely.
 */
export type ReaderPool = {
  /** Starts a thread if there is none: it loads while the page is still being fetched. */
  readonly prepare: () => void;
  /**
   * Reads the page with the registry's reader of this name, or any shop's page with `product`. Null if the retailer has no
   * reader with that name. The verdict is `unreadable` if it took too long or the thread was lost. It is `retry` if the
   * context ended first, or no thread could be started. Never rejects.
   */
  readonly answer: (
    page: Page,
    name: string,
    slug?: string,
    context?: FetchContext,
  ) => Promise<PageVerdict<RetailerAnswer> | null>;
  /** Returns the hits in a search provider's answer; other verdicts as for `answer`. */
  readonly webSearch: (
    page: Page,
    context?: FetchContext,
  ) => Promise<PageVerdict<readonly SearchHit[]>>;
  /** Returns the facts that the page states about its shop; none if it could not be read. */
  readonly shop: (page: Page, context?: FetchContext) => Promise<StatedShopFacts>;
  /** Reads a page that a person handed in; `unreadable` and `retry` as for `answer`. */
  readonly handedIn: (
    page: Page,
    slug: string | undefined,
    context: FetchContext,
  ) => Promise<HandedInReading>;
  /** Returns everything on a page that may be its price, stock or barcode; other verdicts as for `answer`. */
  readonly candidates: (
    page: Page,
    slug: string,
    context: FetchContext,
  ) => Promise<PageVerdict<PageCandidates>>;
  /** Returns the candidates that rules find on a page; null if it could not be read in time. */
  readonly byRules: (
    page: Page,
    rules: readonly PageRule[],
    context: FetchContext,
  ) => Promise<readonly RuleFinding[] | null>;
  readonly close: () => Promise<void>;
};

/** A page is read as always and then once more, line by line: together up to five times as long. */
const CANDIDATES_TIMES = 4;

/** Sources (.ts) and emitted files (.js) have the thread's file next to them, with the same extension. */
function threadEntry(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./reader-thread.${extension}`, import.meta.url);
}

/** Leaves one core for the serving thread. With little memory there are fewer: a thread may take 80 MB. */
function threadsOfMachine(): number {
  const byMemory = Math.floor(getHeapStatistics().heap_size_limit / THREAD_BYTES);
  return Math.max(1, Math.min(availableParallelism() - 1, byMemory));
}

/** Of the memory for the heap of the serving thread, per thread. */
const THREAD_BYTES = 128 * 1_048_576;

/** Starts no thread yet: `prepare` or the first page does. */
export function createReaderPool(options: ReaderPoolOptions = {}): ReaderPool {
  const pool = createThreadPool({
    entry: options.entry ?? threadEntry(),
    maxThreads: options.maxThreads ?? threadsOfMachine(),
    deadlineMs: options.deadlineMs ?? 100,
    startMs: options.startMs ?? 10_000,
    maxHeapMb: options.maxHeapMb ?? 64,
    idleMs: options.idleMs ?? 30_000,
    start: options.start ?? startOwnThread,
  });
  const run = (
    job: ReadingJob,
    context: FetchContext | undefined,
    times = 1,
  ): Promise<JobResult> => {
    const held = context === undefined ? null : (options.budget?.open(context) ?? null);
    held?.add(job.page.body.byteLength);
    return pool.run(job, { context: context ?? null, held, times });
  };
  return {
    prepare: () => pool.prepare(),
    async answer(page, name, slug, context) {
      const retailer = slug === undefined ? {} : { slug };
      const result = await run({ reader: 'answer', page, name, ...retailer }, context);
      return result.ok && result.value === null ? null : verdictOf<RetailerAnswer>(result);
    },
    async webSearch(page, context) {
      return verdictOf<readonly SearchHit[]>(await run({ reader: 'web_search', page }, context));
    },
    async shop(page, context) {
      const result = await run({ reader: 'shop', page }, context);
      if (!result.ok) return { isHosted: false, currency: null, storeApi: null };
      return result.value as StatedShopFacts;
    },
    async handedIn(page, slug, context) {
      const retailer = slug === undefined ? {} : { slug };
      const result = await run({ reader: 'handed_in', page, ...retailer }, context);
      if (result.ok) return result.value as HandedInReading;
      return { kind: 'page', canonical: null, verdict: verdictOf<RetailerAnswer>(result) };
    },
    async candidates(page, slug, context) {
      const result = await run({ reader: 'candidates', page, slug }, context, CANDIDATES_TIMES);
      return verdictOf<PageCandidates>(result);
    },
    async byRules(page, rules, context) {
      const result = await run({ reader: 'rules', page, rules }, context, CANDIDATES_TIMES);
      return result.ok ? (result.value as readonly RuleFinding[]) : null;
    },
    close: () => pool.close(),
  };
}

/** Returns the verdict in a result. The thread runs our own code, so any returned value is a verdict. */
function verdictOf<T>(result: JobResult): PageVerdict<T> {
  if (result.ok) return result.value as PageVerdict<T>;
  if (result.isLate !== true) return { kind: 'unreadable', why: result.why };
  return { kind: 'retry', why: result.why, retryAfterSeconds: 1, isUnread: true };
}
