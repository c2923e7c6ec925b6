// A backup of a SQLite database: a copy as it was at one moment, made while other processes read and write it.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';

import { openConnection } from './connection.ts';
import { StoreUnavailable } from '../sql.ts';
import { findTakedowns, type Takedown } from '../takedowns.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** The list of takedowns in a copy; empty in one that is older than the list. */
export function takedownsInFile(path: string): Promise<readonly Takedown[]> {
  const connection = openConnection(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const there = connection.all("select name from sqlite_schema where name = 'takedowns'");
    const rows = there.length === 0 ? [] : connection.all('select * from takedowns');
    return findTakedowns({ all: () => Promise.resolve(rows) });
  } finally {
    connection.close();
  }
}

/**
 * Writes a complete and checked copy; it has its name only when it is on the disk. Throws when there is a file of that
 * name, or nothing to copy. Returns its size in bytes.
 */
export function backupSqlite(path: string, copy: string): number {
  if (!existsSync(path)) throw new StoreUnavailable(`no data in ${path}`);
  if (existsSync(copy))
    throw new StoreUnavailable(`${copy} is there already: choose another file name`);
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  try {
    // Only its owner may read it. `vacuum into` fills a file that exists and is empty.
    closeSync(openSync(part, 'wx', 0o600));
    const connection = openConnection(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
    try {
      connection.all('vacuum into $1', [part]);
    } finally {
      connection.close();
    }
    check(part);
    const file = openSync(part, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(part, copy);
    return statSync(copy).size;
  } finally {
    rmSync(part, { force: true });
  }
}

function check(path: string): void {
  const connection = openConnection(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const [row] = connection.all('pragma integrity_check');
    const said = String(row?.['integrity_check']);
    if (said !== 'ok') throw new StoreUnavailable(`the copy is damaged: ${said}`);
  } finally {
    connection.close();
  }
}
