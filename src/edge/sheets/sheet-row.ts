// A row of a sheet as read, and the maximum size of a sheet.

import type { TypedCell } from './table-cell.ts';

export type SheetRow = {
  /** The line of text where the row begins, or the row's number in a workbook; from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The cells of a workbook that are not text, by their place; absent for other files. */
  readonly typed?: readonly (TypedCell | undefined)[];
  /** Why the row could not be read; it then has no cells. Null if it was read. */
  readonly problem: string | null;
};

export const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 1_000;

/** Thrown for a file that is not read at all: what is wrong with it, and what to do. */
export class SheetProblem extends Error {
  override readonly name = 'SheetProblem';
  /** The message for a user of a page, who has no options to give. */
  readonly onPage: string;
  /** The sheets of a workbook of which the user has to choose one. */
  readonly tabs: readonly string[];

  constructor(message: string, onPage = message, tabs: readonly string[] = []) {
    super(message);
    this.onPage = onPage;
    this.tabs = tabs;
  }
}

/** Creates a row as read; one with too many columns is a problem. */
export function readRow(
  line: number,
  cells: readonly string[],
  typed?: readonly (TypedCell | undefined)[],
): SheetRow {
  if (cells.length <= MAX_COLUMNS) {
    return { line, cells, ...(typed === undefined ? {} : { typed }), problem: null };
  }
  return unreadRow(line, `the row has ${cells.length} columns; at most ${MAX_COLUMNS} are read`);
}

/** Creates a row that could not be read, with the reason. */
export function unreadRow(line: number, problem: string): SheetRow {
  return { line, cells: [], problem };
}
