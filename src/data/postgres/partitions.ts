// On PostgreSQL, recent observations have one partition for each month of `observed_at_ms`, created in advance. Compaction
// leaves whole pages empty, and vacuuming one month never touches another. SQLite has one table, ordered by day.

import type { Day } from '../../base/clock.ts';
import type { Sql, Transaction } from '../sql.ts';

/** Months created in advance, including the current one. */
const MONTHS = 3;
/** Any number, the same in every version of this program, and no other's. */
const PARTITION_LOCK = 7_306_933_848;

/** Makes the missing partitions. Does nothing on SQLite. */
export async function ensureMonths(sql: Sql, today: Day): Promise<void> {
  if (sql.dialect !== 'postgres') return;
  const [year = 0, month = 0] = today.split('-').map(Number);
  for (let ahead = 0; ahead < MONTHS; ahead += 1) {
    const from = Date.UTC(year, month - 1 + ahead, 1);
    const to = Date.UTC(year, month + ahead, 1);
    const name = `observations_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
    const rows = await sql.all('select to_regclass($1) is null as is_missing', [name]);
    if (rows[0]?.['is_missing'] !== 1) continue;
    const moving = (await hasRows(sql, from, to)) ? [KEEP_READERS_OUT] : [];
    // Rolled back if another process was first.
    await sql.write([...moving, ...partitionOf(name, from, to)]);
  }
}

/**
 * Updates the statistics of price history tables that the server assumes to be empty though they are not, as after a load.
 * Otherwise it would compare each row that compaction deletes with all of a listing's rows. Does nothing on SQLite, and skips
 * tables that cannot be analyzed now.
 */
export async function countFilledTables(sql: Sql): Promise<void> {
  if (sql.dialect !== 'postgres') return;
  const rows = await sql.all(
    `select relname from pg_class
     where relkind = 'r' and reltuples < 1 and pg_relation_size(oid) > 0 and pg_table_is_visible(oid)
       and (relname = 'packed_observations' or relname like 'observations!_%' escape '!')
     order by relname`,
  );
  for (const row of rows) {
    // If this fails, compaction is still correct, only slower.
    await sql.write([{ text: `analyze "${String(row['relname'])}"` }]).catch(() => undefined);
  }
}

/**
 * Locks out reads while rows move. A statement planned before the partition was attached, and run after its rows have left
 * the default partition, would find them in neither. Rows move once, after a move from another database.
 */
const KEEP_READERS_OUT = { text: 'lock table observations in access exclusive mode' };

async function hasRows(sql: Sql, from: number, to: number): Promise<boolean> {
  const rows = await sql.all(
    `select exists (select 1 from observations
       where observed_at_ms >= $1 and observed_at_ms < $2) as has_rows`,
    [from, to],
  );
  return rows[0]?.['has_rows'] === 1;
}

/**
 * A month's rows may already be in the default partition, from before the month had its own: they are moved into it. The
 * partition is created as a separate table and then attached, because creating it as part of the table would lock out reads
 * meanwhile.
 */
function partitionOf(name: string, from: number, to: number): Transaction {
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
