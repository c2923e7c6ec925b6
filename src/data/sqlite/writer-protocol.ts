// The messages between the store's thread and its writer thread. Transactions are sent as one flat list, the text of a statement once.

import type { Row, SqlValue, Statement, Transaction } from '../sql.ts';

export type WriterStart = { readonly path: string; readonly busyTimeoutMs: number };

/**
 * A batch as one flat list, because passing a list of objects between threads takes three times as long. For each transaction
 * it has the number of its statements. For each statement it has the index of its text among all sent so far, which result is
 * needed (`WANTED`), the number of its parameters, and the parameters.
 */
type FlatBatch = readonly SqlValue[];

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

/** More than the number of different texts in the program, except for statements with long lists. */
const MAX_TEXTS = 1_000;

type Flattener = (transactions: readonly Transaction[]) => ToWriter;

/** Makes a flattener, which tracks the texts that the writer already has. */
export function createFlattener(): Flattener {
  const places = new Map<string, number>();
  return (transactions) => {
    const isAnew = places.size > MAX_TEXTS;
    if (isAnew) places.clear();
    const texts: string[] = [];
    const batch: SqlValue[] = [];
    const placeOf = (text: string): number => {
      const known = places.get(text);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(text, place);
      texts.push(text);
      return place;
    };
    for (const transaction of transactions) {
      batch.push(transaction.length);
      for (const statement of transaction) {
        const { text, params = [] } = statement;
        batch.push(placeOf(text), wantedOf(statement), params.length);
        for (const value of params) batch.push(value);
      }
    }
    return { kind: 'batch', texts, isAnew, batch };
  };
}

/** The rows of a statement without a name are not needed. */
function wantedOf({ name, mustReturn }: Statement): number {
  if (mustReturn === true) return WANTED.atLeastOneRow;
  return name === undefined ? WANTED.nothing : WANTED.rows;
}

export type FlatStatement = {
  readonly text: string;
  readonly wanted: number;
  readonly params: readonly SqlValue[];
};

/** The transactions of a batch. `texts` are all texts that were sent so far. */
export function transactionsOf(
  texts: readonly string[],
  batch: FlatBatch,
): readonly (readonly FlatStatement[])[] {
  const transactions: (readonly FlatStatement[])[] = [];
  let at = 0;
  const next = (): number => Number(batch[at++]);
  while (at < batch.length) {
    const statements: FlatStatement[] = [];
    for (let left = next(); left > 0; left -= 1) {
      const text = texts[next()] ?? '';
      const wanted = next();
      const count = next();
      statements.push({ text, wanted, params: batch.slice(at, at + count) });
      at += count;
    }
    transactions.push(statements);
  }
  return transactions;
}
