// Fills an empty database from the lines of a dump, in one transaction. Before the commit, everything written is read back and
// compared with the file, and the data of hosts that are taken down is deleted.

import { createHash } from 'node:crypto';

import { messageOf } from '../../base/fault.ts';
import type { Slug } from '../../base/retailer.ts';
import { EVERYTHING, reviseSubjects } from '../answers/revisions.ts';
import { newestVersion, rowChangesSince } from '../migrate.ts';
import type { Row } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';
import type { Takedown } from '../takedowns.ts';
import { applyTakedowns } from './apply-takedowns.ts';
import type { LoadTarget } from './dump-ends.ts';
import {
  DumpRefused,
  dumpHeaderIn,
  dumpMarkIn,
  dumpRowIn,
  type DumpHeader,
  type TableClosing,
} from './dump-format.ts';
import { DUMPED_TABLES, wholeRowOf, wholeTableOf } from './dump-tables.ts';
import { numbersGoOn } from './move-progress.ts';
import { countRows, insertRows } from './table-rows.ts';
import { TABLES, type TableDefinition } from './tables.ts';
import { closingOf, type DumpWatch } from './write-dump.ts';

/** The lines of a file, without line endings. */
type DumpLines = AsyncIterator<string>;

type LoadParts = {
  /** Takedowns known to the new installation. */
  readonly takedowns: readonly Takedown[];
  readonly retailersAt: (host: string) => readonly Slug[];
  /** Called once, before the commit, with the data loaded and every known takedown. */
  readonly settle: (target: LoadTarget, takedowns: readonly Takedown[]) => Promise<void>;
};

export type LoadReport = {
  readonly rows: number;
  readonly tables: readonly TableClosing[];
  /** Hosts whose loaded data was deleted because they are taken down. */
  readonly takenDown: readonly string[];
};

/** Reads the first line, before a database is opened. Rejects with DumpRefused if this program cannot load the file. */
export async function readDumpHeader(lines: DumpLines): Promise<DumpHeader> {
  const header = dumpHeaderIn((await nextLine(lines)) ?? '');
  const known = newestVersion();
  const { schemaVersion, program } = header;
  if (schemaVersion > 0 && schemaVersion <= known) return header;
  throw new DumpRefused(
    `has schema version ${schemaVersion}, written by openshelf ${program}, and this program ${known}: ` +
      `load it with ${schemaVersion < known ? 'the program that wrote it' : 'the newer program'}`,
  );
}

/**
 * Loads everything after the first line, and commits. Null if stopped; nothing is then loaded. Rejects with DumpRefused if the
 * file is damaged or incomplete, and with StoreUnavailable if the target is not empty.
 */
export async function loadDump(
  { header, lines }: { readonly header: DumpHeader; readonly lines: DumpLines },
  target: LoadTarget,
  parts: LoadParts & { readonly watch: DumpWatch },
): Promise<LoadReport | null> {
  const { watch } = parts;
  await refuseOtherData(target);
  // Doubled, because every row is written and then read back.
  watch.begun(2 * header.rows);
  const isOlder = header.schemaVersion < newestVersion();
  const loaded: LoadedTable[] = [];
  for (const table of DUMPED_TABLES) {
    const written = await requireOpening(lines, table, isOlder);
    const closing = await loadTable(lines, written, { target, watch });
    if (closing === null) return null;
    loaded.push({ closing, table: written });
  }
  const tables = loaded.map(({ closing }) => closing);
  const rows = tables.reduce((sum, each) => sum + each.rows, 0);
  await requireEnd(lines, rows);
  for (const { closing, table } of loaded) {
    if (!(await isStoredAs(closing, table, { target, watch }))) return null;
  }
  const changes = rowChangesSince(target.sql.dialect, header.schemaVersion);
  await target.sql.write(changes.map((text) => ({ text })));
  await continueNumbers(target);
  const given = [...header.takedowns, ...parts.takedowns];
  const { entries, applied } = await applyTakedowns(
    ownedSql(target),
    given,
    parts.retailersAt,
    true,
  );
  await parts.settle(target, entries);
  await target.commit();
  return { rows, tables, takenDown: applied };
}

async function refuseOtherData({ sql, name }: LoadTarget): Promise<void> {
  for (const table of TABLES) {
    const rows = await countRows(sql, table);
    if (rows === 0) continue;
    throw new StoreUnavailable(
      `${name} already contains data (${table.name}: ${rows}): a load needs an empty database or a new folder`,
    );
  }
}

/** A page has about this many characters, and at most this many rows. */
const PAGE_CHARACTERS = 1_000_000;
const PAGE_ROWS = 1_000;

/** A table that was loaded, with the columns that the file has of it. */
type LoadedTable = { readonly closing: TableClosing; readonly table: TableDefinition };

type Loading = { readonly target: LoadTarget; readonly watch: DumpWatch };

async function loadTable(
  lines: DumpLines,
  table: TableDefinition,
  { target, watch }: Loading,
): Promise<TableClosing | null> {
  const whole = wholeTableOf(table);
  const hash = createHash('sha256');
  let rows = 0;
  let page: Row[] = [];
  let characters = 0;
  const write = async () => {
    if (page.length === 0) return;
    await target.sql.write(insertRows(whole, page)).catch((error: unknown) => {
      throw ofRows(error, table.name, { from: rows - page.length + 1, to: rows });
    });
    watch.at(table.name, page.length);
    page = [];
    characters = 0;
  };
  for (;;) {
    if (watch.stop.aborted) return null;
    const text = await nextLine(lines);
    if (text === null) throw new DumpRefused(`is cut off: it ends in the table ${table.name}`);
    if (!text.startsWith('[')) {
      await write();
      const found = { table: table.name, rows, sha256: hash.digest('hex') };
      requireClosing(text, found);
      return found;
    }
    rows += 1;
    hash.update(text).update('\n');
    page.push(wholeRowOf(table, valuesIn(text, table, rows)));
    characters += text.length;
    if (page.length >= PAGE_ROWS || characters >= PAGE_CHARACTERS) await write();
  }
}

