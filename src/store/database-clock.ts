// The time that several processes wait by: the database's clock, which is one for all of them. Between two looks at it a
// steady clock runs on, so that a machine whose clock is set changes nothing.

import type { Clock } from '../core/clock.ts';
import type { Sql } from './sql.ts';

export type DatabaseClock = Clock & {
  /**
   * Looks at the database's clock again. In the ten seconds between two looks, machines' steady clocks differ by less than a
   * millisecond. Rejects when the database does not answer; the clock runs on.
   */
  readonly compare: () => Promise<void>;
};

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms';

/** The clock of a server. */
export async function createDatabaseClock(
  sql: Pick<Sql, 'all'>,
  steady: Clock,
): Promise<DatabaseClock> {
  let ahead: number | null = null;
  const compare = async (): Promise<void> => {
    const asked = steady.now();
    const [row] = await sql.all(NOW);
    const answered = steady.now();
    // It was read at some moment between the two: how far it is ahead lies between these bounds, and what was known before stays
    // where it does too. The middle of a look that took 20 s put a process 10 s ahead.
    const least = Number(row?.['now_ms'] ?? asked) - answered;
    const most = least + answered - asked;
    ahead = Math.min(most, Math.max(least, ahead ?? (least + most) / 2));
  };
  await compare();
  return { now: () => Math.round(steady.now() + (ahead ?? 0)), sleep: steady.sleep, compare };
}
