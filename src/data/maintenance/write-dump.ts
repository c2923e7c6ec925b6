// Writes the data of one moment as the lines of a dump, in pieces of about a megabyte to limit memory.

import { createHash } from 'node:crypto';

import { messageOf } from '../../base/fault.ts';
import type { Row, Sql } from '../sql.ts';
import type { Snapshot } from './dump-ends.ts';
import {
  closingText,
  endText,
  headerText,
  MAX_LINE_BYTES,
  openingText,
  rowText,
  type DumpHeader,
  type TableClosing,
} from './dump-format.ts';
import { DUMPED_TABLES } from './dump-tables.ts';
import { countRows, pagesAfter } from './table-rows.ts';
import type { TableDefinition } from './tables.ts';

export type DumpWatch = {
  readonly stop: AbortSignal;
  /** Called once, before the first row, with the rows of all tables. */
  begun(rows: number): void;
  /** Rows that were written, or read for the comparison. */
  at(table: string, rows: number): void;
  /** A table is complete. */
  ended(table: TableClosing): void;
};

/** Yields all pieces of a dump. Stops without the last line if asked to. */
export async function* dumpPieces(
  { sql, schemaVersion }: Snapshot,
  about: Pick<DumpHeader, 'program' | 'madeAtMs' | 'takedowns'>,
  watch: DumpWatch,
): AsyncGenerator<string> {
  let rows = 0;
  for (const table of DUMPED_TABLES) rows += await countRows(sql, table);
  watch.begun(rows);
  yield headerText({ ...about, schemaVersion, database: sql.dialect, rows });
  for (const table of DUMPED_TABLES) {
    yield openingText({ table: table.name, columns: table.columns });
    const hash = createHash('sha256');
    let written = 0;
    for await (const { text, count } of rowPieces(sql, table)) {
      if (watch.stop.aborted) return;
      hash.update(text);
      written += count;
      yield text;
      watch.at(table.name, count);
    }
    const closing = { table: table.name, rows: written, sha256: hash.digest('hex') };
    yield closingText(closing);
    watch.ended(closing);
  }
  yield endText({ tables: DUMPED_TABLES.length, rows });
}

/** Yields a table's rows as dump lines, page by page, in key order. Rejects with the name of the table. */
async function* rowPieces(
  sql: Pick<Sql, 'all'>,
  table: TableDefinition,
): AsyncGenerator<{ readonly text: string; readonly count: number }> {
  try {
    for await (const { rows } of pagesAfter(sql, table, null)) {
      yield { text: rows.map((row) => textOf(table, row)).join(''), count: rows.length };
    }
  } catch (error) {
    throw new Error(`${table.name} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function textOf({ key, columns }: TableDefinition, row: Row): string {
  try {
    const text = rowText(columns.map((column) => row[column] ?? null));
    // A character has at most three bytes, and most have one.
    if (text.length * 3 <= MAX_LINE_BYTES || Buffer.byteLength(text) <= MAX_LINE_BYTES) return text;
    throw new RangeError(`it takes more than ${MAX_LINE_BYTES} bytes`);
  } catch (error) {
    const name = key.map((column) => `${column} ${JSON.stringify(row[column])}`).join(', ');
    throw new Error(`the row with ${name}: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the closing line of a table for the rows in the database. Null if stopped. */
export async function closingOf(
  sql: Pick<Sql, 'all'>,
  table: TableDefinition,
  watch: Pick<DumpWatch, 'stop' | 'at'>,
): Promise<TableClosing | null> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const { text, count } of rowPieces(sql, table)) {
    if (watch.stop.aborted) return null;
    hash.update(text);
    rows += count;
    watch.at(table.name, count);
  }
  return { table: table.name, rows, sha256: hash.digest('hex') };
}
