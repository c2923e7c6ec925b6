// The messages between the pool and its threads: plain data in both directions.

import type { PageRule } from '../candidates/page-rules.ts';
import type { Page } from '../../base/listing/page.ts';

/** A pure reader and the page to read. A new reader requires a case here and in the thread. */
export type ReadingJob =
  /** A registry reader by name: `product`, `search`, `offers`, `api:<name>` ... */
  | {
      readonly reader: 'answer';
      readonly page: Page;
      readonly name: string;
      readonly slug?: string;
    }
  /** The hits of a search provider. */
  | { readonly reader: 'web_search'; readonly page: Page }
  | { readonly reader: 'shop'; readonly page: Page }
  /** A page that a person handed in. */
  | { readonly reader: 'handed_in'; readonly page: Page; readonly slug?: string }
  /** Everything on a page that may be its price, stock or barcode. */
  | { readonly reader: 'candidates'; readonly page: Page; readonly slug: string }
  /** The candidates that rules find on a page. */
  | { readonly reader: 'rules'; readonly page: Page; readonly rules: readonly PageRule[] };

/** A message to a thread. Its result contains the job id, so that a late result is not mistaken for another. */
export type JobMessage = {
  readonly id: number;
  readonly job: ReadingJob;
  /** Processor time allowed for reading, in milliseconds. */
  readonly limitMs: number;
};

/**
 * A message from a thread: one when its readers are loaded, then one per job. `cpuMs` is the processor time it has used so
 * far; absent if Node does not provide it.
 */
export type ThreadMessage = { readonly cpuMs?: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** `isLate` means that the machine had no time for the reading, so nothing is known about the page. */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly why: string;
      readonly isLate?: boolean;
    }
);
