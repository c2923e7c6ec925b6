// The rows of a sheet as entries: which cell names the product, what was mended of it, what one costs.

import { parseIdentifier } from '../identifiers/parse-identifier.ts';
import { printedForm } from '../identifiers/gtin.ts';
import { amountCents } from '../sheets/amount-cell.ts';
import {
  chooseColumns,
  SAMPLE_ROWS,
  type SheetColumns,
  type WantedColumns,
} from '../sheets/identifier-column.ts';
import { mendCode } from '../sheets/mend-code.ts';
import type { Sheet } from '../sheets/sheet.ts';
import type { SheetRow } from '../sheets/sheet-row.ts';
import type { Entry } from './result-table.ts';

export type ReadEntry = Entry & {
  readonly cells: readonly string[];
  /** What is looked up; two entries of the same product have the same one. Null: nothing is, and `problem` says why. */
  readonly wanted: string | null;
  readonly problem: { readonly status: 'invalid' | 'unread'; readonly detail: string } | null;
};

/** The columns, found in the first rows. Throws a SheetProblem. */
export async function columnsOf(sheet: Sheet, wanted: WantedColumns): Promise<SheetColumns> {
  const sample: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    sample.push(row);
    if (sample.length >= SAMPLE_ROWS) break;
  }
  return chooseColumns(sample, wanted);
}

/** Every row but that of the headings, in order. */
export async function* readEntries(sheet: Sheet, columns: SheetColumns): AsyncGenerator<ReadEntry> {
  for await (const row of sheet.rows()) {
    if (row.line !== columns.headingLine) yield entryOf(row, columns);
  }
}

function entryOf(
  { line, cells, problem }: SheetRow,
  { identifier: at, isBarcodes, cost }: SheetColumns,
): ReadEntry {
  const row = { line, cells, note: null, costCents: null };
  if (problem !== null) {
    const unread = { status: 'unread' as const, detail: problem };
    return { ...row, identifier: '', wanted: null, problem: unread };
  }
  const mended = mendCode(cells[at] ?? '', isBarcodes);
  const { text } = mended;
  const costText = cost === null ? '' : (cells[cost]?.trim() ?? '');
  const costCents = costText === '' ? null : amountCents(costText);
  const about = { ...row, identifier: text.slice(0, MAX_SHOWN), costCents };
  const invalid = (detail: string): ReadEntry => ({
    ...about,
    wanted: null,
    problem: { status: 'invalid', detail },
  });
  if (text === '') return invalid('the row names no product: its identifier is empty');
  if (mended.isLost) return invalid(mended.note ?? 'digits are lost');
  const parsed = parseIdentifier(text);
  if (!parsed.ok) return invalid(parsed.fault.detail);
  const [first] = parsed.identifiers;
  const wanted = first !== undefined && 'gtin14' in first ? printedForm(first.gtin14) : text;
  const badCost =
    costText !== '' && costCents === null
      ? `the cost "${costText.slice(0, 40)}" is no amount`
      : null;
  const notes = [mended.note, badCost].filter((each) => each !== null);
  return {
    ...about,
    note: notes.length === 0 ? null : notes.join('; '),
    wanted,
    problem: null,
  };
}

/** Of an identifier that is shown: an address may be longer than a cell of a workbook. */
const MAX_SHOWN = 8_192;