function valuesIn(text: string, { name, columns }: TableDefinition, row: number) {
  try {
    return dumpRowIn(text, columns.length);
  } catch (error) {
    throw new DumpRefused(`is damaged: row ${row} of ${name}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A duplicate row, or one that breaks another schema constraint, is the file's fault; a full disk is not. */
function ofRows(
  error: unknown,
  table: string,
  { from, to }: { readonly from: number; readonly to: number },
): unknown {
  if (error instanceof StoreUnavailable || isOfMachine(error)) return error;
  return new DumpRefused(
    `is damaged: rows ${from} to ${to} of ${table} cannot be stored: ${messageOf(error)}`,
    { cause: error },
  );
}

const CONSTRAINT = 19;

/** Whether SQLite failed for a reason other than a constraint. */
function isOfMachine(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) !== CONSTRAINT
  );
}

/** Returns the table with the columns of the file; one of an older schema has only those that were there. */
async function requireOpening(
  lines: DumpLines,
  table: TableDefinition,
  isOlder: boolean,
): Promise<TableDefinition> {
  const text = await nextLine(lines);
  if (text === null) throw new DumpRefused(`is cut off: the table ${table.name} is missing`);
  const mark = dumpMarkIn(text);
  if (mark === null || !('columns' in mark)) {
    throw new DumpRefused(`is damaged: the table ${table.name} does not begin where it should`);
  }
  if (mark.table !== table.name) {
    const isKnown = DUMPED_TABLES.some(({ name }) => name === mark.table);
    throw new DumpRefused(
      isKnown
        ? `is damaged: the table ${mark.table} is where ${table.name} should be`
        : `has a table that this program does not know: ${shown(mark.table)}`,
    );
  }
  const unknown = mark.columns.filter((column) => !table.columns.includes(column));
  if (unknown.length > 0) {
    throw new DumpRefused(
      `has a column that this program does not know: ${shown(unknown.join(', '))} of ${table.name}`,
    );
  }
  const columns = isOlder
    ? table.columns.filter((column) => mark.columns.includes(column))
    : table.columns;
  const isWhole = table.key.every((column) => columns.includes(column));
  if (mark.columns.join() !== columns.join() || !isWhole) {
    throw new DumpRefused(`lacks columns of ${table.name}, or has them in another order`);
  }
  return { ...table, columns };
}

function requireClosing(text: string, found: TableClosing): void {
  const mark = dumpMarkIn(text);
  if (mark === null || !('sha256' in mark) || mark.table !== found.table) {
    throw new DumpRefused(
      `is damaged: row ${found.rows} of ${found.table} is followed by another line`,
    );
  }
  if (mark.rows !== found.rows) {
    throw new DumpRefused(
      `is damaged: ${found.table} has ${found.rows} rows, and should have ${mark.rows}`,
    );
  }
  if (mark.sha256 !== found.sha256) {
    throw new DumpRefused(`is damaged: the rows of ${found.table} are not those that were written`);
  }
}

async function requireEnd(lines: DumpLines, rows: number): Promise<void> {
  const text = await nextLine(lines);
  if (text === null) throw new DumpRefused('is cut off: its last line is missing');
  const mark = dumpMarkIn(text);
  if (mark !== null && 'columns' in mark) {
    throw new DumpRefused(`has a table that this program does not know: ${shown(mark.table)}`);
  }
  if (
    mark === null ||
    !('tables' in mark) ||
    mark.tables !== DUMPED_TABLES.length ||
    mark.rows !== rows
  ) {
    throw new DumpRefused('is damaged: its last line does not match what precedes it');
  }
  if ((await nextLine(lines)) !== null) {
    throw new DumpRefused('is damaged: there is something after its last line');
  }
}

/** Makes a name safe to show in a message: the file is untrusted. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

async function nextLine(lines: DumpLines): Promise<string | null> {
  const next = await lines.next();
  return next.done === true ? null : next.value;
}

/** Compares the database with the totals in the file. Returns false if stopped. */
async function isStoredAs(
  closing: TableClosing,
  table: TableDefinition,
  { target, watch }: Loading,
): Promise<boolean> {
  const stored = await closingOf(target.sql, table, watch);
  if (stored === null) return false;
  if (stored.rows !== closing.rows || stored.sha256 !== closing.sha256) {
    throw new DumpRefused(
      `could not be loaded: the database does not return the rows of ${table.name} as they were written`,
    );
  }
  watch.ended(stored);
  return true;
}

/** Sets sequences, updates the server's statistics, and notifies processes that cache answers of the empty database. */
async function continueNumbers({ sql }: LoadTarget): Promise<void> {
  const names = TABLES.map(({ name }) => name).join(', ');
  const own =
    sql.dialect === 'postgres'
      ? [{ text: numbersGoOn('charge_batches', 'id') }, { text: `analyze ${names}` }]
      : [];
  await sql.write([...own, reviseSubjects([EVERYTHING])]);
}

/** Returns the target's connection with a dispose that does nothing: code that receives it must not close it. */
function ownedSql({ sql }: LoadTarget) {
  return { ...sql, [Symbol.asyncDispose]: () => Promise.resolve() };
}
