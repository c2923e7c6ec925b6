// Where the tests write: in memory, where the machine has room there. What a killed process wrote is kept there as it is on a
// disk; only a machine that loses its power would distinguish the two, and no test is about that.

import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from './support/temporary-folder.ts';

const IN_MEMORY = '/dev/shm';
/** Several times what all tests hold at once: installed packages, a PostgreSQL and its databases. */
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * A folder of the system that is memory, with room for all tests, in which programs may be started; null: there is none. A
 * commit waits 7.4 ms for a disk and 0.2 ms there, and a database is made and dropped with 35 ms of processor time instead of 60.
 */
export function memoryFolder(
  path: string = IN_MEMORY,
  enough: number = ENOUGH_BYTES,
): string | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    if (Math.min(bavail * bsize, process.availableMemory()) < enough) return null;
    return mayRun(path) ? path : null;
  } catch {
    // There is no such folder, or it is not for this user.
    return null;
  }
}

/** Containers often have it for data alone. */
function mayRun(path: string): boolean {
  using folder = temporaryFolder(path);
  const program = join(folder.path, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}
