// Errors of the operating system and of the data folder as sentences that state what to do.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { StoreUnavailable } from '../../data/sql.ts';

/**
 * Returns the sentence for an error; its own message if nothing better is known. `folders` are the command's data folders.
 */
export function explainError(error: unknown, folders: readonly string[]): string {
  if (!(error instanceof Error)) return String(error);
  const said = systemProblem(error) ?? permissionProblemOf(error.cause);
  if (said !== null) return said;
  if (isOfFullDisk(error)) {
    const { message } = error;
    const why = message.includes('full') ? '' : ': the disk is full';
    return `${message}${why}. Free some space and run the command again.`;
  }
  // SQLite reports "unable to open database file" or "attempt to write a readonly database" for a missing permission.
  const isOfData = error instanceof StoreUnavailable || isOfSqlite(error);
  return (isOfData ? dataProblem(folders) : null) ?? error.message;
}

/**
 * SQLite's codes for a full disk: the database, or the index of its log, could not grow. SQLite reports the second one as
 * an I/O error.
 */
const FULL: readonly unknown[] = [13, 4_874];

/**
 * Checks whether the disk is full: the opener's error states what could not be done, and the underlying database error why.
 */
function isOfFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreUnavailable && error.problem === 'full') return true;
  return ('errcode' in error && FULL.includes(error.errcode)) || isOfFullDisk(error.cause);
}

function isOfSqlite(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** `dest` is the new path, for what is copied or renamed. */
type SystemError = Error & { readonly code: string; readonly path: string; readonly dest?: string };

function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    'code' in error &&
    'path' in error &&
    typeof error.path === 'string' &&
    'syscall' in error
  );
}

function systemProblem(error: Error): string | null {
  // For a file that is already open, the error does not name it.
  if ('code' in error && error.code === 'ENOSPC' && !('path' in error)) {
    return 'The disk is full. Free some space and run the command again.';
  }
  if (!isSystemError(error)) return null;
  const { code, path, dest = path } = error;
  switch (code) {
    case 'ENOENT': {
      const folder = dirname(resolve(path));
      return existsSync(folder)
        ? `${path} does not exist.`
        : `The folder ${folder} does not exist.`;
    }
    case 'EISDIR':
      return `${path} is a folder. Specify a file.`;
    case 'ENOTDIR':
      return `A part of the path ${path} is a file. Specify a folder.`;
    case 'EEXIST':
      return `${dest} already exists. Choose another file.`;
    case 'ENOSPC':
      return `The disk of ${dest} is full. Free some space and run the command again.`;
    default:
      return permissionProblemOf(error);
  }
}

function permissionProblemOf(error: unknown): string | null {
  if (!isSystemError(error)) return null;
  if (error.code === 'EROFS') return readOnlyProblem(nearestExisting(resolve(error.path)));
  if (!['EACCES', 'EPERM'].includes(error.code)) return null;
  return (
    permissionProblem(error.path) ?? `No permission to use ${error.path}. Choose another location.`
  );
}

function dataProblem(folders: readonly string[]): string | null {
  const paths = folders.flatMap((folder) => [join(folder, 'openshelf.db'), folder]);
  return paths.map(permissionProblem).find((each) => each !== null) ?? null;
}

/** Returns who owns a file or folder that this process may not read or write, and what to do; null if it may do both. */
export function permissionProblem(path: string): string | null {
  const there = nearestExisting(resolve(path));
  const { uid } = statSync(there);
  const writing = refusalOf(there, constants.W_OK);
  const missing =
    refusalOf(there, constants.R_OK) === null ? (writing === null ? null : 'written') : 'read';
  if (missing === null) return null;
  if (missing === 'written' && writing === 'EROFS') return readOnlyProblem(there);
  const own = process.geteuid?.();
  const problem = `${there} cannot be ${missing}`;
  if (own === undefined || own === uid) {
    return `${problem}. Change its permissions, or choose another location.`;
  }
  return (
    `${problem}: it belongs to user ${uid}, and openshelf runs as user ${own}. ` +
    'Run openshelf as the owner, change the owner with chown, or choose another location.'
  );
}

/** Returns the sentence for a read-only file system. This is not about permissions: root may not write there either. */
function readOnlyProblem(path: string): string {
  return (
    `${path} cannot be written, because its file system is mounted read-only. Mount it for writing, or ` +
    'choose another location.'
  );
}

/** Returns the path itself, or the folder below which it would be created. */
export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Returns the system's error code; null if the access is allowed. */
function refusalOf(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : '';
  }
}
