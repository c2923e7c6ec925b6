// The rows of a sheet as entries: which cell names the product, what was corrected in it, and what one piece costs.

import { parseIdentifier, type Identifier } from '../../base/identifiers/parse-identifier.ts';
import { printedForm } from '../../base/identifiers/gtin.ts';
import { costIn } from '../sheets/cost-column.ts';
import {
  chooseColumns,
  SAMPLE_ROWS,
  type SheetColumns,
  type WantedColumns,
} from '../sheets/identifier-column.ts';
import { repairCode } from '../sheets/repair-code.ts';
import type { Sheet } from '../sheets/sheet.ts';
import type { SheetRow } from '../sheets/sheet-row.ts';
import type { ResultEntry } from './result-table.ts';

export type ReadEntry = ResultEntry & {
  readonly cells: readonly string[];
  readonly typed?: SheetRow['typed'];
  /** The text that is looked up, the same for two entries of one product. Null if nothing is; `problem` then states why. */
  readonly wanted: string | null;
  readonly problem: { readonly status: 'invalid' | 'unread'; readonly detail: string } | null;
};

/** Finds the columns in the first rows; `currency` is the currency of costs. Throws a SheetProblem. */
export async function columnsOf(
  sheet: Sheet,
  wanted: WantedColumns,
  currency?: string,
): Promise<SheetColumns> {
  const sample: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    sample.push(row);
    if (sample.length >= SAMPLE_ROWS) break;
  }
  const columns = chooseColumns(sample, wanted, currency);
  // Numbers of a workbook and of JSON have a decimal point, whatever the texts next to them have.
  return sheet.kind === 'csv' || columns.cost === null
    ? columns
    : { ...columns, cost: { ...columns.cost, mark: null } };
}

/** Returns what a user should know about the rows above the headings; null if nothing. */
export function rowsAboveRemark({ headingLine, rowsAbove }: SheetColumns): string | null {
  if (headingLine === null || rowsAbove === 0) return null;
  return rowsAbove === 1
    ? `The row above the headings in line ${headingLine} is skipped.`
    : `The ${rowsAbove} rows above the headings in line ${headingLine} are skipped.`;
}

/** Returns which other columns have codes, and why they are not used; null if there are none. */
export function passedOverRemark({ names, identifier, passedOver }: SheetColumns): string | null {
  const { cases, others } = passedOver;
  const used = names[identifier] ?? '';
  const sentences = [
    cases.length === 0
      ? null
      : `${columnsNamed(cases, 'case codes')} and ${areOrIs(cases)} skipped in favour of "${used}", which has the codes of their contents.`,
    others.length === 0 ? null : `${columnsNamed(others, 'codes too')}; "${used}" is used.`,
  ];
  return sentences.filter((each) => each !== null).join(' ') || null;
}

function columnsNamed(names: readonly string[], what: string): string {
  const shown = names.map((name) => `"${name}"`).join(', ');
  return names.length === 1 ? `Column ${shown} has ${what}` : `Columns ${shown} have ${what}`;
}

const areOrIs = ({ length }: readonly string[]): string => (length === 1 ? 'is' : 'are');

/** Returns the available sheets, for a user who can give options. */
export function nameAnother(which: string): string {
  return `${which} Choose another with --sheet.`;
}

/** Yields every row after the headings, in order. */
export async function* readEntries(sheet: Sheet, columns: SheetColumns): AsyncGenerator<ReadEntry> {
  let isEntry = columns.headingLine === null;
  for await (const row of sheet.rows()) {
    if (isEntry) yield entryOf(row, columns);
    else isEntry = row.line === columns.headingLine;
  }
}

function entryOf({ line, cells, typed, problem }: SheetRow, columns: SheetColumns): ReadEntry {
  const { identifier: at, isBarcodes, cost } = columns;
  const own = typed === undefined ? { cells } : { cells, typed };
  const row = { line, ...own, note: null, costCents: null, costProblem: null };
  if (problem !== null) {
    const unread = { status: 'unread' as const, detail: problem };
    return { ...row, identifier: '', wanted: null, problem: unread };
  }
  const repaired = repairCode(cells[at] ?? '', isBarcodes);
  const { text } = repaired;
  const amount = cost === null ? null : costIn(cells, cost);
  const costProblem =
    cost === null || amount?.cents !== null
      ? null
      : `the cost "${cells[cost.at]?.trim().slice(0, 40)}" ${amount.problem}`;
  const costCents = amount?.cents ?? null;
  const about = { ...row, identifier: text.slice(0, MAX_SHOWN), costCents, costProblem };
  const invalid = (detail: string): ReadEntry => ({
    ...about,
    wanted: null,
    problem: { status: 'invalid', detail },
  });
  if (text === '') return invalid('the row has no product: its identifier is empty');
  if (repaired.isLost) return invalid(repaired.note ?? 'digits are lost');
  const parsed = parseIdentifier(text);
  if (!parsed.ok) return invalid(parsed.fault.detail);
  const meant = meantIn(columns, parsed.identifiers);
  const wanted = meant !== undefined && 'gtin14' in meant ? printedForm(meant.gtin14) : text;
  return { ...about, note: repaired.note, wanted, problem: null };
}

/**
 * Returns what an identifier is looked up as: its first meaning, but in a barcode column the barcode. Eight digits are the
 * short form of a UPC if the heading contains UPC and nothing else.
 */
function meantIn(
  { names, identifier: at, isBarcodes }: SheetColumns,
  identifiers: readonly Identifier[],
): Identifier | undefined {
  if (!isBarcodes) return identifiers[0];
  const heading = names[at] ?? '';
  const isUpc = /\bupc/i.test(heading) && !/\b(?:ean|gtin|isbn)/i.test(heading);
  const short = isUpc ? identifiers.find(({ kind }) => kind === 'upce') : undefined;
  return short ?? identifiers.find((each) => 'gtin14' in each) ?? identifiers[0];
}

/** Maximum characters shown of an identifier: an address may be longer than a workbook cell. */
const MAX_SHOWN = 8_192;
