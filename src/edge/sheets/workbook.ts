// Reads and writes workbooks of Excel and similar programs (XLSX) as a stream. Only this file uses the package for it.

import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx';

import { messageOf } from '../../base/fault.ts';
import { readRow, SheetProblem, unreadRow, type SheetRow } from './sheet-row.ts';
import { zipEntries, zipText, type ZipEntry } from './zip-directory.ts';

const MIB = 1_048_576;
/** Maximum bytes of an unpacked workbook. */
export type UnpackedLimits = {
  readonly all: number;
  /** Maximum bytes of the text table, which takes four times its size in memory. */
  readonly texts: number;
  /** Maximum bytes of any other part. A sheet is read piece by piece and does not count. */
  readonly other: number;
};

/** Limits for a user's own file: a million rows of five columns have 250 MiB. */
export const OWN_FILE: UnpackedLimits = { all: 512 * MIB, texts: 64 * MIB, other: 512 * MIB };
/** Limits for an uploaded file of 4 MiB: a picture in it is no larger. */
export const SENT_FILE: UnpackedLimits = { all: 64 * MIB, texts: 16 * MIB, other: 4 * MIB };

const SHEET_PART = /^xl\/worksheets\/[^/]+\.xml$/;
const TEXTS = 'xl/sharedStrings.xml';
/** The longest text that an Excel cell can contain. */
const MAX_CELL = 32_767;

export type Workbook = {
  /** The sheet names, in order; empty if they cannot be read. */
  readonly names: readonly string[];
  /** Name of the sheet that is read. */
  readonly read: string | null;
  readonly rows: () => AsyncIterable<SheetRow>;
};

/**
 * Opens the rows of one sheet: the one of this name, or the first that is not hidden. Throws a SheetProblem if the file is
 * not a workbook, or would unpack to more than is allowed.
 */
export function openWorkbook(
  bytes: Uint8Array,
  name: string | null,
  limits: UnpackedLimits,
): Workbook {
  const entries = zipEntries(bytes);
  if (entries === null) {
    throw new SheetProblem(
      'This .xlsx file is damaged or cut off: the list of its parts cannot be read. Save it again in your spreadsheet program.',
    );
  }
  refuseLarge(entries, limits);
  const sheets = entries.filter((each) => SHEET_PART.test(each.name)).length;
  if (sheets === 0) {
    throw new SheetProblem(
      'This is a zip archive, but not an Excel workbook (.xlsx). Save the sheet as .xlsx or .csv.',
    );
  }
  const listed = sheetsIn(bytes, entries);
  const shown = listed.find(({ isHidden }) => !isHidden) ?? listed[0];
  const read = name ?? shown?.name ?? null;
  return {
    names: listed.map((each) => each.name),
    read,
    rows: () => rowsOf(bytes, read, name !== null),
  };
}

function refuseLarge(entries: readonly ZipEntry[], limits: UnpackedLimits): void {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  const texts = Math.max(
    0,
    ...entries.filter((each) => each.name === TEXTS).map((each) => each.size),
  );
  if (unpacked > limits.all || texts > limits.texts) {
    throw new SheetProblem(
      `This .xlsx file would unpack to ${Math.ceil(unpacked / MIB)} MiB (texts: ${Math.ceil(texts / MIB)} MiB); at most ` +
        `${limits.all / MIB} MiB (texts: ${limits.texts / MIB} MiB) are read. Save the sheet as CSV.`,
    );
  }
  const isOther = ({ name }: ZipEntry) => name !== TEXTS && !SHEET_PART.test(name);
  const large = entries.find((each) => isOther(each) && each.size > limits.other);
  if (large === undefined) return;
  throw new SheetProblem(
    `A part of this .xlsx file that is not a sheet would unpack to ${Math.ceil(large.size / MIB)} MiB; at most ` +
      `${limits.other / MIB} MiB are read. Save the sheet as CSV.`,
  );
}

type ListedSheet = { readonly name: string; readonly isHidden: boolean };

const MAX_LIST = MIB;
const SHEET = /<(?:\w+:)?sheet\s([^<>]*)>/g;

/** Returns the sheets that the workbook lists, in tab order. */
function sheetsIn(bytes: Uint8Array, entries: readonly ZipEntry[]): readonly ListedSheet[] {
  const list = entries.find((each) => each.name === 'xl/workbook.xml');
  const xml = list === undefined ? null : zipText(bytes, list, MAX_LIST);
  return [...(xml ?? '').matchAll(SHEET)].flatMap(([, attributes = '']) => {
    const name = attributeOf(attributes, 'name');
    return name === null
      ? []
      : [{ name, isHidden: /\sstate="(?:very)?hidden"/i.test(` ${attributes}`) }];
  });
}

const SIGNS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function attributeOf(attributes: string, name: string): string | null {
  const [, , value] = new RegExp(`(?:^|\\s)${name}=(["'])(.*?)\\1`, 's').exec(attributes) ?? [];
  return (
    value?.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, sign) => {
      if (sign !== undefined) return SIGNS[String(sign)] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
    }) ?? null
  );
}

async function* rowsOf(
  bytes: Uint8Array,
  name: string | null,
  isWanted: boolean,
): AsyncGenerator<SheetRow> {
  let isEmpty = true;
  try {
    const options = name === null ? {} : { sheet: name };
    for await (const { index, values } of streamXlsxRows(bytes, options)) {
      isEmpty = false;
      yield rowOf(index + 1, values);
    }
  } catch (error) {
    const why = messageOf(error);
    throw new SheetProblem(`This .xlsx file cannot be read: ${why}`);
  }
  // A sheet that does not exist has nothing to read.
  if (isEmpty && isWanted) {
    throw new SheetProblem(`This workbook has no sheet "${name}", or it is empty.`);
  }
}

function rowOf(line: number, values: readonly unknown[]): SheetRow {
  const texts = values.map(textOf);
  while (texts.at(-1) === '') texts.pop();
  return texts.some((each) => each.length > MAX_CELL)
    ? unreadRow(line, `a cell is longer than the ${MAX_CELL} characters that a workbook may have`)
    : readRow(line, texts);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Characters that XML cannot contain. */
// oxlint-disable-next-line no-control-regex -- the range is what a workbook may not hold
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Returns the bytes of a workbook with one sheet. A text remains text, whatever it looks like, and a formula is never
 * written.
 */
export function workbookBytes(
  rows: AsyncIterable<readonly (string | number | boolean | null)[]>,
): AsyncIterable<Uint8Array> {
  return writeXlsxStream(written(rows), {
    name: 'openshelf',
  });
}

async function* written(rows: AsyncIterable<readonly (string | number | boolean | null)[]>) {
  for await (const row of rows) {
    yield row.map((cell) => (typeof cell === 'string' ? writtenText(cell) : cell));
  }
}

/**
 * In a workbook `_x0041_` is another way to write A. In a text that looks like that, the first character is itself escaped
 * (ECMA-376, 22.9.2.19).
 */
function writtenText(text: string): string {
  const short = text.replace(UNWRITABLE, '').slice(0, MAX_CELL);
  return short.includes('_x') ? short.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_') : short;
}
