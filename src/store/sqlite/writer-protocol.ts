// What the store's thread and its writer thread say to each other. Types only.

import type { Row, Transaction } from '../sql.ts';

export type WriterStart = { readonly path: string; readonly busyTimeoutMs: number };

export type ToWriter =
  | { readonly kind: 'batch'; readonly units: readonly Transaction[] }
  | { readonly kind: 'close' };

/** A failure as it crosses the threads; `code` is SQLite's extended result code, null for our own. */
export type WriterFailure = { readonly message: string; readonly code: number | null };

export type WriterOutcome =
  | { readonly kind: 'done'; readonly rows: readonly (readonly Row[])[] }
  | { readonly kind: 'undone'; readonly failedAt: number }
  | { readonly kind: 'failed'; readonly failure: WriterFailure };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly failure: WriterFailure }
  /** One outcome for each unit of the batch, in order; `commits` counts all since the start. */
  | {
      readonly kind: 'answer';
      readonly outcomes: readonly WriterOutcome[];
      readonly commits: number;
    };
