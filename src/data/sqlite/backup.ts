// A backup of an SQLite database: a copy as of one moment, made while other processes read and write it.

import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs';

import { openSqliteFile } from './connection.ts';
import { lockFile } from '../file-lock.ts';
import { StoreUnavailable } from '../sql.ts';
import { findTakedowns, type Takedown } from '../takedowns.ts';
import { giveName, removeDatabase, syncFolder } from './whole-file.ts';

const BUSY_TIMEOUT_MS = 5_000;
const FULL = 13;

/** The list of takedowns in a copy; empty if the copy is older than the list. */
export function takedownsInFile(path: string): Promise<readonly Takedown[]> {
  const connection = openSqliteFile(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const there = connection.all("select name from sqlite_schema where name = 'takedowns'");
    const rows = there.length === 0 ? [] : connection.all('select * from takedowns');
    return findTakedowns({ all: () => Promise.resolve(rows) });
  } finally {
    connection.close();
  }
}

/**
 * Writes a complete and checked copy, which gets its name only once it is synced to disk. Throws if a file has that name,
 * if another process is writing it, or if there is nothing to copy. Returns its size in bytes.
 */
export function backupSqlite(path: string, copy: string): number {
  if (!existsSync(path)) throw new StoreUnavailable(`There is no data in ${path}.`);
  if (existsSync(copy))
    throw new StoreUnavailable(`${copy} already exists: choose another file name`);
  using _alone = lockFile(copy);
  const part = `${copy}.part`;
  removeDatabase(part);
  try {
    // Created first, so that only its owner may read it. `vacuum into` accepts an existing empty file.
    closeSync(openSync(part, 'wx', 0o600));
    const connection = openSqliteFile(path, {
      readOnly: true,
      busyTimeoutMs: BUSY_TIMEOUT_MS,
    });
    try {
      connection.all('vacuum into $1', [part]);
    } catch (error) {
      if (!isFull(error)) throw error;
      throw new StoreUnavailable(`the disk of ${copy} is full`, { problem: 'full', cause: error });
    } finally {
      connection.close();
    }
    check(part);
    const file = openSync(part, 'r+');
    fsyncSync(file);
    closeSync(file);
    giveName(part, copy);
    syncFolder(copy);
    return statSync(copy).size;
  } finally {
    removeDatabase(part);
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === FULL;
}

function check(path: string): void {
  const connection = openSqliteFile(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const [row] = connection.all('pragma integrity_check');
    const said = String(row?.['integrity_check']);
    if (said !== 'ok') throw new StoreUnavailable(`the copy is damaged: ${said}`);
  } finally {
    connection.close();
  }
}
