// Writes `dist`: everything the published package runs, and the files it reads.

import { cpSync, globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { writeBundle, type Bundled } from './bundle.ts';
import { licenceTexts } from './licences.ts';

const SOURCE = join(dirname(import.meta.dirname), 'src');

/** Writes it into an empty or not yet existing folder. */
export async function writeDist(target: string): Promise<Bundled & { readonly copied: number }> {
  const bundled = await writeBundle(SOURCE, target);
  writeFileSync(join(target, 'LICENCES.txt'), licenceTexts(bundled.packages));
  const copied = globSync('**/*.*', { cwd: SOURCE }).filter(
    (name) => !name.endsWith('.ts') && !name.endsWith('tsconfig.json'),
  );
  for (const name of copied) cpSync(join(SOURCE, name), join(target, name));
  return { ...bundled, copied: copied.length };
}
