// The list of takedowns as a file, in the data folder and next to each backup, so that a takedown outlives its database.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { makePrivateFolder } from '../make-folder.ts';
import { StoreUnavailable } from '../sql.ts';
import { joinedTakedowns, type Takedown } from '../takedowns.ts';

/** Returns the file's path next to the tables. */
export function takedownFileIn(folder: string): string {
  return join(folder, 'takedowns.json');
}

/** Returns the file's path next to a backup. */
export function takedownFileOf(backup: string): string {
  return `${backup}.takedowns.json`;
}

/**
 * Reads the entries of the file; empty if there is none. Throws if it cannot be read, because a takedown must not be lost
 * silently.
 */
export function readTakedownFile(path: string): readonly Takedown[] {
  if (!existsSync(path)) return [];
  const entries = entriesIn(readFileSync(path, 'utf8'));
  if (entries !== null) return entries;
  throw new StoreUnavailable(
    `${path} is not a list of takedowns. Repair it or replace it with a copy; without it, taken-down hosts ` +
      'might be contacted again.',
  );
}

function entriesIn(text: string): readonly Takedown[] | null {
  try {
    const { takedowns } = JSON.parse(text) as { readonly takedowns: readonly unknown[] };
    const entries = takedowns.map(takedownEntry);
    return entries.every((entry) => entry !== null) ? entries : null;
  } catch {
    return null;
  }
}

/** Parses an entry written by `presentedTakedowns`; null for anything else. */
export function takedownEntry(value: unknown): Takedown | null {
  if (typeof value !== 'object' || value === null) return null;
  const { host, taken_down_at: taken, undone_at: undone } = value as Record<string, unknown>;
  if (typeof host !== 'string' || host === '' || typeof taken !== 'string') return null;
  const takenDownAtMs = Date.parse(taken);
  const undoneAtMs = typeof undone === 'string' ? Date.parse(undone) : null;
  if (Number.isNaN(takenDownAtMs) || Number.isNaN(undoneAtMs)) return null;
  return { host, takenDownAtMs, undoneAtMs };
}

/** Formats the list for display and for the file. */
export function presentedTakedowns(entries: readonly Takedown[]) {
  return entries.map(({ host, takenDownAtMs, undoneAtMs }) => ({
    host,
    taken_down_at: new Date(takenDownAtMs).toISOString(),
    undone_at: undoneAtMs === null ? null : new Date(undoneAtMs).toISOString(),
  }));
}

/**
 * Adds entries to the file. It is created with the first entry and never shortened; it is synced to disk before this returns.
 * Throws like `readTakedownFile`.
 */
export function addToTakedownFile(path: string, entries: readonly Takedown[]): void {
  const stored = readTakedownFile(path);
  const joined = joinedTakedowns(stored, entries);
  const text = `${JSON.stringify({ takedowns: presentedTakedowns(joined) }, null, 2)}\n`;
  if (joined.length === 0 || (existsSync(path) && readFileSync(path, 'utf8') === text)) return;
  makePrivateFolder(dirname(path));
  const part = `${path}.${process.pid}.part`;
  try {
    const file = openSync(part, 'w', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}
