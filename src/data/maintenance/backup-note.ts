// When the SQLite database was last backed up: a file next to it that `openshelf backup` writes and the service reads.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (folder: string): string => join(folder, 'last-backup');

/** Every user may read the note: the service may be another user than the one who makes backups. */
export function noteBackup(folder: string, atMs: number): void {
  writeFileSync(fileIn(folder), `${new Date(atMs).toISOString()}\n`, { mode: 0o644 });
}

/** Returns null if no backup was noted, or the note cannot be read. */
export function lastBackupMs(folder: string): number | null {
  try {
    return Date.parse(readFileSync(fileIn(folder), 'utf8').trim()) || null;
  } catch {
    return null;
  }
}
