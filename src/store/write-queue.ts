// Units that wait for their commit, the same for both databases: one batch is under way at a time, and everything
// that comes meanwhile is the next one (group commit). Knows neither a database nor a table.

import type { Transaction, TransactionResult } from './sql.ts';
import { checkedValue } from './statement-values.ts';
import { StoreUnavailable } from './store-error.ts';

/** How a unit ended: its result, or why it could not be had. */
export type TransactionOutcome = TransactionResult | Error;

export type WriteQueue = {
  /** Resolves when the unit is durable or undone. */
  write(unit: Transaction): Promise<TransactionResult>;
  /** Accepts nothing more; resolves when everything accepted has ended. */
  drain(): Promise<void>;
  /** Rejects what waits, what is under way and whatever comes. Only the first call counts. */
  fail(error: StoreUnavailable): void;
  isFailed(): boolean;
};

/** Units of one batch at most: a batch of base debits this size commits in about 30 ms. */
const MAX_BATCH = 1_024;
/** More than this many waiting units means that the disk stands still. */
const MAX_WAITING = 50_000;

type Waiting = {
  readonly unit: Transaction;
  /** Only the first call counts. */
  readonly settle: (outcome: TransactionOutcome | undefined) => void;
};

type Queue = {
  waiting: Waiting[];
  flying: readonly Waiting[];
  isScheduled: boolean;
  failed: StoreUnavailable | null;
  /** Called whenever nothing flies and nothing waits; not null: closed. */
  onIdle: (() => void) | null;
};

/** Outcomes of the first units of a batch, while the others wait for something else. */
export type Early = (outcomes: readonly TransactionOutcome[]) => void;

/** `commit` writes a batch: an outcome for each unit, in order. It rejects when none of them stands. */
export function createWriteQueue(
  commit: (units: readonly Transaction[], early: Early) => Promise<readonly TransactionOutcome[]>,
): WriteQueue {
  const queue: Queue = { waiting: [], flying: [], isScheduled: false, failed: null, onIdle: null };
  /** While a batch commits, everything that comes is the next batch; an idle writer waits for this turn. */
  const schedule = (): void => {
    if (queue.isScheduled || queue.flying.length > 0 || queue.waiting.length === 0) return;
    queue.isScheduled = true;
    setImmediate(() => {
      queue.isScheduled = false;
      send();
    });
  };
  const send = (): void => {
    if (queue.flying.length > 0 || queue.waiting.length === 0) return;
    const batch = queue.waiting.splice(0, MAX_BATCH);
    queue.flying = batch;
    const settle = (outcomeOf: (index: number) => TransactionOutcome | undefined): void => {
      // Failed meanwhile: all of them were told so.
      if (queue.flying !== batch) return;
      queue.flying = [];
      send();
      batch.forEach((waiting, index) => waiting.settle(outcomeOf(index)));
      tellIdle(queue);
    };
    const early: Early = (outcomes) => {
      outcomes.forEach((outcome, index) => batch[index]?.settle(outcome));
    };
    commit(
      batch.map(({ unit }) => unit),
      early,
    ).then(
      (outcomes) => settle((index) => outcomes[index]),
      (error: unknown) => settle(() => (error instanceof Error ? error : new Error(String(error)))),
    );
  };
  return {
    write: (unit) =>
      new Promise((resolve, reject) => {
        accept(queue, {
          unit,
          settle: (outcome) => {
            if (outcome === undefined) reject(new Error('no answer for a unit'));
            else if (outcome instanceof Error) reject(outcome);
            else resolve(outcome);
          },
        });
        schedule();
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

function accept(queue: Queue, waiting: Waiting): void {
  if (queue.onIdle !== null) throw new StoreUnavailable('the store is closed');
  if (queue.failed !== null) throw queue.failed;
  if (queue.waiting.length >= MAX_WAITING) {
    throw new StoreUnavailable(`${MAX_WAITING} writes are waiting for the disk`);
  }
  for (const { params } of waiting.unit) params?.forEach(checkedValue);
  queue.waiting.push(waiting);
}

function tellIdle(queue: Queue): void {
  if (queue.flying.length === 0 && queue.waiting.length === 0) queue.onIdle?.();
}

function failAll(queue: Queue, error: StoreUnavailable): void {
  queue.failed ??= error;
  const lost = [...queue.flying, ...queue.waiting];
  queue.flying = [];
  queue.waiting = [];
  for (const { settle } of lost) settle(queue.failed);
  tellIdle(queue);
}

/** Whether a write of nothing but a heartbeat was committed in time. Never rejects. */
export async function probeQueue(queue: WriteQueue, deadlineMs: number): Promise<boolean> {
  const beat = queue.write([
    {
      text: `insert into heartbeat (id, beats) values (1, 1)
        on conflict (id) do update set beats = heartbeat.beats + 1`,
    },
  ]);
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const limit = AbortSignal.timeout(deadlineMs);
  limit.addEventListener('abort', () => resolve(false), { once: true });
  return await Promise.race([
    beat.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}
