// A file of identifiers as rows, in any format: CSV, TSV and similar, XLSX, JSON lines, a plain list. Its first bytes
// determine the format; its name is used only if they are ambiguous. Memory use is constant, because rows are read as they
// are used.

import { createHash } from 'node:crypto';

import { delimiterOf } from './delimiter.ts';
import { createEncodingProbe, decoded, type Encoding } from './encoding.ts';
import { foreignFormat, startsWith } from './foreign-format.ts';
import { readDelimited, readJsonLines, readList } from './read-text.ts';
import { MAX_ROWS, SheetProblem, type SheetRow } from './sheet-row.ts';
import { openWorkbook, OWN_FILE, type UnpackedLimits, type Workbook } from './workbook.ts';

export type SheetSource = {
  /** The file's name; its extension helps to recognize the format. */
  readonly name: string;
  /** Reads the bytes from the beginning at each call. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
};

type SheetKind = 'csv' | 'list' | 'jsonl' | 'xlsx';

export type Sheet = {
  readonly kind: SheetKind;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
  /** Complete sentences on how it was read that the user should know. */
  readonly remarks: readonly string[];
  /**
   * A sentence with the sheets of a workbook and the one that is read. The code that shows it adds how to choose another one.
   * Null if there is no other sheet, or the sheet was named.
   */
  readonly which: string | null;
  /** Reads the rows from the beginning at each call. Empty rows are left out. Throws a SheetProblem. */
  readonly rows: () => AsyncIterable<SheetRow>;
};

const MIB = 1_048_576;
const MAX_TEXT_BYTES = 4_096 * MIB;
const MAX_WORKBOOK_BYTES = 64 * MIB;
const HEAD_BYTES = 65_536;

/**
 * Opens the sheet, reading the file once. `sheet` names one of several sheets of a workbook; `limits` are those for unpacking
 * it.
 */
export async function openSheet(
  source: SheetSource,
  sheet: string | null,
  limits: UnpackedLimits = OWN_FILE,
): Promise<Sheet> {
  const { head, size, digest, encoding } = await look(source);
  if (size === 0) throw new SheetProblem(`${source.name} is empty.`);
  const foreign = foreignFormat(head);
  if (foreign !== null) throw new SheetProblem(`${source.name} ${foreign}`);
  if (startsWith(head, 'PK')) {
    const workbook = openWorkbook(await wholeOf(source, size), sheet, limits);
    const which = sheet === null ? sheetsRemark(workbook) : null;
    const rows = () => counted(workbook.rows());
    return { kind: 'xlsx', digest, remarks: [], which, rows };
  }
  if (sheet !== null) throw new SheetProblem('Only a workbook (.xlsx) has sheets with names.');
  if (size > MAX_TEXT_BYTES) {
    throw new SheetProblem(`${source.name} is larger than ${MAX_TEXT_BYTES / MIB} MiB. Split it.`);
  }
  return { digest, which: null, ...openText(source, head, encoding) };
}

const MOST_NAMES = 20;

function sheetsRemark({ names, read }: Workbook): string | null {
  if (names.length < 2) return null;
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMES ? ' …' : '';
  return `The workbook has ${names.length} sheets, ${shown.join(', ')}${more}; "${read}" is read.`;
}

type Look = {
  readonly head: Uint8Array;
  readonly size: number;
  readonly digest: string;
  readonly encoding: Encoding;
};

async function look({ bytes }: SheetSource): Promise<Look> {
  const hash = createHash('sha256');
  const probe = createEncodingProbe();
  let head: Uint8Array = new Uint8Array();
  let size = 0;
  for await (const piece of bytes()) {
    hash.update(piece);
    probe.pass(piece);
    if (head.length < HEAD_BYTES) {
      head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
    }
    size += piece.length;
  }
  return { head, size, digest: hash.digest('hex'), encoding: probe.end() };
}

async function wholeOf({ name, bytes }: SheetSource, size: number): Promise<Uint8Array> {
  if (size > MAX_WORKBOOK_BYTES) {
    throw new SheetProblem(
      `${name} is larger than ${MAX_WORKBOOK_BYTES / MIB} MiB. Save the sheet as CSV.`,
    );
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes()) pieces.push(piece);
  return Buffer.concat(pieces);
}

function openText(
  { name, bytes }: SheetSource,
  head: Uint8Array,
  encoding: Encoding,
): Omit<Sheet, 'digest' | 'which'> {
  const sample = new TextDecoder(encoding).decode(head);
  if (sample.includes('\0')) {
    throw new SheetProblem(
      `${name} is not text: it contains zero bytes. Save it as .csv, .xlsx or plain text.`,
    );
  }
  const remarks =
    encoding === 'windows-1252'
      ? [
          'The file is not UTF-8; it is read as windows-1252. If letters with accents come out wrong, save it as UTF-8.',
        ]
      : [];
  const text = () => decoded(bytes(), encoding);
  const start = sample.trimStart();
  if (start.startsWith('{') || /\.(?:jsonl|ndjson)$/i.test(name)) {
    return { kind: 'jsonl', remarks, rows: () => counted(readJsonLines(text())) };
  }
  if (/^\[\s*[[{"\d]/.test(start)) {
    throw new SheetProblem(
      `${name} is one JSON value. Write one object per line instead (with jq -c '.[]').`,
    );
  }
  const delimiter = delimiterOf(sample);
  return delimiter === null
    ? { kind: 'list', remarks, rows: () => counted(readList(text())) }
    : { kind: 'csv', remarks, rows: () => counted(readDelimited(text(), delimiter)) };
}

/** Yields the rows without empty ones, up to the maximum that one run looks up. */
async function* counted(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow> {
  let count = 0;
  for await (const row of rows) {
    if (row.problem === null && row.cells.every((cell) => cell.trim() === '')) continue;
    count += 1;
    if (count > MAX_ROWS + 1) {
      throw new SheetProblem(
        `The sheet has more than ${MAX_ROWS} rows. Split it into several files.`,
      );
    }
    yield row;
  }
}
