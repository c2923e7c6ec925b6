// Runs all test files of one folder in one process.

import { globSync } from 'node:fs';

import { runTogether } from '../../support/together.ts';

/**
 * The parts of `errors.test.ts` are the files in `errors/`. Each starts its own service and stops it at its end; `node
 * --test tests/contract/errors/404.ts` runs one alone.
 */
export function runParts(runner: string): void {
  const folder = runner.replace(/\.test\.ts$/, '');
  runTogether(folder, globSync('*.ts', { cwd: folder }).sort());
}
