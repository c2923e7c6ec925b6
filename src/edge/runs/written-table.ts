// Writes a workbook of a table that the console shows. Its text comes from a browser, so nothing about it is trusted.

import type { SheetTable } from '../../answer/wire/sheet.ts';
import { MAX_WIDTH } from '../sheets/sheet-cells.ts';
import { SheetProblem } from '../sheets/sheet-row.ts';
import type { TableCell, TableColumn } from '../sheets/table-cell.ts';
import { workbookBytes } from '../sheets/write-workbook.ts';

const KINDS: Readonly<Record<SheetTable['columns'][number]['kind'], true>> = {
  text: true,
  own: true,
  link: true,
  number: true,
  money: true,
  dollars: true,
  percent: true,
};

/** Returns the workbook. Throws a SheetProblem if the text is not a table. */
export async function writtenTable(json: Uint8Array): Promise<Uint8Array> {
  const { columns, rows, notes } = tableIn(json);
  const cells = (async function* () {
    for (const row of rows) yield row.slice(0, columns.length).map(cellOf);
  })();
  const pieces: Uint8Array[] = [];
  for await (const piece of workbookBytes({ columns, rows: cells, notes })) pieces.push(piece);
  return Buffer.concat(pieces);
}

type ReadTable = {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly notes: readonly string[];
};

function tableIn(json: Uint8Array): ReadTable {
  const table = parsed(json) as Partial<Record<keyof SheetTable, unknown>> | null;
  const { columns = [], rows = [], notes = [] } = table ?? {};
  const isTable =
    Array.isArray(columns) &&
    columns.length <= MAX_WIDTH &&
    columns.every(isColumn) &&
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row)) &&
    Array.isArray(notes) &&
    notes.every((note) => typeof note === 'string');
  if (!isTable) throw new SheetProblem('The body is not a table of columns and rows.');
  return { columns, rows, notes };
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString());
  } catch {
    return { columns: null };
  }
}

function isColumn(value: unknown): value is TableColumn {
  const { name, kind } = (value ?? {}) as Partial<Record<'name' | 'kind', unknown>>;
  return typeof name === 'string' && typeof kind === 'string' && Object.hasOwn(KINDS, kind);
}

function cellOf(value: unknown): TableCell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  const { text, value: own, format } = (value ?? {}) as Partial<Record<string, unknown>>;
  const isValue = typeof own === 'boolean' || (typeof own === 'number' && Number.isFinite(own));
  if (typeof text !== 'string' || !isValue) return null;
  const isFormat = typeof format === 'string' || typeof format === 'number';
  return { text, value: own, format: isFormat ? format : 0 };
}
