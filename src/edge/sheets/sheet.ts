// A file of identifiers as rows, in any format: CSV, TSV and similar, XLSX, JSON lines, a plain list. Its first bytes
// determine the format; its name is used only if they are ambiguous. Memory use is constant, because rows are read as they
// are used.

import { createHash } from 'node:crypto';

import { dialectOf } from './delimiter.ts';
import { createEncodingProbe, decoded, type Encoding } from './encoding.ts';
import { foreignFormat, startsWith } from './foreign-format.ts';
import { readDelimited, readJsonLines, readList } from './read-text.ts';
import { MAX_ROWS, SheetProblem, type SheetRow } from './sheet-row.ts';
import { openWorkbook, OWN_FILE, type UnpackedLimits, type WorkbookTab } from './workbook.ts';

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
  /** Name of the sheet of a workbook that is read; null for other files. */
  readonly tab: string | null;
  /** The sheets of the workbook, in tab order, without charts. */
  readonly tabs: readonly WorkbookTab[];
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
  if (isArchive(head)) {
    const tabs = await openWorkbook(await wholeOf(source, size), limits);
    return tabOf({ kind: 'xlsx', digest, tabs }, tabNamed(tabs, sheet), sheet !== null);
  }
  if (sheet !== null) throw new SheetProblem('Only a workbook (.xlsx) has sheets with names.');
  if (size > MAX_TEXT_BYTES) {
    throw new SheetProblem(`${source.name} is larger than ${MAX_TEXT_BYTES / MIB} MiB. Split it.`);
  }
  return { digest, tab: null, tabs: [], which: null, ...openText(source, head, encoding) };
}

/** Something may precede an archive, such as the headers of an upload that was saved with it. */
function isArchive(head: Uint8Array): boolean {
  return Buffer.from(head).includes('PK\x03\x04', 0, 'latin1') || startsWith(head, 'PK\x05\x06');
}

/** Returns the sheet of this name, as Excel compares names; without a name, the first one that is not hidden. */
function tabNamed(tabs: readonly WorkbookTab[], name: string | null): WorkbookTab {
  const lower = name?.toLowerCase();
  const found =
    name === null
      ? tabs.find(({ isHidden }) => !isHidden)
      : (tabs.find((tab) => tab.name === name) ??
        tabs.find((tab) => tab.name.toLowerCase() === lower));
  if (found !== undefined) return found;
  throw name === null
    ? new SheetProblem(
        `All sheets of this workbook are hidden: ${listed(tabs)}. Show the one with the products.`,
      )
    : new SheetProblem(`This workbook has no sheet "${name}". It has ${listed(tabs)}.`);
}

/** Returns the sheet with the rows of another tab of its workbook. */
export function otherTab(sheet: Sheet, tab: WorkbookTab): Sheet {
  return { ...tabOf(sheet, tab, false), remarks: sheet.remarks };
}

function tabOf(
  { kind, digest, tabs }: Pick<Sheet, 'kind' | 'digest' | 'tabs'>,
  tab: WorkbookTab,
  isNamed: boolean,
): Sheet {
  const which =
    isNamed || tabs.length < 2
      ? null
      : `The workbook has ${tabs.length} sheets, ${listed(tabs)}; "${tab.name}" is read.`;
  const remarks = tab.isHidden ? [`The sheet "${tab.name}" is hidden in the workbook.`] : [];
  return { kind, digest, tab: tab.name, tabs, remarks, which, rows: () => counted(tab.rows()) };
}

const MOST_NAMES = 20;

function listed(tabs: readonly WorkbookTab[]): string {
  const shown = tabs
    .slice(0, MOST_NAMES)
    .map(({ name, isHidden }) => (isHidden ? `"${name}" (hidden)` : `"${name}"`));
  return `${shown.join(', ')}${tabs.length > MOST_NAMES ? ' …' : ''}`;
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
): Pick<Sheet, 'kind' | 'remarks' | 'rows'> {
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
  const dialect = dialectOf(sample);
  return dialect === null
    ? { kind: 'list', remarks, rows: () => counted(readList(text())) }
    : { kind: 'csv', remarks, rows: () => counted(readDelimited(text(), dialect)) };
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
