// The progress of a move. It is stored in the target database, in the same transactions as the rows, in a table that exists
// only until the move has ended. A database with that table is incomplete.

import type { Sql, SqlValue, Statement } from '../sql.ts';
import type { RowPosition } from './table-rows.ts';
import { TABLES, type TableDefinition } from './tables.ts';
import { StoreUnavailable } from '../sql.ts';

const NAME = 'store_move';

/** What a move was started with. A move with another subject must not continue it. */
export type MoveSubject = {
  /** The name of the source for messages. */
  readonly source: string;
  readonly schemaVersion: number;
};

type TableProgress = {
  /** The key of the last row that was written. */
  readonly after: RowPosition;
  readonly copied: number;
};

export type MoveProgress = {
  readonly subject: MoveSubject;
  readonly tables: ReadonlyMap<string, TableProgress>;
};

async function isInProgress(sql: Pick<Sql, 'all' | 'dialect'>): Promise<boolean> {
  const text =
    sql.dialect === 'sqlite'
      ? 'select count(*) as found from sqlite_schema where name = $1'
      : 'select count(to_regclass($1)) as found';
  const rows = await sql.all(text, [NAME]);
  return rows[0]?.['found'] === 1;
}

/** Rejects data that a move has not completely filled yet: what a service adds to it would collide with the rest. */
export async function refuseUnfinishedMove(sql: Pick<Sql, 'all' | 'dialect'>): Promise<void> {
  if (!(await isInProgress(sql))) return;
  throw new StoreUnavailable(
    'a move into this data is not finished: run the same `openshelf migrate-store` again, it continues where it stopped',
  );
}

/** Returns the unfinished move into this database; null if there is none. */
export async function readMoveProgress(
  sql: Pick<Sql, 'all' | 'dialect'>,
): Promise<MoveProgress | null> {
  if (!(await isInProgress(sql))) return null;
  const rows = await sql.all(`select * from ${NAME} order by table_name`);
  const [first] = rows;
  if (first === undefined) throw new StoreUnavailable(`the table ${NAME} is empty`);
  const tables = rows.map((row): readonly [string, TableProgress] => {
    const { table_name: name, after_key: after, copied } = row;
    // SAFETY: written by `advance` only.
    const place = JSON.parse(String(after)) as RowPosition;
    return [String(name), { after: place, copied: Number(copied) }];
  });
  return {
    subject: {
      source: String(first['source']),
      schemaVersion: Number(first['schema_version']),
    },
    tables: new Map(tables),
  };
}

/**
 * Begins a move into an empty database. Returns false, and begins nothing, if another move has brought rows meanwhile. Rejects
 * if another move has begun.
 */
export async function beginMove(sql: Sql, subject: MoveSubject): Promise<boolean> {
  const begun = await sql.write([
    {
      text: `create table ${NAME} (table_name text not null primary key, source text not null,
        schema_version integer not null, after_key text not null, copied bigint not null)`,
    },
    ...TABLES.map(({ name }) => ({
      text: `insert into ${NAME} select cast($1 as text), cast($2 as text), cast($3 as integer), 'null', 0
        where not exists (select 1 from ${name}) returning table_name`,
      params: [name, subject.source, subject.schemaVersion],
      mustReturn: true as const,
    })),
  ]);
  return begun.done;
}

/** Written in the same transaction as the rows; rolls back if another process has moved them. */
export function advance(
  { name }: TableDefinition,
  from: RowPosition,
  to: readonly SqlValue[],
  rows: number,
): Statement {
  return {
    text: `update ${NAME} set after_key = $1, copied = copied + $2
      where table_name = $3 and after_key = $4 returning copied`,
    params: [JSON.stringify(to), rows, name, JSON.stringify(from)],
    mustReturn: true,
  };
}

/**
 * Ends the move: from now on the data is like any other. Updates statistics at once, because PostgreSQL plans by them.
 * Otherwise a service would run for some minutes with the statistics of empty tables.
 */
export async function endMove(sql: Sql): Promise<void> {
  const names = TABLES.map(({ name }) => name).join(', ');
  const own =
    sql.dialect === 'postgres'
      ? [{ text: `analyze ${names}` }, { text: numbersGoOn('charge_batches', 'id') }]
      : [];
  await sql.write([...own, { text: `drop table ${NAME}` }]);
}

/** Sets the table's sequence: PostgreSQL would otherwise start numbering at 1. */
export function numbersGoOn(table: string, column: string): string {
  return `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column}))
    from ${table} having max(${column}) is not null`;
}
