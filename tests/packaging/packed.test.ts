// The published package: as `npm run package` makes it, installed globally into an empty folder, started with the
// Node of this machine. Slow (it installs a Node), so only CI and `npm test -- --all` run it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { describeWorld } from '../../sandbox/shops/description.ts';
import { createWorld } from '../../sandbox/world.ts';
import { SANDBOX_SEED } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const scratch = temporaryFolder();
const SCRATCH = scratch.path;
const PREFIX = join(SCRATCH, 'prefix');
const DATA = join(SCRATCH, 'data');
const CACHE = join(SCRATCH, 'cache');
const INSTALLED = join(PREFIX, 'lib', 'node_modules', 'openshelf');
const COMMAND = join(PREFIX, 'bin', 'openshelf');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

/**
 * As on a user's machine: no `node_modules/.bin` of ours on the PATH, no npm settings of this run, but the machine's
 * certificates.
 */
const ENV: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|OPENSHELF_|NODE_(?!EXTRA_CA_CERTS$))/.test(name),
    ),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(delimiter),
  XDG_CACHE_HOME: CACHE,
};

let packed: readonly string[] = [];

before(() => {
  const args = ['run', '--silent', 'package', '--', '--json', '--pack-destination', SCRATCH];
  const pack = npm(ROOT, args);
  const [made] = JSON.parse(pack) as { filename: string; files: { path: string }[] }[];
  assert.ok(made);
  packed = made.files.map((file) => file.path);
  const tarball = join(SCRATCH, made.filename);
  npm(SCRATCH, ['install', '--global', '--prefix', PREFIX, '--prefer-offline', tarball]);
});
after(() => scratch[Symbol.dispose]());

function npm(cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], {
    cwd,
    env: ENV,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

function openshelf(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(COMMAND, args, {
    cwd: SCRATCH,
    env: ENV,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd();
}

test('the package holds what runs and what explains it, and no sources or tests', () => {
  for (const path of [
    'bin/openshelf',
    'bin/openshelf.js',
    'dist/main.js',
    'assets/examples.json',
    'console/main.js',
    'LICENSE',
    'README.md',
    'package.json',
  ]) {
    assert.ok(packed.includes(path), `${path} is missing`);
  }
  // Thread programs, and files that are read next to the code, keep their paths.
  const threads = ['data/sqlite/writer', 'read/threads/reader', 'edge/runs/sheet'].map(
    (name) => `${name}-thread.js`,
  );
  const read = globSync('**/*.*', { cwd: join(ROOT, 'src') }).filter(
    (path) => !path.endsWith('.ts') && !path.endsWith('tsconfig.json'),
  );
  assert.ok(read.length > 2);
  for (const name of [...threads, ...read]) {
    assert.ok(packed.includes(`dist/${name}`), `dist/${name} is missing`);
  }
  for (const path of packed) {
    assert.doesNotMatch(path, /^(?:src|tests|lab|build|sandbox|data)\/|\.ts$/);
  }
});

test('the code of other packages comes with their licences', () => {
  const texts = readFileSync(join(INSTALLED, 'dist', 'LICENCES.txt'), 'utf8');
  for (const name of ['rou3', 'zod', 'undici', 'pg']) {
    assert.match(texts, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
  }
});

/** As npm installs them, without the Node that it brings: so many bytes. */
const OWN_BYTES = 20_000_000;

test('no package is both bundled and installed, and the whole without its Node stays small', () => {
  const licences = readFileSync(join(INSTALLED, 'dist', 'LICENCES.txt'), 'utf8');
  const bundled = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \([\w.-]+\)$/gm)];
  const twice = bundled.filter(([, name = '']) =>
    existsSync(join(INSTALLED, 'node_modules', name)),
  );
  assert.ok(bundled.length > 10);
  assert.deepEqual(twice, []);
  const bytes = globSync('**/*', { cwd: INSTALLED })
    .filter((path) => !path.startsWith('node_modules/node-'))
    .map((path) => statSync(join(INSTALLED, path)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
  assert.ok(bytes < OWN_BYTES, `${bytes} bytes`);
});

test('nothing that was installed with it runs a script or builds anything', () => {
  for (const path of globSync('**/package.json', { cwd: join(INSTALLED, 'node_modules') })) {
    const text = readFileSync(join(INSTALLED, 'node_modules', path), 'utf8');
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, string> };
    const isOwnPackage = /(?:^|\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path);
    if (!isOwnPackage || /\/(?:test|tests|fixtures)\//.test(path)) continue;
    assert.equal(scripts?.['install'] ?? scripts?.['postinstall'], undefined, path);
  }
  assert.deepEqual(globSync('**/binding.gyp', { cwd: join(INSTALLED, 'node_modules') }), []);
});

test('it says its version', () => {
  assert.match(openshelf('--version'), new RegExp(MANIFEST.version.replaceAll('.', '\\.')));
});

test('it runs for a user without a name and a home, as systemd and containers make them', () => {
  chmodSync(SCRATCH, 0o755);
  const { HOME: _home, XDG_CACHE_HOME: _cache, ...env } = ENV;
  // Only root can become somebody else.
  const user = process.getuid?.() === 0 ? { uid: 4242, gid: 4242 } : {};
  const { status, stderr } = spawnSync(COMMAND, ['--version'], {
    cwd: SCRATCH,
    env,
    encoding: 'utf8',
    ...user,
  });
  assert.equal(status, 0, stderr);
});

test('it identifies a barcode', () => {
  const candidates = JSON.parse(openshelf('identify', '036000291452', '--json')) as unknown[];
  assert.partialDeepStrictEqual(candidates[0], { kind: 'upc12', gtin14: '00036000291452' });
});

test('its compile cache is in the cache folder of the user', () => {
  openshelf('--version');
  assert.ok(readdirSync(join(CACHE, 'openshelf', 'compile-cache')).length > 0);
});

test('it serves a metered lookup from the simulated shops and stops on a signal', async () => {
  const created = JSON.parse(
    openshelf('keys', 'create', '--org', 'packed', '--data', DATA, '--json'),
  );
  const service = spawn(COMMAND, ['serve', '--sandbox', '--port', '0', '--data', DATA, '--json'], {
    cwd: SCRATCH,
    env: ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url } = JSON.parse(await firstLine(service)) as { url: string };
    const page = describeWorld(createWorld(SANDBOX_SEED), Date.now()).url.json_ld;
    const answer = await fetch(`${url}/v1/products/${encodeURIComponent(page)}`, {
      headers: { authorization: `Bearer ${(created as { key: string }).key}` },
    });
    const record = (await answer.json()) as { title: string; tokens_consumed: number };
    assert.equal(answer.status, 200, JSON.stringify(record));
    assert.equal(record.tokens_consumed, 1);
    assert.ok(record.title.length > 0);
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    assert.equal(await ended, 0);
  } finally {
    service.kill('SIGKILL');
  }
});

async function firstLine(service: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)));
    service.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}
