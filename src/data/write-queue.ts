// Transactions waiting for their commit, the same for both databases. One batch is in progress at a time, and everything that
// arrives meanwhile is the next one (group commit). This file has no knowledge of databases or tables.

import type { Row, Transaction, TransactionResult, WriteOptions } from './sql.ts';
import { checkedValue } from './statement-values.ts';
import { StoreUnavailable } from './sql.ts';
import { within } from './within.ts';

/**
 * The outcome of a transaction, as reported by a writer. If it was done: the rows of each statement, by position. If not: the
 * position of the statement that had to return a row and did not, or the error.
 */
export type TransactionOutcome =
  | { readonly done: true; readonly rows: readonly (readonly Row[])[] }
  | { readonly done: false; readonly failedAt: number }
  | Error;

export type WriteQueue = {
  /** Resolves when the transaction is durable or rolled back. */
  write(transaction: Transaction, options?: WriteOptions): Promise<TransactionResult>;
  /** Accepts no more; resolves when everything accepted is finished. */
  drain(): Promise<void>;
  /** Rejects everything waiting, in progress or arriving later. Only the first call counts. */
  fail(error: StoreUnavailable): void;
  isFailed(): boolean;
};

/** Maximum transactions per batch: base debits of this number commit in about 30 ms. */
const MAX_BATCH = 1_024;
/** If more transactions wait than this, the disk has stopped. */
const MAX_WAITING = 50_000;

type Waiting = {
  readonly transaction: Transaction;
  /** Only the first call counts. */
  readonly settle: (outcome: TransactionOutcome | undefined) => void;
};

type Queue = {
  waiting: Waiting[];
  writing: readonly Waiting[];
  isScheduled: boolean;
  failed: StoreUnavailable | null;
  /** Called whenever nothing is being written or waiting. Not null once the queue is closed. */
  onIdle: (() => void) | null;
};

/** Called with outcomes of the first transactions of a batch, while the others are still waiting. */
export type OnEarlyOutcomes = (outcomes: readonly TransactionOutcome[]) => void;

/** `commit` writes a batch: one outcome for each transaction, in order. It rejects if none of them was written. */
export function createWriteQueue(
  commit: (
    transactions: readonly Transaction[],
    onEarly: OnEarlyOutcomes,
  ) => Promise<readonly TransactionOutcome[]>,
): WriteQueue {
  const queue: Queue = { waiting: [], writing: [], isScheduled: false, failed: null, onIdle: null };
  /**
   * Schedules the next batch. While a batch commits, everything that arrives belongs to the next one; an idle writer waits
   * for the end of this turn.
   */
  const schedule = (): void => {
    if (queue.isScheduled || queue.writing.length > 0 || queue.waiting.length === 0) return;
    queue.isScheduled = true;
    setImmediate(() => {
      queue.isScheduled = false;
      send();
    });
  };
  const send = (): void => {
    if (queue.writing.length > 0 || queue.waiting.length === 0) return;
    const batch = queue.waiting.splice(0, MAX_BATCH);
    queue.writing = batch;
    const settle = (outcomeOf: (index: number) => TransactionOutcome | undefined): void => {
      // The queue failed meanwhile, and all of them were notified.
      if (queue.writing !== batch) return;
      queue.writing = [];
      send();
      batch.forEach((waiting, index) => waiting.settle(outcomeOf(index)));
      tellIdle(queue);
    };
    const onEarly: OnEarlyOutcomes = (outcomes) => {
      outcomes.forEach((outcome, index) => batch[index]?.settle(outcome));
    };
    commit(
      batch.map(({ transaction }) => transaction),
      onEarly,
    ).then(
      (outcomes) => settle((index) => outcomes[index]),
      (error: unknown) => settle(() => (error instanceof Error ? error : new Error(String(error)))),
    );
  };
  return {
    write: (transaction, { isWholeBatch = false } = {}) =>
      new Promise((resolve, reject) => {
        accept(queue, {
          transaction,
          settle: (outcome) => {
            if (outcome === undefined) reject(new Error('no outcome for a transaction'));
            else if (outcome instanceof Error) reject(outcome);
            else resolve(resultOf(transaction, outcome));
          },
        });
        if (isWholeBatch) send();
        else schedule();
      }),
    drain: () =>
      new Promise((resolve) => {
        queue.onIdle = resolve;
        tellIdle(queue);
      }),
    fail: (error) => failAll(queue, error),
    isFailed: () => queue.failed !== null,
  };
}

/** Maps positions to names on the caller's side, so that messages to a writer need no names. */
function resultOf(
  transaction: Transaction,
  outcome: Exclude<TransactionOutcome, Error>,
): TransactionResult {
  if (!outcome.done) {
    return { done: false, refusedBy: transaction[outcome.failedAt]?.name ?? null };
  }
  const rows: Record<string, readonly Row[]> = {};
  for (const [position, { name }] of transaction.entries()) {
    if (name === undefined) continue;
    const own = outcome.rows[position] ?? [];
    const others = rows[name];
    rows[name] = others === undefined ? own : [...others, ...own];
  }
  return { done: true, rows };
}

function accept(queue: Queue, waiting: Waiting): void {
  if (queue.onIdle !== null)
    throw new StoreUnavailable('the store is closed', { problem: 'closed' });
  if (queue.failed !== null) throw queue.failed;
  if (queue.waiting.length >= MAX_WAITING) {
    throw new StoreUnavailable(`${MAX_WAITING} writes are waiting for the disk`, {
      problem: 'overloaded',
    });
  }
  for (const { params } of waiting.transaction) params?.forEach(checkedValue);
  queue.waiting.push(waiting);
}

function tellIdle(queue: Queue): void {
  if (queue.writing.length === 0 && queue.waiting.length === 0) queue.onIdle?.();
}

function failAll(queue: Queue, error: StoreUnavailable): void {
  queue.failed ??= error;
  const lost = [...queue.writing, ...queue.waiting];
  queue.writing = [];
  queue.waiting = [];
  for (const { settle } of lost) settle(queue.failed);
  tellIdle(queue);
}

/** Whether a heartbeat write was committed in time. Never rejects. */
export async function probeQueue(
  queue: Pick<WriteQueue, 'write'>,
  deadlineMs: number,
): Promise<boolean> {
  const beat = queue.write([
    {
      text: `insert into heartbeat (id, beats) values (1, 1)
        on conflict (id) do update set beats = heartbeat.beats + 1`,
    },
  ]);
  const isCommitted = beat.then(
    () => true,
    () => false,
  );
  return await within(deadlineMs, isCommitted, false);
}
