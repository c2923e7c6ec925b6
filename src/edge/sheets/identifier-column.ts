// Finds a sheet's identifier column by its content and its heading, and the row of headings. Pure.

import { parseIdentifier } from '../../base/identifiers/parse-identifier.ts';
import { codesWithin } from '../../base/identifiers/written-code.ts';
import { readAmountCell } from './amount-cell.ts';
import { hasCodes, isCaseCode, isCaseColumn, type CodeColumn } from './case-column.ts';
import { chooseCost, type CostColumn } from './cost-column.ts';
import { isCodeName, isCostHeading, isFormer, headingUnit, namesCode } from './heading-words.ts';
import { isBarcode, repairCode } from './repair-code.ts';
import { SheetProblem, type SheetRow } from './sheet-row.ts';
import { twoRowHeading } from './two-row-heading.ts';

export type SheetColumns = {
  /** Names of all columns: the headings, or `column 1` and so on. */
  readonly names: readonly string[];
  /** The line of the heading row; null if there is none. */
  readonly headingLine: number | null;
  /** Number of rows above the headings, such as titles, which are not entries. */
  readonly rowsAbove: number;
  readonly identifier: number;
  /** Whether the column contains barcodes, so that digits that have lost zeros are barcodes too. */
  readonly isBarcodes: boolean;
  /** Names of other columns of codes: those of cases, which may be cleaner, and those of the same products. */
  readonly passedOver: { readonly cases: readonly string[]; readonly others: readonly string[] };
  /** Names of all other columns of codes, the likelier ones first, whoever chose the column. */
  readonly otherCodes: readonly string[];
  readonly cost: CostColumn | null;
  /** Complete sentences on how the cost column was chosen that the user should know. */
  readonly costRemarks: readonly string[];
};

/** The columns that the user named, by heading or by number from 1. */
export type WantedColumns = { readonly identifier: string | null; readonly cost: string | null };

/** Number of rows examined. */
export const SAMPLE_ROWS = 1_000;

/** Headings of identifiers that are not barcodes. */
const OTHER_IDENTIFIER =
  /^(?:item[ _-]?id|product[ _-]?(?:id|code)|identifier|code|url|link|sku|id)\b/i;

/** What a cell may be: a code with a check digit, an address, or digits that may be anything. */
type Likeness = 'barcode' | 'short_barcode' | 'lost_zeros' | 'asin' | 'url' | 'digits' | null;

function likenessOf(cell: string): Likeness {
  const { text, isLost } = repairCode(cell, false);
  if (isLost) return 'lost_zeros';
  if (/^https?:\/\/\S+\.\S+/i.test(text)) return 'url';
  if (/^B0[0-9A-Z]{8}$/i.test(text)) return 'asin';
  const isShort = /^\d{7,8}$/.test(text);
  if (isBarcode(text)) return isShort ? 'short_barcode' : 'barcode';
  if (!isShort && repairCode(cell, true).text !== text) return 'lost_zeros';
  if (/^\d{6,14}$/.test(text)) return 'digits';
  return isWrittenCode(text) ? 'barcode' : null;
}

/** Checks for barcodes with a label or an add-on, and for several in a cell. */
function isWrittenCode(text: string): boolean {
  if (text.length > LONGEST_CODE || !MANY_DIGITS.test(text)) return false;
  const parsed = parseIdentifier(text);
  if (parsed.ok) return parsed.identifiers.some((each) => 'gtin14' in each);
  return codesWithin(text).length > 1;
}

const LONGEST_CODE = 64;
const MANY_DIGITS = /(?:\d\D{0,3}){8}/;

const WEIGHT: Readonly<Record<Exclude<Likeness, null>, number>> = {
  barcode: 1,
  short_barcode: 1,
  asin: 1,
  url: 1,
  lost_zeros: 0.9,
  digits: 0.3,
};

/**
 * Chooses the columns; `currency` is the currency of costs. Throws a SheetProblem if no column contains identifiers, or a
 * requested one does not exist.
 */
