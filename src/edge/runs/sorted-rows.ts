// Sorts the rows of a table by one column. They wait in a file meanwhile, so that memory holds only the sorted values.

import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

import { SheetProblem } from '../sheets/sheet-row.ts';
import type { TableCell, TableColumn } from '../sheets/table-cell.ts';

type RowOrder = { readonly at: number; readonly isDown: boolean };

type SortKey = string | number | null;
type Place = { readonly key: SortKey; readonly at: number; readonly length: number };

/** Finds the column that `profit` or `profit:desc` names. Throws a SheetProblem if there is none. */
export function orderNamed(asked: string, columns: readonly TableColumn[]): RowOrder {
  const [, name = '', direction = ''] = /^(.*?)(?::(asc|desc))?$/is.exec(asked) ?? [];
  const at = columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
  if (at !== -1) return { at, isDown: direction.toLowerCase() === 'desc' };
  const names = columns.map((each) => each.name).join(', ');
  throw new SheetProblem(`There is no column "${name}" to sort by. The columns: ${names}.`);
}

/** Yields the rows in order; equal ones as they came, and those without a value last. The file at `path` is removed. */
export async function* sortedRows(
  rows: AsyncIterable<readonly TableCell[]>,
  { at, isDown }: RowOrder,
  path: string,
): AsyncGenerator<readonly TableCell[]> {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx+', 0o600);
  try {
    const places: Place[] = [];
    let end = 0;
    for await (const row of rows) {
      const bytes = Buffer.from(JSON.stringify(row));
      writeSync(file, bytes, 0, bytes.length, end);
      places.push({ key: keyOf(row[at] ?? null), at: end, length: bytes.length });
      end += bytes.length;
    }
    for (const { at: start, length } of places.sort((a, b) => compare(a.key, b.key, isDown))) {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, start);
      yield JSON.parse(bytes.toString()) as readonly TableCell[];
    }
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function keyOf(cell: TableCell): SortKey {
  const value = typeof cell === 'object' && cell !== null ? cell.value : cell;
  if (typeof value === 'boolean') return Number(value);
  return value === '' ? null : value;
}

const TEXTS = new Intl.Collator('en', { numeric: true });

function compare(a: SortKey, b: SortKey, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'number' && typeof b === 'number' ? a - b : TEXTS.compare(String(a), String(b));
  return isDown ? -order : order;
}
