// Runs all test files of one folder in one process, one after the other. A process of its own for each file would spend
// 2.4 s of CPU on importing the service, more than most of the files take to run (measured, 26 of 78 files).

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * The parts of `errors.test.ts` are the files in `errors/`. Each starts a service of its own and stops it when it ends;
 * `node --test tests/contract/errors/404.ts` runs one alone.
 */
export function runParts(runner: string): void {
  const folder = runner.replace(/\.test\.ts$/, '');
  for (const name of globSync('*.ts', { cwd: folder }).sort()) {
    describe(name, async () => {
      await import(pathToFileURL(join(folder, name)).href);
    });
  }
}
