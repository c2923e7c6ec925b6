// Reads and writes rows of any declared table: pages in key order, statements that write them, and one text per row that is the
// same on both databases.

import { createHash } from 'node:crypto';

import type { Row, Sql, SqlValue, Statement } from '../sql.ts';
import { placeholdersOf } from '../statement-values.ts';
import type { TableDefinition } from './tables.ts';

/** The values of a key, in order; null is the position before the first row. */
export type RowPosition = readonly SqlValue[] | null;

/** A page has about this many characters, and at most this many rows. */
const PAGE_CHARACTERS = 1_000_000;
const MAX_PAGE_ROWS = 1_000;
const FIRST_PAGE_ROWS = 100;

/** What to read of a table; `columns` includes those of the key. */
type ReadTable = Pick<TableDefinition, 'name' | 'key' | 'columns'> & {
  /** A condition on the rows; all of them if absent. */
  readonly where?: string;
};

/** Reads the next rows after a position, in key order. */
function readRows(
  sql: Pick<Sql, 'all'>,
  { name, key, columns, where }: ReadTable,
  after: RowPosition,
  limit: number,
): Promise<readonly Row[]> {
  const order = key.join(', ');
  const behind = after === null ? [] : [`(${order}) > (${placeholdersOf(key, 1)})`];
  const wanted = [...behind, ...(where === undefined ? [] : [where])].join(' and ');
  const text = `select ${columns.join(', ')} from ${name} ${wanted === '' ? '' : `where ${wanted}`}
    order by ${order} limit $${(after?.length ?? 0) + 1}`;
  return sql.all(text, [...(after ?? []), limit]);
}

/** Reads all rows, in pages, to limit memory. The caller may delete the rows of a page. */
export async function* rowsInPages(
  sql: Pick<Sql, 'all'>,
  table: ReadTable,
  atOnce: number,
): AsyncGenerator<readonly Row[]> {
  let after: RowPosition = null;
  for (;;) {
    const rows = await readRows(sql, table, after, atOnce);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = positionOf(table, last);
  }
}

function positionOf({ key }: Pick<ReadTable, 'key'>, row: Row): readonly SqlValue[] {
  return key.map((column) => row[column] ?? null);
}

/** Returns how many rows the next page should have, based on this one. */
function nextLimit(table: TableDefinition, page: readonly Row[]): number {
  const characters = page.reduce((sum, row) => sum + canonicalText(table, row).length, 0);
  const fitting = Math.floor((PAGE_CHARACTERS * page.length) / Math.max(1, characters));
  return Math.min(MAX_PAGE_ROWS, Math.max(1, fitting));
}

/** Rows per statement. Full statements share one text, and each remaining row is written alone. */
const ROWS_A_STATEMENT = 20;

/** Writes rows; fails if one with the same key exists. */
export function insertRows(table: TableDefinition, rows: readonly Row[]): readonly Statement[] {
  const whole = rows.length - (rows.length % ROWS_A_STATEMENT);
  const statements: Statement[] = [];
  for (let from = 0; from < whole; from += ROWS_A_STATEMENT) {
    statements.push(insertion(table, rows.slice(from, from + ROWS_A_STATEMENT)));
  }
  return [...statements, ...rows.slice(whole).map((row) => insertion(table, [row]))];
}

function insertion({ name, columns }: TableDefinition, rows: readonly Row[]): Statement {
  const places = rows.map((_, at) => {
    const first = at * columns.length + 1;
    return `(${columns.map((_column, index) => `$${first + index}`).join(', ')})`;
  });
  return {
    text: `insert into ${name} (${columns.join(', ')}) values ${places.join(', ')}`,
    params: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}

export async function countRows(sql: Pick<Sql, 'all'>, { name }: TableDefinition): Promise<number> {
  const rows = await sql.all(`select count(*) as total from ${name}`);
  return Number(rows[0]?.['total'] ?? 0);
}

/** Serializes a row. Text, number and null never look alike, and adjacent values cannot be confused. */
function canonicalText({ columns }: TableDefinition, row: Row): string {
  return columns.map((column) => canonicalValue(row[column] ?? null)).join('');
}

function canonicalValue(value: SqlValue): string {
  if (value === null) return '-;';
  return typeof value === 'number' ? `${value};` : `${value.length}:${value};`;
}

export type TableDigest = {
  readonly rows: number;
  /** SHA-256 over the canonical rows in key order, hexadecimal. */
  readonly sha256: string;
};

/** Returns a digest of a table's content, to compare two databases; null if `onPage` returns stop. */
export async function digestTable(
  sql: Pick<Sql, 'all'>,
  table: TableDefinition,
  onPage: (rows: number) => 'go on' | 'stop',
): Promise<TableDigest | null> {
  const hash = createHash('sha256');
  let rows = 0;
  let limit = FIRST_PAGE_ROWS;
  let after: RowPosition = null;
  for (;;) {
    const page = await readRows(sql, table, after, limit);
    const last = page.at(-1);
    if (last === undefined) return { rows, sha256: hash.digest('hex') };
    for (const row of page) hash.update(canonicalText(table, row));
    rows += page.length;
    if (onPage(page.length) === 'stop') return null;
    after = positionOf(table, last);
    limit = nextLimit(table, page);
  }
}

type RowPage = { readonly rows: readonly Row[]; readonly last: readonly SqlValue[] };

/** Reads the pages after a position. The next one is read while the caller processes the current one. */
export async function* pagesAfter(
  sql: Pick<Sql, 'all'>,
  table: TableDefinition,
  from: RowPosition,
): AsyncGenerator<RowPage> {
  let coming = readRows(sql, table, from, FIRST_PAGE_ROWS);
  for (;;) {
    const rows = await coming;
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    const last = positionOf(table, lastRow);
    coming = readRows(sql, table, last, nextLimit(table, rows));
    // Its failure is handled where it is awaited; until then it must not count as unhandled.
    coming.catch(() => undefined);
    yield { rows, last };
  }
}
