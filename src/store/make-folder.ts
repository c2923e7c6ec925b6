// Makes folders for data of this service, and takes out of them what killed processes have left.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { HOUR_MS } from '../core/clock.ts';

/**
 * Makes a folder and those above it that are missing, for this user alone. Level by level: below /proc the recursive way of
 * Node never returns. Throws the error of the system, as EEXIST where a file has the name.
 */
export function makePrivateFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  if (missing.length === 0) missing.push(resolve(path));
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (!isFolder(folder)) throw error;
    }
  }
}

/** Made before, or by another process in the same moment. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Files that have another name once they are whole: the database, its list of takedowns, the key of the channels. A process writes
 * one in less than a second, under its own number.
 */
const DRAFT =
  /^(?:openshelf\.db\.\d+\.part(?:-wal|-shm|-journal)?|takedowns\.json\.\d+\.part|secrets\.key\.\d+)$/;

/** Removes drafts of processes that were killed: a number may be another process's by now, so what counts is their age. */
export function removeOldDrafts(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!DRAFT.test(name)) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < nowMs - HOUR_MS) rmSync(path, { force: true });
  }
}
