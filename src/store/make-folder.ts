// Makes folders for data of this service.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
