// When the SQLite database was last backed up: a file next to it that `openshelf backup` writes, for the service's metrics.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isoTimestamp } from '../../base/clock.ts';

const FILE = 'last-backup';

/** Every user may read the file, because the service may be another user than the one that makes backups. */
export function noteBackup(folder: string, atMs: number): void {
  writeFileSync(join(folder, FILE), `${isoTimestamp(atMs)}\n`, { mode: 0o644 });
}

/** Returns null if no backup was noted, or the note cannot be read. */
export function lastBackupMs(folder: string): number | null {
  try {
    const atMs = Date.parse(readFileSync(join(folder, FILE), 'utf8').trim());
    return Number.isNaN(atMs) ? null : atMs;
  } catch {
    return null;
  }
}
