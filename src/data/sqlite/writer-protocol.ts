// The messages between the store's thread and its writer thread.

import type { Row, SqlValue } from '../sql.ts';

export type WriterStart = { readonly path: string; readonly busyTimeoutMs: number };

/**
 * A batch as one flat list, because passing a list of objects between threads takes three times as long. For each transaction
 * it has the number of its statements. For each statement it has the index of its text among all sent so far, which result is
 * needed (`WANTED`), the number of its parameters, and the parameters.
 */
export type FlatBatch = readonly SqlValue[];

/** The result needed from a statement. */
export const WANTED = { nothing: 0, rows: 1, atLeastOneRow: 2 } as const;

export type ToWriter =
  | {
      readonly kind: 'batch';
      /** Texts that were not sent before; their indexes follow those of the others. */
      readonly texts: readonly string[];
      /** Whether the indexes restart with these texts. */
      readonly isAnew: boolean;
      readonly batch: FlatBatch;
    }
  | { readonly kind: 'close' };

/** A failure as it is sent between the threads. `code` is SQLite's extended result code, null for our own failures. */
export type WriterFailure = { readonly message: string; readonly code: number | null };

export type WriterOutcome =
  | { readonly kind: 'done'; readonly rows: readonly (readonly Row[])[] }
  | { readonly kind: 'rolled-back'; readonly failedAt: number }
  | { readonly kind: 'failed'; readonly failure: WriterFailure };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly failure: WriterFailure }
  /** One outcome for each transaction of the batch, in order; `commits` counts all commits since the start. */
  | {
      readonly kind: 'answer';
      readonly outcomes: readonly WriterOutcome[];
      readonly commits: number;
    };
