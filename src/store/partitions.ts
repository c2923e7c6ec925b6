// On PostgreSQL the tail of observations is one partition a month of `observed_at_ms`, made ahead: what is folded away
// leaves whole pages behind, and vacuuming a month never touches another. SQLite has one table, ordered by day.

import type { Day } from '../domain/clock.ts';
import type { Sql, Unit } from './sql.ts';

/** This month and those after it that are made ahead. */
const MONTHS = 3;
/** Any number, the same in every version of this program, and no other's. */
const PARTITION_LOCK = 7_306_933_848;

/** Makes the partitions that are missing. Does nothing on SQLite. */
export async function ensureMonths(sql: Sql, today: Day): Promise<void> {
  if (sql.dialect !== 'postgres') return;
  const [year = 0, month = 0] = today.split('-').map(Number);
  for (let ahead = 0; ahead < MONTHS; ahead += 1) {
    const from = Date.UTC(year, month - 1 + ahead, 1);
    const to = Date.UTC(year, month + ahead, 1);
    const name = `observations_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
    const rows = await sql.all('select to_regclass($1) is null as is_missing', [name]);
    // Undone when another process was first.
    if (rows[0]?.['is_missing'] === 1) await sql.write(partitionOf(name, from, to));
  }
}

/**
 * A month's rows may stand in the rest already, from before it had a partition: they move with it. The partition is
 * made beside the table and attached, because made as a part of it, it would keep everybody from reading meanwhile.
 */
function partitionOf(name: string, from: number, to: number): Unit {
  return [
    { text: `select pg_advisory_xact_lock(${PARTITION_LOCK}) as locked` },
    { text: `select 1 as is_missing where to_regclass('${name}') is null`, mustReturn: true },
    { text: `create table ${name} (like observations including all)` },
    {
      text: `with moved as (delete from observations_rest
          where observed_at_ms >= ${from} and observed_at_ms < ${to} returning *)
        insert into ${name} select * from moved`,
    },
    {
      text: `alter table observations attach partition ${name} for values from (${from}) to (${to})`,
    },
  ];
}
