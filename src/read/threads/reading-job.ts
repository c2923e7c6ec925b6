// The messages between the pool and its threads: plain data in both directions.

import type { Page } from '../../base/listing/page.ts';

/** Which pure reader is to read which page. Another reader would be another case here and in the thread. */
export type ReadingJob =
  /** A reader of the registry by name: `product`, `search`, `offers`, `api:<name>` ... */
  | {
      readonly reader: 'answer';
      readonly page: Page;
      readonly name: string;
      readonly slug?: string;
    }
  /** The hits of a search provider. */
  | { readonly reader: 'web_search'; readonly page: Page }
  | { readonly reader: 'shop'; readonly page: Page };

/** A message to a thread. Its result carries the id of the job, so that a late one is not taken for another. */
export type JobMessage = {
  readonly id: number;
  readonly job: ReadingJob;
  /** Processor time that reading may take, in milliseconds. */
  readonly limitMs: number;
};

/**
 * A message from a thread: one when its readers are loaded, then one for each job. `cpuMs` is the processor time that it has
 * used so far; absent if Node does not tell it.
 */
export type ThreadMessage = { readonly cpuMs?: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** `isLate` says that the machine had no time for the reading, so that nothing is known about the page. */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly why: string;
      readonly isLate?: boolean;
    }
);
