// How background work waits: until the next thing is due or something was committed, instead of asking again and again.

import { MINUTE_MS, type Clock } from '../base/clock.ts';
import type { Database } from './sql.ts';

type WaitParts = {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly sql: Pick<Database, 'changes'>;
};

type Waiting = {
  /** The shortest wait, in milliseconds: also how often work looks for more while something is committed all the time. */
  readonly everyMs: number;
  /** Returns when something will be due without a further commit; null if nothing will. */
  readonly findNext: () => Promise<number | null>;
};

/** The machine may have been suspended, or its clock set. */
const LONGEST_MS = MINUTE_MS;

/**
 * Waits for `everyMs`. If the database reports every commit, it then waits on until something was committed or is due, at most
 * a minute. Rejects when the signal aborts.
 */
export async function untilDue(
  { clock, sql }: WaitParts,
  { everyMs, findNext }: Waiting,
  stop: AbortSignal,
): Promise<void> {
  const seen = sql.changes()?.count();
  await clock.sleep(everyMs, stop);
  const changes = sql.changes();
  if (changes === null || changes.count() !== seen) return;
  // A failure is reported by the work itself, which is next.
  const dueMs = await findNext().catch(() => 0);
  const leftMs = Math.min(LONGEST_MS, (dueMs ?? Infinity) - clock.now());
  if (leftMs <= 0 || changes.count() !== seen) return;
  const woken = new AbortController();
  const forget = changes.onNext(() => woken.abort());
  await clock.sleep(leftMs, AbortSignal.any([stop, woken.signal])).catch(() => undefined);
  forget();
  stop.throwIfAborted();
}
