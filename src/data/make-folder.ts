// Creates folders for this service's data, and removes files left in them by killed processes.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { HOUR_MS } from '../base/clock.ts';

/**
 * Creates a folder, and missing parents, accessible only to this user. It creates one level at a time, because below /proc
 * Node's recursive mode never returns. Throws the system's error, such as EEXIST if a file has the name.
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

/** Whether the folder exists, created earlier or by another process at the same moment. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Files that are renamed once complete: the database, its list of takedowns, the keys. A process writes one in
 * less than a second, under its own process id.
 */
const DRAFT =
  /^(?:openshelf\.db\.\d+\.part(?:-wal|-shm|-journal)?|takedowns\.json\.\d+\.part|(?:secrets|identity)\.key\.\d+)$/;

/** Removes drafts left by killed processes. Their age decides, because another process may now have the id. */
export function removeOldDrafts(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!DRAFT.test(name)) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < nowMs - HOUR_MS) rmSync(path, { force: true });
  }
}
