// The lines of a dump, each a JSON text: the header; for each table its name and
// columns, a line for each row, and the row count with their SHA-256; and a last line without which the file is incomplete.

import type { SqlValue } from '../sql.ts';
import { checkedValue } from '../statement-values.ts';
import { presentedTakedowns, takedownEntry } from './takedown-file.ts';
import type { Takedown } from '../takedowns.ts';

const DUMP_FORMAT = 'openshelf-dump';
/**
 * Incremented when an earlier program could not read the file, or would misread it. Format 1 numbered schemas differently.
 */
const DUMP_FORMAT_VERSION = 2;
/** The schema of format 1 dumps, whose tables are the same as in this program's first schema. */
const SCHEMA_OF_FORMAT_1 = 26;
/** Maximum bytes of a line, including its end. Longer rows are not dumped, so that a damaged file cannot exhaust memory. */
export const MAX_LINE_BYTES = 268_435_456;

/** Thrown if the file cannot be loaded, with the reason. */
export class DumpRefused extends Error {
  override readonly name = 'DumpRefused';
}

export type DumpHeader = {
  /** The program version that wrote it. */
  readonly program: string;
  /** In this program's numbering, regardless of the file's format. */
  readonly schemaVersion: number;
  readonly database: 'sqlite' | 'postgres';
  /** The moment the data was read, in milliseconds since 1970. */
  readonly madeAtMs: number;
  /** Rows of all tables, for a progress bar. */
  readonly rows: number;
  /** Takedowns listed in the data folder, which the tables may lack. */
  readonly takedowns: readonly Takedown[];
};

type TableOpening = { readonly table: string; readonly columns: readonly string[] };

export type TableClosing = {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over the lines of its rows, including line feeds, in key order; hexadecimal. */
  readonly sha256: string;
};

type DumpEnd = { readonly tables: number; readonly rows: number };

export function headerText(header: DumpHeader): string {
  const { program, schemaVersion, database, madeAtMs, rows, takedowns } = header;
  return line({
    format: DUMP_FORMAT,
    format_version: DUMP_FORMAT_VERSION,
    program,
    schema_version: schemaVersion,
    database,
    made_at: new Date(madeAtMs).toISOString(),
    rows,
    takedowns: presentedTakedowns(takedowns),
  });
}

export function openingText({ table, columns }: TableOpening): string {
  return line({ table, columns });
}

export function closingText({ table, rows, sha256 }: TableClosing): string {
  return line({ table, rows, sha256 });
}

export function endText({ tables, rows }: DumpEnd): string {
  return line({ end: DUMP_FORMAT, tables, rows });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Serializes a row's values in column order. Equal content gives equal text on both databases: numbers are written in the
 * shortest form that reads back exactly, minus zero as 0, and texts as they are. Throws for values that cannot be stored.
 */
export function rowText(values: readonly SqlValue[]): string {
  values.forEach(carried);
  return line(values);
}

/** Throws for values that one of the databases cannot store, or that a JavaScript number cannot represent. */
function carried(value: unknown, at: number): SqlValue {
  const checked = checkedValue(value, at);
  if (typeof checked !== 'string' || checked.isWellFormed()) return checked;
  throw new TypeError(`value ${at + 1} contains half of a surrogate pair`);
}

/** Parses the first line. Throws DumpRefused if the file is not a dump, or was written by a newer program. */
export function dumpHeaderIn(text: string): DumpHeader {
  const value = objectIn(text);
  if (value === null || value['format'] !== DUMP_FORMAT) {
    throw new DumpRefused('is not a file that openshelf dump wrote');
  }
  const { format_version: format, schema_version: schema, database, rows } = value;
  const program = versionIn(value['program']);
  if (isCount(format) && format > DUMP_FORMAT_VERSION) {
    throw new DumpRefused(
      `is of format ${format}, written by openshelf ${program}; this program reads up to ${DUMP_FORMAT_VERSION}: ` +
        'load it with the newer program',
    );
  }
  const madeAtMs = Date.parse(String(value['made_at']));
  const takedowns = Array.isArray(value['takedowns'])
    ? value['takedowns'].map(takedownEntry)
    : [null];
  if (
    !isCount(format) ||
    !isCount(schema) ||
    (database !== 'sqlite' && database !== 'postgres') ||
    !isCount(rows) ||
    Number.isNaN(madeAtMs) ||
    !takedowns.every((entry) => entry !== null)
  ) {
    throw new DumpRefused('has a first line that is damaged');
  }
  return { program, schemaVersion: schemaOf(format, schema), database, madeAtMs, rows, takedowns };
}

/** 0 means older than the first schema of this program. */
function schemaOf(format: number, schema: number): number {
  if (format === DUMP_FORMAT_VERSION) return schema;
  return schema === SCHEMA_OF_FORMAT_1 ? 1 : 0;
}

/** Parses a line that is not a row; null if it is none of these. */
export function dumpMarkIn(text: string): TableOpening | TableClosing | DumpEnd | null {
  const value = objectIn(text);
  if (value === null) return null;
  const { table, columns, rows, sha256, tables, end } = value;
  if (typeof table === 'string' && isTexts(columns)) return { table, columns };
  if (!isCount(rows)) return null;
  if (typeof table === 'string' && typeof sha256 === 'string') return { table, rows, sha256 };
  return end === DUMP_FORMAT && isCount(tables) ? { tables, rows } : null;
}

/** Parses the values of a row. Throws if the line is not a row. */
export function dumpRowIn(text: string, columns: number): readonly SqlValue[] {
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values)) throw new TypeError('it is not a list of values');
  if (values.length !== columns) {
    throw new TypeError(`it has ${values.length} values, and the table ${columns} columns`);
  }
  return values.map(carried);
}

/** Makes a version safe to show in a message: the file is untrusted. */
function versionIn(value: unknown): string {
  return typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value)
    ? value
    : 'of an unknown version';
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    // SAFETY: an object that JSON made has text keys.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
