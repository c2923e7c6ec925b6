// Runs at prepack: builds `dist`, the JavaScript of the published package. Needed because Node does not strip types below
// node_modules. A checkout never uses the result.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { writeDist } from './write-dist.ts';

const TARGET = join(dirname(import.meta.dirname), 'dist');

rmSync(TARGET, { recursive: true, force: true });
const { files, packages, copied } = await writeDist(TARGET);
// Not on stdout: `npm pack --json` prints its own JSON there.
console.error(
  `dist: ${files.length} modules, ${copied} other files, ${packages.length} packages within`,
);
