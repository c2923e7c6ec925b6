// What the store's thread and its writer thread say to each other.

import type { Row, SqlValue } from '../sql.ts';

export type WriterStart = { readonly path: string; readonly busyTimeoutMs: number };

/**
 * A batch as one flat list, because a list of objects takes three times as long from thread to thread. For each transaction the
 * number of its statements; for each of these the place of its text among all that were sent so far, what is wanted of it
 * (`WANTED`), the number of its parameters, and these.
 */
export type FlatBatch = readonly SqlValue[];

/** What is wanted of a statement. */
export const WANTED = { nothing: 0, rows: 1, atLeastOneRow: 2 } as const;

export type ToWriter =
  | {
      readonly kind: 'batch';
      /** Texts that were not sent before; their places follow those of the others. */
      readonly texts: readonly string[];
      /** The places begin anew with these texts. */
      readonly isAnew: boolean;
      readonly batch: FlatBatch;
    }
  | { readonly kind: 'close' };

/** A failure as it crosses the threads; `code` is SQLite's extended result code, null for our own. */
export type WriterFailure = { readonly message: string; readonly code: number | null };

export type WriterOutcome =
  | { readonly kind: 'done'; readonly rows: readonly (readonly Row[])[] }
  | { readonly kind: 'rolled-back'; readonly failedAt: number }
  | { readonly kind: 'failed'; readonly failure: WriterFailure };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly failure: WriterFailure }
  /** One outcome for each transaction of the batch, in order; `commits` counts all since the start. */
  | {
      readonly kind: 'answer';
      readonly outcomes: readonly WriterOutcome[];
      readonly commits: number;
    };
