// Reads workbooks of Excel and similar programs (XLSX) as a stream.

import { messageOf } from '../../base/fault.ts';
import { once } from '../../base/once.ts';
import { readNumberFormats } from './number-formats.ts';
import { readCells, readTexts, type CellContext } from './sheet-cells.ts';
import { SheetProblem, type SheetRow } from './sheet-row.ts';
import { partName, tokensOfPart, workbookParts, type Archive } from './workbook-parts.ts';
import { zipEntries, type ZipEntry } from './zip-directory.ts';

const MIB = 1_048_576;
/** Maximum bytes of an unpacked workbook. */
export type UnpackedLimits = {
  readonly all: number;
  /** Maximum bytes of the text table, which takes up to twice its size in memory. Everything else is read piece by piece. */
  readonly texts: number;
};

/** Limits for a user's own file: a million rows of five columns have 250 MiB. */
export const OWN_FILE: UnpackedLimits = { all: 512 * MIB, texts: 64 * MIB };
/** Limits for an uploaded file of 4 MiB. */
export const SENT_FILE: UnpackedLimits = { all: 64 * MIB, texts: 16 * MIB };

export type WorkbookTab = {
  readonly name: string;
  readonly isHidden: boolean;
  /** Reads the rows from the beginning at each call. Throws a SheetProblem. */
  readonly rows: () => AsyncIterable<SheetRow>;
};

/**
 * Opens the tabs that show a worksheet, in their order. Throws a SheetProblem if the file is not a workbook, or would unpack
 * to more than is allowed.
 */
export async function openWorkbook(
  bytes: Uint8Array,
  limits: UnpackedLimits,
): Promise<readonly WorkbookTab[]> {
  const entries = zipEntries(bytes);
  if (entries === null) {
    throw new SheetProblem(
      'This .xlsx file is damaged or cut off: the list of its parts cannot be read. Save it again in your spreadsheet program.',
    );
  }
  refuseLarge('', entries, limits.all);
  const archive = {
    bytes,
    entries: new Map(entries.map((each) => [partName(each.name), each] as const)),
  };
  const parts = await orProblem(() => workbookParts(archive));
  if (parts === null || parts.tabs.length === 0) {
    throw new SheetProblem(
      'This is a zip archive, but not an Excel workbook (.xlsx) with a worksheet. Save the sheet as .xlsx or .csv.',
    );
  }
  const { texts, styles, startsIn1904 } = parts;
  if (texts !== null) refuseLarge(' its texts', [texts], limits.texts);
  const context = once(async () => ({
    texts: texts === null ? [] : await readTexts(tokensOfPart(archive, texts)),
    formats: styles === null ? [] : await readNumberFormats(tokensOfPart(archive, styles)),
    startsIn1904,
  }));
  return parts.tabs.map(({ name, isHidden, part }) => ({
    name,
    isHidden,
    rows: () => rowsOf(archive, part, context),
  }));
}

function refuseLarge(what: string, parts: readonly ZipEntry[], most: number): void {
  const unpackedSize = parts.reduce((sum, { size }) => sum + size, 0);
  if (unpackedSize <= most) return;
  throw new SheetProblem(
    `This .xlsx file would unpack${what} to ${Math.ceil(unpackedSize / MIB)} MiB; at most ${most / MIB} MiB are read. ` +
      'Save the sheet as CSV.',
  );
}

async function* rowsOf(
  archive: Archive,
  part: ZipEntry | null,
  context: () => Promise<CellContext>,
): AsyncGenerator<SheetRow> {
  if (part === null) throw new SheetProblem(CANNOT_BE_READ + 'a sheet that it lists is missing.');
  try {
    yield* readCells(tokensOfPart(archive, part), await context());
  } catch (error) {
    throw problemOf(error);
  }
}

const CANNOT_BE_READ = 'This .xlsx file cannot be read: ';

async function orProblem<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw problemOf(error);
  }
}

function problemOf(error: unknown): SheetProblem {
  return new SheetProblem(`${CANNOT_BE_READ}${messageOf(error)}.`);
}
