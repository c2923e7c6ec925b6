// A database file as a whole: created, checked before it is opened, locked for one process, and readable only by its owner.

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { openSqliteFile, type SqliteConnection } from './connection.ts';
import { StoreUnavailable } from '../sql.ts';

const HEADER = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/**
 * A commit writes each changed page whole, and a lookup changes a few bytes of many: storing a product of seven shops wrote 870 KB
 * with pages of 4,096 bytes, 440 with 2,048, 240 with 1,024. Reading it takes 39 µs instead of 25, of 600 to 750 for such a call.
 */
const PAGE_BYTES = 1_024;
const BUSY_TIMEOUT_MS = 1_000;
const BUSY = 5;

/** Files that SQLite keeps next to a database. */
export const COMPANIONS = ['-wal', '-shm'] as const;

/**
 * Creates a database with the content that `statement` creates; another process may do the same at the same time. The file gets
 * its name only once it is complete, so an empty file is never one of ours. Only its owner may read it and what SQLite puts
 * next to it.
 */
export function makeDatabaseFile(path: string, statement: string): void {
  if (existsSync(path)) return;
  const part = `${path}.${process.pid}.part`;
  // A process killed here may have left one: in a container each process has the same id.
  removeDatabase(part);
  try {
    closeSync(openSync(part, 'wx', 0o600));
    const connection = openSqliteFile(part, {
      readOnly: false,
      busyTimeoutMs: BUSY_TIMEOUT_MS,
    });
    try {
      connection.db.exec(
        `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; ${statement}`,
      );
    } finally {
      connection.close();
    }
    giveName(part, path);
    syncFolder(path);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere || !existsSync(path)) throw error;
  } finally {
    removeDatabase(part);
  }
}

/** Removes the database with everything that SQLite has put next to it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', ...COMPANIONS, '-journal']) rmSync(path + suffix, { force: true });
}

/** Gives a file a second name; throws EEXIST if that exists. On a file system without links the file is renamed. */
export function giveName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    renameSync(file, name);
  }
}

/** Syncs the folder: a name is only durable once its folder is synced. */
export function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const HOW_TO_GO_ON =
  'Restore a backup (openshelf restore), or move the file away to start with an empty service.';

/**
 * Throws StoreUnavailable for a file that a starting service would silently replace: empty, truncated, or not a database; and
 * for a log whose database is gone. Does nothing if there is no file at all.
 */
export function refuseBrokenFile(path: string): void {
  if (!existsSync(path)) {
    if (!hasLog(path)) return;
    throw new StoreUnavailable(
      `${path} is missing, but its log ${path}-wal is still there. Put the database back; or restore a backup, ` +
        'or move the log away to start with an empty service.',
    );
  }
  const problem = problemOf(path);
  if (problem !== null) throw new StoreUnavailable(`${path} ${problem}. ${HOW_TO_GO_ON}`);
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function problemOf(path: string): string | null {
  const { size } = statSync(path);
  if (size === 0) return 'is empty (0 bytes)';
  const head = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1', 0, HEADER.length) !== HEADER) return 'is not an SQLite database';
  const encodedSize = head.readUInt16BE(16);
  const pageBytes = encodedSize === 1 ? 65_536 : encodedSize;
  // The page count is only valid if the same program wrote both fields. The log may contain pages that the file lacks.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92);
  const pages = isCounted ? head.readUInt32BE(28) : 1;
  if (size >= pages * pageBytes || hasLog(path)) return null;
  return `is cut off: ${size} of ${pages * pageBytes} bytes are there`;
}

/** Removes other users' permissions on the files of a database, if the files belong to this user. */
export function keepToOwner(path: string): void {
  for (const each of ['', ...COMPANIONS].map((suffix) => path + suffix)) {
    const found = statSync(each, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || (found.mode & 0o077) === 0) continue;
    if (found.uid === process.geteuid?.()) chmodSync(each, found.mode & 0o700);
  }
}

/**
 * Opens the only connection to the file, in this or any other process. In exclusive mode the first transaction needs the file
 * alone, and keeps it until the connection is closed. Throws StoreUnavailable.
 */
export function openAlone(path: string): SqliteConnection {
  let connection: SqliteConnection | null = null;
  try {
    connection = openSqliteFile(path, { readOnly: false, busyTimeoutMs: BUSY_TIMEOUT_MS });
    connection.db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    return connection;
  } catch (error) {
    connection?.close();
    const why = isInUse(error)
      ? 'another process has it open: stop the service and every command that uses it'
      : String(error);
    throw new StoreUnavailable(`${path}: ${why}`, { cause: error });
  }
}

/** The lock file of the service that uses a database. */
export const serviceFileOf = (path: string): string => `${path}.service`;

/**
 * Keeps other services off the database until it is closed; commands may still use it. It keeps a file next to the database
 * open exclusively. The system releases that when the process ends, for whatever reason, also across containers. Throws
 * StoreUnavailable.
 */
export function openForService(path: string): SqliteConnection {
  const lock = serviceFileOf(path);
  closeSync(openSync(lock, 'a', 0o600));
  try {
    return openAlone(lock);
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new StoreUnavailable(
      `Another service uses ${path}, and an SQLite database belongs to one service. Stop that one, choose ` +
        'another folder (--data), or run several on PostgreSQL (DATABASE_URL).',
      { cause: error },
    );
  }
}

/** Whether exclusive opening failed because another process has the file open. */
export function isInUse(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return (error.errcode & 0xff) === BUSY;
  return error.cause !== undefined && isInUse(error.cause);
}
