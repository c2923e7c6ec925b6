// Reads the rows of a text: delimited (CSV, TSV and similar), a plain list, or one JSON object a line.

import { Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import type { Dialect } from './delimiter.ts';
import { readRow, SheetProblem, unreadRow, type SheetRow } from './sheet-row.ts';
import { MAX_LINE_LENGTH, textLines } from './text-lines.ts';

/**
 * Reads delimited text. Quotes may contain line breaks. A record that is too long ends the reading, because its end is
 * unknown.
 */
export async function* readDelimited(
  pieces: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<SheetRow> {
  const { delimiter } = dialect;
  let last = 0;
  const parser = parse({
    ...dialect,
    // If quotes contain line breaks, a record ends on a later line than it begins.
    on_record: (given: unknown, { lines }): string[] => {
      const { raw, record } = given as RawRecord;
      const line = last + 1;
      last = lines;
      return [String(line), raw, ...record];
    },
    // Files that several programs wrote to have mixed line ends.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_LINE_LENGTH,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
  });
  const source = Readable.from(pieces);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  /** Number of cells of the first row. */
  let width: number | null = null;
  /**
   * After such a quote the parser counts line ends twice. `next` is the line of the next record, `ahead` how many lines the
   * parser is ahead.
   */
  let next: number | null = null;
  let ahead = 0;
  try {
    for await (const [begins, raw = '', ...cells] of parser as AsyncIterable<readonly string[]>) {
      if (next !== null) ahead = Number(begins) - next;
      next = null;
      const line = Number(begins) - ahead;
      if (line === 1 && /^sep=/i.test(cells.join(''))) continue;
      width ??= cells.length;
      const swallowed = isBroken(raw, cells, dialect) ? rowsWithin(cells, delimiter, width) : null;
      if (swallowed === null) yield readRow(line, cells);
      else {
        for (const [at, row] of swallowed.entries()) yield readRow(line + at, row);
        next = line + swallowed.length;
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new SheetProblem(csvProblem(error, last + 1, dialect));
  } finally {
    source.destroy();
  }
}

/** The parser's output: the text of a record, and its cells. */
type RawRecord = { readonly raw: string; readonly record: readonly string[] };

/**
 * Checks whether a quote in the record may have opened unintentionally: it contains a line break, and does not follow the
 * dialect.
 */
function isBroken(
  raw: string,
  cells: readonly string[],
  { delimiter, quote, escape }: Dialect,
): boolean {
  if (!cells.some((cell) => cell.startsWith(quote) && /[\r\n]/.test(cell))) return false;
  const quoted =
    escape === '\\'
      ? `${quote}(?:[^${quote}\\\\]|\\\\[^])*${quote}`
      : `${quote}[^${quote}]*(?:${quote}${quote}[^${quote}]*)*${quote}`;
  const between = RegExp.escape(delimiter);
  const cell = `(?:${quoted}|[^${quote}${between}\r\n]*)`;
  return !new RegExp(`^${cell}(?:${between}${cell})*[\r\n]*$`).test(raw);
}

/**
 * Returns the rows in a record whose cell begins with a quote that is never closed, as in `"3 inch pan`: everything up to the
 * next such cell would be one record. They are separate rows if each line has as many cells as the first row. Null if the
 * record is one row.
 */
function rowsWithin(
  cells: readonly string[],
  delimiter: string,
  width: number,
): readonly (readonly string[])[] | null {
  const rows = cells
    .join(delimiter)
    .split(/\r\n?|\n/)
    .map((line) => line.split(delimiter));
  return rows.every((row) => row.length === width) ? rows : null;
}

function csvProblem({ code, message }: CsvError, line: number, { quote }: Dialect): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return (
      `The row that begins on line ${line} is longer than ${MAX_LINE_LENGTH} characters. Is a quote (${quote}) opened there and ` +
      'never closed?'
    );
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return `The row that begins on line ${line} opens a quote (${quote}) and never closes it. Close or remove it.`;
  }
  return `The row that begins on line ${line} cannot be read: ${message}`;
}

/** Reads one entry a line; a line that begins with # is a comment. */
export async function* readList(pieces: AsyncIterable<string>): AsyncGenerator<SheetRow> {
  for await (const { line, text } of textLines(pieces)) {
    if (text === null) yield unreadRow(line, TOO_LONG);
    else if (!text.trimStart().startsWith('#')) yield readRow(line, [text]);
  }
}

const TOO_LONG = `the line is longer than ${MAX_LINE_LENGTH} characters`;

/**
 * Reads JSON lines: an object each, or a text or a number. The first row names the columns: the fields of the first objects, in
 * order of appearance. Fields that only later objects have are left out.
 */
export async function* readJsonLines(pieces: AsyncIterable<string>): AsyncGenerator<SheetRow> {
  const head: Line[] = [];
  let columns: readonly string[] | null = null;
  for await (const each of textLines(pieces)) {
    const read = jsonLine(each.line, each.text);
    if (columns !== null) yield rowOf(read, columns);
    else {
      head.push(read);
      if (head.length < HEAD_LINES) continue;
      columns = columnsOf(head);
      yield* withNames(head, columns);
    }
  }
  if (columns === null) yield* withNames(head, columnsOf(head));
}

const HEAD_LINES = 1_000;

type Line = {
  readonly line: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly problem: string | null;
};

function* withNames(lines: readonly Line[], columns: readonly string[]): Generator<SheetRow> {
  // The row of names has no line: a line of its own would count as an entry.
  yield readRow(0, columns);
  for (const line of lines) yield rowOf(line, columns);
}

function columnsOf(lines: readonly Line[]): readonly string[] {
  return [...new Set(lines.flatMap(({ fields }) => Object.keys(fields)))];
}

function rowOf({ line, fields, problem }: Line, columns: readonly string[]): SheetRow {
  if (problem !== null) return unreadRow(line, problem);
  return readRow(
    line,
    columns.map((name) => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '')),
  );
}

function jsonLine(line: number, text: string | null): Line {
  if (text === null) return { line, fields: {}, problem: TOO_LONG };
  if (text.trim() === '') return { line, fields: {}, problem: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, fields: {}, problem: 'the line is not valid JSON' };
  }
  if (Array.isArray(value)) {
    return { line, fields: {}, problem: 'the line is a JSON array; write one object per line' };
  }
  if (typeof value !== 'object' || value === null) {
    return { line, fields: { identifier: textOf(value) }, problem: null };
  }
  const fields = Object.entries(value).map(([name, each]) => [name, textOf(each)] as const);
  return { line, fields: Object.fromEntries(fields), problem: null };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
