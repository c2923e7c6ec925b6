// Who works on a file that takes its time: the journal of a run, a backup, a restore, an export. One process at a time, which the
// file FILE.lock names: two would write over each other's bytes. That of a process that was killed is taken over.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Paths that this process holds: in a container the process before it may have had the same number. */
const held = new Set<string>();

/** Until it is disposed nobody else works on the file. Throws where somebody does. */
export function lockFile(path: string): Disposable {
  const lock = `${path}.lock`;
  if (!taken(lock)) {
    if (isAtWork(lock)) {
      throw new Error(
        `Another openshelf works on ${path}. Wait for it, or name another file; where none runs, delete ${lock}.`,
      );
    }
    rmSync(lock, { force: true });
    if (!taken(lock)) throw new Error(`Another openshelf works on ${path}. Wait for it.`);
  }
  held.add(lock);
  return {
    [Symbol.dispose]() {
      held.delete(lock);
      rmSync(lock, { force: true });
    },
  };
}

/** False: there is one already. */
function taken(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Made, and not written: the disk is full.
    rmSync(lock, { force: true });
    throw error;
  }
}

function isAtWork(lock: string): boolean {
  const pid = Number(readFileSync(lock, 'utf8').trim());
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
