// Runs at prepack: makes `dist`, the JavaScript of the published package. Needed because Node strips no
// types below node_modules. A checkout never uses what this makes.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const SOURCE = join(ROOT, 'src');
const TARGET = join(ROOT, 'dist');

/** Such a name would point to nothing in the installed package; imports were rewritten by the compiler. */
const LEFT_OVER = /['"`]\.{1,2}\/[^'"`\s]+\.ts['"`]/;

rmSync(TARGET, { recursive: true, force: true });
compile();
const emitted = globSync('**/*.js', { cwd: TARGET });
for (const name of emitted) assertComplete(join(TARGET, name));
const copied = globSync('**/*.*', { cwd: SOURCE }).filter(
  (name) => !name.endsWith('.ts') && !name.endsWith('tsconfig.json'),
);
for (const name of copied) cpSync(join(SOURCE, name), join(TARGET, name));
console.error(`dist: ${emitted.length} modules, ${copied.length} other files`);

function compile(): void {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(manifest), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    // npm pack --json prints its own JSON on stdout.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}

function assertComplete(path: string): void {
  const left = LEFT_OVER.exec(readFileSync(path, 'utf8'));
  if (left === null) return;
  console.error(`${path}: ${left[0]} names a TypeScript file, which the package does not hold`);
  process.exit(1);
}
