// The clock by which several processes wait: the database's, which they all share. A steady clock continues between two
// readings, so that setting a machine's clock changes nothing.

import type { Clock } from '../base/clock.ts';
import type { Sql } from './sql.ts';

export type DatabaseClock = Clock & {
  /**
   * Reads the database's clock again. In the ten seconds between two readings, machines' steady clocks differ by less than a
   * millisecond. Rejects if the database does not answer; the clock then runs on.
   */
  readonly compare: () => Promise<void>;
};

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms';

/** Creates the clock of a server. */
export async function createDatabaseClock(
  sql: Pick<Sql, 'all'>,
  steady: Clock,
): Promise<DatabaseClock> {
  let ahead: number | null = null;
  const compare = async (): Promise<void> => {
    const asked = steady.now();
    const [row] = await sql.all(NOW);
    const answered = steady.now();
    // The database's clock was read at some moment between request and response, so its lead lies between these two bounds.
    // The previous lead is kept if it lies between them too. Taking the middle of a reading that took 20 s put a process 10 s
    // ahead.
    const least = Number(row?.['now_ms'] ?? asked) - answered;
    const most = least + answered - asked;
    ahead = Math.min(most, Math.max(least, ahead ?? (least + most) / 2));
  };
  await compare();
  return { now: () => Math.round(steady.now() + (ahead ?? 0)), sleep: steady.sleep, compare };
}
