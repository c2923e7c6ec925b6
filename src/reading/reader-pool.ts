// The pure readers, run in threads, where a hostile page cannot stop the service: each page is read under a deadline
// and gets a verdict. The page itself stays with the caller; the thread gets a copy of its bytes.

import type { Page, PageVerdict } from '../listing/page.ts';
import type { StatedShopFacts } from '../retailers/hosted-store.ts';
import type { RetailerAnswer } from '../listing/retailer-answer.ts';
import type { SearchHit } from '../retailers/search-providers.ts';
import type { ReadingJob } from './reading-job.ts';
import { createThreadPool } from './thread-pool.ts';
import type { JobResult } from './thread-pool.ts';

export type ReaderPoolOptions = {
  /** Threads at most; 1 unless stated. A second one starts only when pages wait. */
  readonly maxThreads?: number;
  /** For one page; 750 ms unless stated. */
  readonly deadlineMs?: number;
  /** For loading the readers; 10 s unless stated. */
  readonly startMs?: number;
  /** Heap of a thread; 128 MB unless stated. */
  readonly maxHeapMb?: number;
  /** The thread's program; reader-thread unless stated. */
  readonly entry?: URL;
};

export type ReaderPool = {
  /**
   * Reads the page with the reader of this name in the registry, also `product` of any shop; null when the retailer has
   * no reader of that name. `unreadable` when the thread was lost; never rejects.
   */
  answer(page: Page, name: string, slug?: string): Promise<PageVerdict<RetailerAnswer> | null>;
  /** The hits in a search provider's answer; `unreadable` when the thread was lost. */
  webSearch(page: Page): Promise<PageVerdict<readonly SearchHit[]>>;
  /** What the page states about its shop; no facts when the thread was lost. */
  shop(page: Page): Promise<StatedShopFacts>;
  close(): Promise<void>;
};

/** Both sources (.ts) and emitted files (.js) have the thread beside them under the same extension. */
function threadEntry(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./reader-thread.${extension}`, import.meta.url);
}

/** Starts no thread yet: the first page does. */
export function createReaderPool(options: ReaderPoolOptions = {}): ReaderPool {
  const pool = createThreadPool({
    entry: options.entry ?? threadEntry(),
    maxThreads: options.maxThreads ?? 1,
    deadlineMs: options.deadlineMs ?? 750,
    startMs: options.startMs ?? 10_000,
    maxHeapMb: options.maxHeapMb ?? 128,
  });
  return {
    async answer(page, name, slug) {
      const copy = withOwnBytes(page);
      const retailer = slug === undefined ? {} : { slug };
      const job: ReadingJob = { reader: 'answer', page: copy.page, name, ...retailer };
      const result = await pool.run(job, [copy.bytes]);
      return result.ok && result.value === null ? null : verdictOf<RetailerAnswer>(result);
    },
    async webSearch(page) {
      const copy = withOwnBytes(page);
      const result = await pool.run({ reader: 'web_search', page: copy.page }, [copy.bytes]);
      return verdictOf<readonly SearchHit[]>(result);
    },
    async shop(page) {
      const copy = withOwnBytes(page);
      const result = await pool.run({ reader: 'shop', page: copy.page }, [copy.bytes]);
      if (!result.ok) return { isHosted: false, currency: null };
      return result.value as StatedShopFacts;
    },
    close: () => pool.close(),
  };
}

/** A copy whose buffer can be transferred to the thread; 8 MiB cost about 1 ms. */
function withOwnBytes(page: Page): { readonly page: Page; readonly bytes: ArrayBuffer } {
  const bytes = new ArrayBuffer(page.body.byteLength);
  const body = new Uint8Array(bytes);
  body.set(page.body);
  return { page: { ...page, body }, bytes };
}

/** The thread runs our own code, so a value that comes back is the reader's verdict. */
function verdictOf<T>(result: JobResult): PageVerdict<T> {
  if (!result.ok) return { kind: 'unreadable', why: result.why };
  return result.value as PageVerdict<T>;
}