export function chooseColumns(
  sample: readonly SheetRow[],
  wanted: WantedColumns,
  currency = 'USD',
): SheetColumns {
  const rows = sample.filter(({ problem }) => problem === null);
  if (rows.length === 0) throw new SheetProblem(emptyReason(sample));
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const likely = columnsByLikeness(rows, width);
  const found = headingIn(rows, likely, wanted);
  const whole = found === null || isNamedIn(found, wanted) ? null : twoRowHeading(rows, found);
  const heading = whole?.row ?? found;
  const names = namesOf(heading, width);
  const headings = names.map((_, at) => heading?.cells[at]?.trim() ?? '');
  const coded = likely.filter((column) => hasCodes(column, headings));
  const cases = coded.filter((column) => isCaseColumn(column, headings));
  const pieces = coded.filter((column) => !cases.includes(column));
  // Case codes are skipped only in favour of others.
  const candidates = cases.length > 0 && pieces.length > 0 ? pieces : likely;
  const best = candidates.reduce((a, b) => (scoreOf(b, headings) > scoreOf(a, headings) ? b : a));
  const identifier = columnNamed(wanted.identifier, names, 'identifier') ?? best.at;
  const column = likely[identifier] ?? best;
  if (wanted.identifier === null && column.score < ENOUGH) {
    throw new SheetProblem(`${NO_COLUMN} Specify the column with --column.`, NO_COLUMN);
  }
  const namesAt = (columns: readonly Column[]) =>
    columns.filter(({ at }) => at !== identifier).map(({ at }) => names[at] ?? '');
  const isChosen = wanted.identifier !== null;
  const cost = chooseCost(
    {
      rows: heading === null ? rows : rows.filter(({ line }) => line > heading.line),
      names,
      headings,
      identifier,
      isOfPackages: isCaseColumn(column, headings),
      hasBoth: cases.length > 0 && pieces.length > 0,
      currency,
    },
    columnNamed(wanted.cost, names, 'cost'),
  );
  return {
    names,
    headingLine: heading?.line ?? null,
    rowsAbove: found === null ? 0 : sample.indexOf(whole?.first ?? found),
    identifier,
    isBarcodes: column.barcodes >= 0.5 || isBarcodeHeading(headings[identifier] ?? ''),
    passedOver: isChosen
      ? { cases: [], others: [] }
      : { cases: namesAt(cases), others: namesAt(pieces) },
    otherCodes: namesAt([...pieces, ...cases]),
    cost: cost.column,
    costRemarks: cost.remarks,
  };
}

const isBarcodeHeading = (heading: string): boolean =>
  namesCode(heading) && !/^\W*asin\W*$/i.test(heading);

const LONGEST_UNIT = 20;

const isMeant = (heading: string): boolean => namesCode(heading) || isCostHeading(heading);

const NO_COLUMN = 'No column contains barcodes, ASINs, item ids or addresses of product pages.';

/** The minimum share of a column's filled cells. */
const ENOUGH = 0.1;

type Column = CodeColumn & { readonly score: number };

function columnsByLikeness(rows: readonly SheetRow[], width: number): readonly Column[] {
  return Array.from({ length: width }, (_, at) => {
    const cells = rows.map(({ cells }) => cells[at]?.trim() ?? '').filter((cell) => cell !== '');
    const kinds = cells.map(likenessOf);
    const score = kinds.reduce((sum, kind) => sum + (kind === null ? 0 : WEIGHT[kind]), 0);
    const isLong = (kind: Likeness) => kind === 'barcode' || kind === 'lost_zeros';
    // Eight digits may be an item id too: alone they do not make a barcode column.
    const barcodes = kinds.some(isLong)
      ? kinds.filter((kind) => isLong(kind) || kind === 'short_barcode').length
      : 0;
    const all = Math.max(1, cells.length);
    const whole = cells.filter((_, cell) => kinds[cell] === 'barcode');
    const cases = whole.filter((cell) =>
      isCaseCode(repairCode(cell, false).text.replaceAll(/[\s-]/g, '')),
    );
    return {
      at,
      score: score / all,
      barcodes: barcodes / all,
      asins: kinds.filter((kind) => kind === 'asin').length / all,
      cases: cases.length / Math.max(1, whole.length),
    };
  });
}

/**
 * A column of codes whose heading is a code's name outweighs cleaner cells of any other; a heading that contains such a name, or
 * the name of another identifier, weighs as much as some of the cells.
 */
