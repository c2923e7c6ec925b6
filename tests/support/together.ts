// Test files that share a process, one after the other. Alone, each file pays 1 to 1.8 s of processor time until its first
// service answers: the service is loaded, its threads are started, and nothing is compiled.

import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Each file is a suite of its own, named by its path below `folder`: what it opens before its tests is closed after them. */
export function runTogether(folder: string, names: readonly string[]): void {
  for (const name of names) {
    describe(name, async () => {
      await import(pathToFileURL(join(folder, name)).href);
    });
  }
}
