// Figures of the running process and its disk, and the file in which `openshelf backup` notes that it has succeeded.

import { readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

export type ProcessFigures = {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly upSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
};

/** Above this share the heap has little room left: a collection then comes too late for the calls that fill it. */
const FULL = 0.85;

/** Checks whether most of the heap available to this process is in use. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > FULL * limit;
}

/**
 * Returns the limit of the heap in megabytes, which Node derives from the memory of the machine, or of its container if that
 * has less: half of it up to 4 GB. Callers reduce sizes by it that suit a machine with enough memory.
 */
export function heapLimitMb(): number {
  return getHeapStatistics().heap_size_limit / 1_048_576;
}

export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1_000_000,
    upSeconds: process.uptime(),
    residentBytes: rss,
    heapBytes: heapUsed,
  };
}

/** Returns the space that a folder's disk has for unprivileged users. Throws if there is no such folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Returns the maximum files and sockets that this process may have open at once; null if the system is not Linux and does
 * not state it.
 */
export function mostOpenFiles(): number | null {
  try {
    const [, most] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? null : Number(most);
  } catch {
    return null;
  }
}

/**
 * Notes a backup. The service may be another user than the one who makes backups: no link of its is followed. On a full disk the
 * last note remains, and this throws.
 */
export function noteBackup(folder: string, atMs: number): void {
  const part = `${folder}/last-backup.part`;
  rmSync(part, { force: true });
  try {
    writeFileSync(part, `${new Date(atMs).toISOString()}\n`, { mode: 0o644, flag: 'wx' });
    renameSync(part, `${folder}/last-backup`);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Returns null if no backup was noted, or the note cannot be read. */
export function lastBackupMs(folder: string): number | null {
  try {
    return Date.parse(readFileSync(`${folder}/last-backup`, 'utf8').trim()) || null;
  } catch {
    return null;
  }
}