function scoreOf(column: Column, headings: readonly string[]): number {
  const heading = headings[column.at] ?? '';
  if (column.score === 0) return 0;
  if (namesCode(heading) && hasCodes(column, headings)) {
    return column.score + (isFormer(heading) ? 0 : isCodeName(heading) ? 2 : 1);
  }
  return column.score + (OTHER_IDENTIFIER.test(heading) ? ENOUGH : 0);
}

/**
 * Returns the heading row; null if there is none. It is the one that has a requested heading. Otherwise, of the rows before the
 * first entry, it is the last of those with the most words for a code or a cost, because titles are above it. Otherwise it is
 * the first row, if it has no identifier of its own and another row has one.
 */
function headingIn(
  rows: readonly SheetRow[],
  likely: readonly Column[],
  wanted: WantedColumns,
): SheetRow | null {
  const [first] = rows;
  if (first === undefined) return null;
  if (first.line === 0 || isNamedIn(first, wanted)) return first;
  const at = likely.reduce((a, b) => (b.score > a.score ? b : a)).at;
  const entry = rows.findIndex(({ cells }) => likenessOf(cells[at] ?? '') !== null);
  const before = entry === -1 ? rows : rows.slice(0, entry);
  const named = before.find((row) => isNamedIn(row, wanted));
  if (named !== undefined || entry === -1) return named ?? null;
  const told = before
    .slice(0, MOST_ABOVE)
    .map((row, n) => ({ row, words: headingWords(row, at, before[n + 1]) }));
  const most = Math.max(0, ...told.map(({ words }) => words));
  if (most > 0) return told.findLast(({ words }) => words === most)?.row ?? null;
  return first.cells.some((cell) => likenessOf(cell) !== null) ? null : first;
}

/** Rows among which headings are looked for: more titles are above none. */
const MOST_ABOVE = 30;

/**
 * Counts cells that read like headings of codes or costs. None count in a row with an amount, or in one without a word above
 * the identifiers, of its own or of the row below.
 */
function headingWords({ cells }: SheetRow, at: number, below: SheetRow | undefined): number {
  const name = cells[at]?.trim() || below?.cells[at];
  if (!/\p{L}/u.test(name ?? '') || cells.some(isAmount)) return 0;
  return cells.filter(
    (cell) => OTHER_IDENTIFIER.test(cell.trim()) || isMeant(cell) || isUnitWord(cell),
  ).length;
}

/** Checks for an amount in any currency. */
function isAmount(cell: string): boolean {
  if (!/\d/.test(cell)) return false;
  const { cents, problem } = readAmountCell(cell);
  return cents !== null || problem.startsWith('is in');
}

/** Below a heading for several columns, a word for what is counted is a heading of its own. */
const isUnitWord = (cell: string): boolean =>
  cell.length <= LONGEST_UNIT && !/\d/.test(cell) && headingUnit(cell) !== null;

/** Checks whether the user named a column by a heading in this row: it is then the heading row, whatever it looks like. */
function isNamedIn(first: SheetRow, { identifier, cost }: WantedColumns): boolean {
  const names = namesOf(first, first.cells.length).map((name) => name.toLowerCase());
  return [identifier, cost].some(
    (each) =>
      each !== null && !COLUMN_NUMBER.test(each) && names.includes(each.trim().toLowerCase()),
  );
}

const COLUMN_NUMBER = /^(?:column )?\d{1,4}$/i;

function namesOf(heading: SheetRow | null, width: number): readonly string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const written = heading?.cells[at]?.trim().replaceAll(/\s+/g, ' ').slice(0, 100) ?? '';
    const name = written === '' ? `column ${at + 1}` : written;
    const free = freeName(name, taken);
    taken.add(free.toLowerCase());
    return free;
  });
}

/** Returns the name, with a number after it if another column has it; `taken` contains lowercase names. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let more = 2; taken.has(free.toLowerCase()); more += 1) free = `${name} (${more})`;
  return free;
}

function columnNamed(wanted: string | null, names: readonly string[], what: string): number | null {
  if (wanted === null) return null;
  const at = names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
  if (at !== -1) return at;
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  const shown = names.slice(0, 30).join(', ');
  throw new SheetProblem(
    `There is no column "${wanted}" for the ${what}. The sheet has: ${shown}.`,
  );
}

function emptyReason([first]: readonly SheetRow[]): string {
  return first?.problem === null || first === undefined
    ? 'The sheet is empty.'
    : `No row of the file can be read. Line ${first.line}: ${first.problem}.`;
}
