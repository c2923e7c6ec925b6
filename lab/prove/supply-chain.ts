// Promise 14: a small supply chain. Few packages, each locked by its content and justified, none of which runs an install
// script or has native code; and the service starts without a network.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { lastJson, runProgram, serveProgram } from '../../tests/support/program.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
const NATIVE = ['**/*.node', '**/binding.gyp'];

type Package = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
};

export const supplyChain: Proof = {
  name: 'supply-chain',
  promise: 14,
  says: 'The supply chain is small, runs no scripts and has no native code.',
  run: async () => {
    const problems = createProblems();
    const manifest = json('package.json') as Package;
    const lock = json('package-lock.json') as {
      readonly packages: Readonly<Record<string, Package>>;
    };
    const direct = Object.keys(manifest.dependencies ?? {});
    const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
    for (const name of direct) {
      problems.check(
        page.includes(`\`${name}\``),
        `${name} is not justified in docs/dependencies.md`,
      );
    }
    const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
    for (const [path, { integrity, hasInstallScript }] of locked) {
      problems.check(
        integrity?.startsWith('sha512-') === true,
        `${path} is not locked by its content`,
      );
      problems.check(hasInstallScript !== true, `${path} runs a script at install`);
    }
    const running = locked.filter(([, { dev, devOptional, optional }]) => {
      return dev !== true && devOptional !== true && optional !== true;
    });
    const native = running.flatMap(([path]) => checkInstalled(path, problems));
    const network = await startsOffline(problems);
    return problems.result([
      `${direct.length} direct runtime dependencies, ${running.length} packages with theirs: ${direct.join(', ')}`,
      `${locked.length} locked packages, development included: ${native.length} native builds among those at run time, 0 install scripts unless said`,
      network,
    ]);
  },
};

function json(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** Checks the package as installed; returns its native files. */
function checkInstalled(path: string, problems: Problems): readonly string[] {
  const at = join(ROOT, path);
  if (!existsSync(at)) {
    problems.note(`${path} is not installed: run npm ci`);
    return [];
  }
  const { scripts = {} } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Package;
  // Scripts that a package runs before publishing are in its file too, under `prepare`; npm does not run them here.
  const ran = INSTALL_SCRIPTS.filter((name) => name !== 'prepare' && scripts[name] !== undefined);
  problems.check(ran.length === 0, `${path} has the script ${ran.join(', ')}`);
  const native = globSync(NATIVE, { cwd: at, exclude: ['**/node_modules/**'] });
  problems.check(native.length === 0, `${path} has native code: ${native.join(', ')}`);
  return native;
}

/**
 * Starts in a separate network namespace with only loopback, if the machine can create one; otherwise without a name
 * server.
 */
async function startsOffline(problems: Problems): Promise<string> {
  using folder = temporaryFolder();
  const made = await runProgram(['keys', 'create', '--org', 'o', '--data', folder.path, '--json']);
  problems.check(typeof lastJson(made) === 'object', 'no key without a network');
  const apart = spawnSync('unshare', ['-rn', 'true']).status === 0;
  if (!apart) {
    const env = { OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
    const running = await serveProgram(['--port', '0', '--data', folder.path], env);
    const ready = await fetch(`${running.url}/readyz`);
    problems.check(ready.status === 200, `/readyz says ${ready.status} without a name server`);
    await running.stop('SIGTERM');
    return 'started without a name server: ready (this machine makes no network of its own for a process)';
  }
  const script = fileURLToPath(new URL('./offline-child.ts', import.meta.url));
  const done = spawnSync(
    'unshare',
    [
      '-rn',
      'sh',
      '-c',
      'ip link set lo up 2>/dev/null; exec "$0" "$1" "$2"',
      process.execPath,
      script,
      folder.path,
    ],
    { encoding: 'utf8' },
  );
  problems.check(
    done.stdout.trim() === '200',
    `without a network: ${done.stdout}${done.stderr.slice(0, 300)}`,
  );
  return `started in a network without a way out: /readyz ${done.stdout.trim()}`;
}
