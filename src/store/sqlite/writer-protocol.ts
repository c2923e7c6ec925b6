// What the store's thread and its writer thread say to each other. Types only.

import type { Row, Statement } from '../sql.ts';

export type WriterStart = { readonly path: string; readonly busyTimeoutMs: number };

/** Names stay with the caller: a batch is copied between the threads. */
export type WriterTransaction = readonly Omit<Statement, 'name'>[];

export type ToWriter =
  | { readonly kind: 'batch'; readonly transactions: readonly WriterTransaction[] }
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
