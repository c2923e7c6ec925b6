// Reads a small sheet at once, for a user who sees its content before anything is looked up.

import { openSheet } from '../sheets/sheet.ts';
import { SheetProblem } from '../sheets/sheet-row.ts';
import { SENT_FILE } from '../sheets/workbook.ts';
import { usdOf } from '../../answer/wire/hundredths.ts';
import type { OwnCell, PreviewRow, SheetAnswer, TellingLine } from '../../answer/wire/sheet.ts';
import type { SheetChoice } from '../../server/sheet-reading.ts';
import { withColumns } from './choose-tab.ts';
import { passedOverRemark, readEntries, rowsAboveRemark, type ReadEntry } from './read-entries.ts';

/** More rows are of no use on a page. */
const MOST_ROWS = 10_000;
/** Lines of each kind that are listed one by one. */
const MOST_TOLD = 100;
const LONGEST_SHOWN = 200;
export const PREVIEW_ROWS = 10;
const PIECE_BYTES = 65_536;

export type NamedSheet = {
  /** The file's name; its extension helps to recognize the format. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The currency of costs; absent for dollars. */
  readonly currency?: string;
  readonly chosen?: SheetChoice;
};

/** Throws a SheetProblem if the file is not a sheet, names nothing, or has more than 10,000 rows. */
export async function readWholeSheet({
  name,
  bytes,
  currency,
  chosen: { tab, column, cost } = {},
}: NamedSheet): Promise<SheetAnswer> {
  const source = {
    name,
    // In pieces, so that a reader makes no more rows at once than are wanted.
    bytes: async function* pieces() {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        yield bytes.subarray(at, at + PIECE_BYTES);
      }
    },
  };
  const opened = await openSheet(source, tab ?? null, SENT_FILE);
  const wanted = { identifier: column ?? null, cost: cost ?? null };
  const { sheet, columns } = await withColumns(opened, wanted, currency);
  const products = new Map<string, Omit<SheetAnswer['products'][number], 'id'>>();
  const preview: PreviewRow[] = [];
  const repaired: TellingLine[] = [];
  const leftOut: TellingLine[] = [];
  const withoutCost: TellingLine[] = [];
  let [rows, repairedRows, leftOutRows, repeated, withoutCostRows] = [0, 0, 0, 0, 0];
  for await (const entry of readEntries(sheet, columns)) {
    rows += 1;
    if (rows > MOST_ROWS) throw new SheetProblem(TOO_MANY);
    const { wanted, note, problem, costCents, costProblem } = entry;
    if (preview.length < PREVIEW_ROWS) preview.push(previewOf(entry));
    if (wanted === null) {
      leftOutRows += 1;
      tell(leftOut, entry, problem?.detail ?? 'it names no product');
      continue;
    }
    if (note !== null) {
      repairedRows += 1;
      tell(repaired, entry, note);
    }
    if (costProblem !== null) {
      withoutCostRows += 1;
      tell(withoutCost, entry, costProblem);
    }
    if (products.has(wanted)) repeated += 1;
    else products.set(wanted, { cost: usdOf(costCents), cells: ownCells(entry) });
  }
  return {
    rows,
    sheet: sheet.tab,
    sheets: sheet.tabs.flatMap((each) => (each.isHidden ? [] : [each.name])),
    identifier_column: columns.names[columns.identifier] ?? '',
    other_columns: columns.otherCodes,
    cost_column: columns.cost === null ? null : (columns.names[columns.cost.at] ?? null),
    columns: columns.names,
    preview,
    products: [...products].map(([id, product]) => ({ id, ...product })),
    repeated,
    mended: repairedRows,
    left_out: leftOutRows,
    without_cost: withoutCostRows,
    mended_lines: repaired,
    left_out_lines: leftOut,
    without_cost_lines: withoutCost,
    remarks: [
      sheet.which,
      ...sheet.remarks,
      rowsAboveRemark(columns),
      passedOverRemark(columns),
      ...columns.costRemarks,
    ].filter((remark) => remark !== null),
  };
}

function previewOf({ line, cells, wanted: id, costCents, ...entry }: ReadEntry): PreviewRow {
  const notes = [entry.problem?.detail, entry.note, entry.costProblem];
  return {
    line,
    cells: cells.map((cell) => cell.slice(0, LONGEST_SHOWN)),
    id,
    cost: usdOf(costCents),
    note: notes.filter((each) => each !== null && each !== undefined).join('; ') || null,
  };
}

const ownCells = ({ cells, typed }: ReadEntry): readonly OwnCell[] =>
  cells.map((cell, at) => typed?.[at] ?? cell);

const TOO_MANY =
  `The sheet has more than ${MOST_ROWS.toLocaleString('en')} rows, too many for a page. In a terminal, ` +
  '`openshelf lookup --file` takes a million.';

function tell(lines: TellingLine[], { line, identifier }: ReadEntry, what: string): void {
  if (lines.length >= MOST_TOLD) return;
  lines.push({ line, identifier: identifier.slice(0, LONGEST_SHOWN), what });
}
