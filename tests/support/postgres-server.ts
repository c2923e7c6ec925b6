// The tests' own PostgreSQL, on loopback, in a folder that is removed with it. It ends with the process that started it,
// however that one ends: the shell next to it waits for the end of a pipe.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { binariesFor } from './postgres-binaries.ts';

export type PostgresServer = AsyncDisposable & {
  /** For the database `postgres`, as a superuser. */
  readonly url: string;
  readonly port: number;
};

type User = { readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root: then a user with fewer rights runs it. */
function unprivileged(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is neither a user postgres nor nobody',
  );
}

/** For every server of the tests. */
export const COMMON = [
  'unix_socket_directories=',
  'max_connections=400',
  'shared_buffers=64MB',
  // This data may be lost if the machine fails.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'log_min_error_statement=panic',
];

const SETTINGS = [...COMMON, 'wal_level=minimal', 'max_wal_senders=0'];

/**
 * Starts it when the pipe is open, stops it at the pipe's end, and leaves nothing behind. The waiting process prints
 * nothing: the server's last message ends the output.
 */
const UNTIL_PIPE_ENDS =
  'home=$1; shift; "$@" & p=$!; (cat >/dev/null; kill -INT $p) <&3 2>&- & wait $p; [ -z "$home" ] || rm -rf "$home"';

/**
 * Starts a server; `more`: settings like `fsync=on`, which override those of the tests. If there is no PostgreSQL, rejects
 * with a sentence that says what to install.
 */
export async function startPostgres(more: readonly string[] = []): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryStart(await freePort(), more);
    if (typeof started !== 'string') return started;
    // Another process may have taken the port meanwhile.
    if (attempt === 3) throw new Error(`PostgreSQL does not start: ${started}`);
  }
}

/** Returns a folder in which the servers' user has all rights, and the options to run programs there. */
export function newHome() {
  const home = mkdtempSync(join(tmpdir(), 'openshelf-postgres-'));
  const user = unprivileged();
  chmodSync(home, 0o755);
  const bin = binariesFor(home);
  if (user !== null) chownSync(home, user.uid, user.gid);
  const options = { cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...user };
  return { home, bin, options };
}

export type Home = ReturnType<typeof newHome>;

/** Creates the files of a cluster, in a folder that does not exist yet. */
export async function initialize({ bin, options }: Home, data: string): Promise<void> {
  const initial = ['-U', 'openshelf', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...initial], options);
}

type Launch = {
  readonly data: string;
  readonly port: number;
  readonly settings: readonly string[];
  /** Removed when the server has ended; empty: nothing. */
  readonly removed: string;
};

/** Returns the server, or its output before it ended. */
export async function launch({ bin, options }: Home, what: Launch) {
  const { data, port, removed } = what;
  const postgres = [join(bin, 'postgres'), '-D', data, '-h', '127.0.0.1', '-p', `${port}`];
  const settings = what.settings.flatMap((each) => ['-c', each]);
  const shell = spawn('sh', ['-c', UNTIL_PIPE_ENDS, 'sh', removed, ...postgres, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const said = await untilReady(shell);
  if (said === null) return running(shell, port);
  // The shell waiting for the end would keep this process alive, which has nothing more to say.
  shell.stdio[3]?.destroy();
  return said;
}

async function tryStart(port: number, more: readonly string[]): Promise<PostgresServer | string> {
  const at = newHome();
  const data = join(at.home, 'data');
  await initialize(at, data);
  return await launch(at, { data, port, settings: [...SETTINGS, ...more], removed: at.home });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns null when it accepts connections, otherwise its output before it ended. */
async function untilReady(shell: ChildProcess): Promise<string | null> {
  const said: string[] = [];
  if (shell.stderr === null) return 'it says nothing';
  for await (const line of createInterface({ input: shell.stderr })) {
    said.push(line);
    if (/ready to accept (?:read-only )?connections/.test(line)) return null;
  }
  return said.join('\n');
}

/** None of its handles keeps this process alive. */
function running(shell: ChildProcess, port: number): PostgresServer {
  const pipe = shell.stdio[3] as Writable & { unref(): void };
  shell.stderr?.resume();
  shell.unref();
  pipe.unref();
  (shell.stderr as unknown as { unref(): void } | null)?.unref();
  return {
    url: `postgres://openshelf@127.0.0.1:${port}/postgres`,
    port,
    async [Symbol.asyncDispose]() {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const ended = once(shell, 'exit');
      shell.ref();
      pipe.end();
      await ended;
    },
  };
}
