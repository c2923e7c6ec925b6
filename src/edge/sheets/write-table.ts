// Writes a table to a file, row by row: CSV, XLSX, JSON lines or Parquet. The file gets its name when it is complete.

import {
  closeSync,
  createWriteStream,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { fileWriter, parquetWriteRows } from 'hyparquet-writer';

import { csvCell } from '../../base/csv-cell.ts';
import { filePath } from './output-file.ts';
import type { TableFormat } from './table-format.ts';
import { shownText, type TableCell, type TableColumn } from './table-cell.ts';
import { inPieces, workbookBytes, type WorkbookTable } from './write-workbook.ts';

type TableToWrite = WorkbookTable;

/** Writes the table. An incomplete file is removed. */
export async function writeTable(
  named: string,
  format: TableFormat,
  table: TableToWrite,
): Promise<void> {
  const path = filePath(named);
  const part = `${path}.part`;
  try {
    if (format === 'parquet') await writeParquet(part, table);
    else {
      const pieces = format === 'xlsx' ? workbookBytes(table) : inPieces(lines(format, table));
      await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600 }));
    }
    sync(part);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Flushes the file to disk before it returns: a run deletes its answers, which were paid for, once their table is written.
 */
function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

async function* headed({ columns, rows }: TableToWrite): AsyncGenerator<readonly TableCell[]> {
  yield columns.map(({ name }) => name);
  yield* rows;
}

/** Yields the lines of a CSV or JSON lines file, with their line ends. */
async function* lines(format: 'csv' | 'jsonl', table: TableToWrite): AsyncGenerator<string> {
  if (format === 'jsonl') {
    const names = table.columns.map(({ name }) => name);
    for await (const row of table.rows) {
      yield `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, shownText(row[at] ?? null)])))}\n`;
    }
    return;
  }
  for await (const row of headed(table)) yield `${row.map(cellOf).join(',')}\n`;
}

/** Formats a CSV cell; numbers and booleans as they are. */
function cellOf(cell: TableCell): string {
  const shown = shownText(cell);
  return typeof shown === 'string' ? csvCell(shown) : String(shown ?? '');
}

/** Rows buffered to be written together. */
const ROW_GROUP = 5_000;

const PARQUET_TYPE = {
  text: 'STRING',
  own: 'STRING',
  link: 'STRING',
  time: 'STRING',
  number: 'DOUBLE',
  money: 'DOUBLE',
  dollars: 'DOUBLE',
  percent: 'DOUBLE',
  boolean: 'BOOLEAN',
} as const;

async function writeParquet(path: string, { columns, rows }: TableToWrite): Promise<void> {
  const kinds = columns.map(({ name, kind }) => ({ name, type: PARQUET_TYPE[kind] }));
  // Created first: the writer would create a world-readable file, but keeps the permissions of an existing one.
  rmSync(path, { force: true });
  writeFileSync(path, '', { mode: 0o600 });
  await parquetWriteRows({
    writer: fileWriter(path),
    columns: kinds,
    rows: objects(columns, rows),
    rowGroupSize: ROW_GROUP,
  });
}

async function* objects(
  columns: readonly TableColumn[],
  rows: TableToWrite['rows'],
): AsyncGenerator<Record<string, string | number | boolean | null>> {
  for await (const row of rows) {
    yield Object.fromEntries(columns.map(({ name }, at) => [name, shownText(row[at] ?? null)]));
  }
}
