// Converts transactions to the flat list sent to the writer thread, and back. The text of a statement is sent once.

import type { SqlValue, Statement, Transaction } from '../sql.ts';
import { WANTED, type FlatBatch, type ToWriter } from './writer-protocol.ts';

/** More than the program has texts; statements with long lists have many. */
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
