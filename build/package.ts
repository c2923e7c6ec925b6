// Makes the archive of the published package, `openshelf-VERSION.tgz`, in this folder: `npm run package`, with the options of
// `npm pack`. The package is JavaScript, because Node does not strip types below node_modules, and its manifest is without the
// packages that are bundled, which npm would install a second time. A plain `npm pack` runs this with `--dist` (prepack), which
// only emits the JavaScript: that package runs too, and installs more than it needs.

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { LEFT_ALONE } from './bundle.ts';
import { writeDist } from './write-dist.ts';

const ROOT = dirname(import.meta.dirname);
/** Of the names in `files`, the one that is made here. */
const MADE = 'dist';
/** Npm adds them to any package, but only from the folder that is packed. */
const ALWAYS = ['LICENSE', 'README.md'];

type Manifest = {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
};

if (process.argv.includes('--dist')) await emit();
else process.exitCode = await pack(process.argv.slice(2));

async function emit(): Promise<void> {
  rmSync(join(ROOT, MADE), { recursive: true, force: true });
  await writeDist(join(ROOT, MADE));
}

/** Returns the exit code of npm. */
async function pack(options: readonly string[]): Promise<number> {
  using scratch = temporaryFolder();
  const folder = scratch.path;
  await writeDist(join(folder, MADE));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  for (const name of [...manifest.files, ...ALWAYS]) {
    if (name === MADE || name.startsWith('!')) continue;
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published(manifest), null, 2));
  return (
    spawnSync('npm', ['pack', folder, ...options], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
  );
}

function published(manifest: Manifest): Manifest {
  const { scripts: _, devDependencies: _tools, private: _private, ...kept } = manifest;
  const installed = Object.entries(kept.dependencies).filter(([name]) => LEFT_ALONE.includes(name));
  return { ...kept, dependencies: Object.fromEntries(installed) };
}
