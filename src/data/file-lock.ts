// Locks a file that one process works on for a while: the journal of a run, a backup, a restore, an export. FILE.lock
// identifies the process, because two would overwrite each other's bytes. The lock of a killed process is taken over.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Paths locked by this process. A lock with its own process id may still belong to another one: in a container the previous
 * process may have had the same id.
 */
const held = new Set<string>();

/** How long a process may take to write its number into its lock. */
const WRITTEN_MS = 50;

/** Locks the file until the lock is disposed. Throws if another process is working on it. */
export function lockFile(path: string): Disposable {
  const lock = `${path}.lock`;
  if (!taken(lock)) {
    if (isAtWork(lock)) {
      throw new Error(
        `Another openshelf is using ${path}. Wait for it, or choose another file; if none is running, delete ${lock}.`,
      );
    }
    takeOver(path, lock);
  }
  held.add(lock);
  return {
    [Symbol.dispose]() {
      held.delete(lock);
      rmSync(lock, { force: true });
    },
  };
}

/** Of several processes one at a time does this, because another would remove the lock that the first has just made. */
function takeOver(path: string, lock: string): void {
  using _turn = lockFile(lock);
  // A lock without a number may be one that is being written.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITTEN_MS);
  if (!isAtWork(lock)) rmSync(lock, { force: true });
  if (!taken(lock)) throw new Error(`Another openshelf is using ${path}. Wait for it.`);
}

/** Makes the lock; false if there is one already. */
function taken(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // The lock was made but could not be written, because the disk is full.
    rmSync(lock, { force: true });
    throw error;
  }
}

function isAtWork(lock: string): boolean {
  // Its process may have finished meanwhile.
  const pid = existsSync(lock) ? Number(readFileSync(lock, 'utf8').trim()) : 0;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return held.has(lock);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
