// Runs at prepack: makes `dist`, the JavaScript of the published package. Needed because Node strips no
// types below node_modules. A checkout never uses what this makes.

import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { writeBundle } from './bundle.ts';
import { licenceTexts } from './licences.ts';

const ROOT = dirname(import.meta.dirname);
const SOURCE = join(ROOT, 'src');
const TARGET = join(ROOT, 'dist');

rmSync(TARGET, { recursive: true, force: true });
const { files, packages } = await writeBundle(SOURCE, TARGET);
writeFileSync(join(TARGET, 'LICENCES.txt'), licenceTexts(packages));
const copied = globSync('**/*.*', { cwd: SOURCE }).filter(
  (name) => !name.endsWith('.ts') && !name.endsWith('tsconfig.json'),
);
for (const name of copied) cpSync(join(SOURCE, name), join(TARGET, name));
// Not on stdout: `npm pack --json` prints its own JSON there.
console.error(
  `dist: ${files.length} modules, ${copied.length} other files, ${packages.length} packages within`,
);
