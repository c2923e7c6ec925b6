// What `npm run check` runs, within a minute: types, lint, format and the quick tests. `--static` leaves the tests out.
// Every step runs, so that one call shows everything that is wrong; `npm test` runs all tests.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const TOOLS = join(ROOT, 'node_modules', '.bin');

type Step = { readonly name: string; readonly command: readonly [string, ...string[]] };

const STATIC: readonly Step[] = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of pages', command: ['tsc', '-p', 'console/tsconfig.json'] },
  { name: 'lint', command: ['oxlint', '--type-aware'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
];
const QUICK: Step = { name: 'quick tests', command: [process.execPath, 'tests/run.ts', '--quick'] };

const steps = process.argv.includes('--static') ? STATIC : [...STATIC, QUICK];
const results = steps.map(run);
console.log('');
for (const { name, seconds, ok } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${seconds.toFixed(1)} s`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function run({ name, command }: Step): { name: string; seconds: number; ok: boolean } {
  console.log(`\n== ${name}`);
  const [program, ...args] = command;
  const tool = join(TOOLS, program);
  const startedAt = performance.now();
  const { status, error } = spawnSync(existsSync(tool) ? tool : program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      OPENSHELF_TEST_DATABASE: 'sqlite',
      PATH: `${TOOLS}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  });
  if (error !== undefined) console.log(`${program}: ${error.message}`);
  return { name, seconds: (performance.now() - startedAt) / 1_000, ok: status === 0 };
}
