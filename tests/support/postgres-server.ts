// A PostgreSQL of the tests' own, on loopback, in a folder that is gone with it. It ends with the process that
// started it, however that one ends: the shell beside it waits for the end of a pipe.

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
  /** Of the database `postgres`, as a user who may do everything. */
  readonly url: string;
  readonly port: number;
};

type User = { readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root: then somebody with fewer rights runs it. */
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

const SETTINGS = [
  'unix_socket_directories=',
  'max_connections=400',
  'shared_buffers=64MB',
  // What is lost with the machine is not missed here.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'log_min_error_statement=panic',
];

/** Starts it when the pipe is open, stops it at the pipe's end, and leaves nothing behind. */
const UNTIL_PIPE_ENDS =
  'home=$1; shift; "$@" & p=$!; (cat >/dev/null; kill -INT $p) <&3 & wait $p; rm -rf "$home"';

/**
 * Starts a server; `more`: settings like `fsync=on`, which win over those of the tests. Rejects with a sentence that
 * says what to install when there is none.
 */
export async function startPostgres(more: readonly string[] = []): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryStart(await freePort(), more);
    if (typeof started !== 'string') return started;
    // Somebody may have taken the port meanwhile.
    if (attempt === 3) throw new Error(`PostgreSQL does not start: ${started}`);
  }
}

/** The server, or what it said before it ended. */
async function tryStart(port: number, more: readonly string[]): Promise<PostgresServer | string> {
  const home = mkdtempSync(join(tmpdir(), 'openshelf-postgres-'));
  const user = unprivileged();
  chmodSync(home, 0o755);
  const bin = binariesFor(home);
  if (user !== null) chownSync(home, user.uid, user.gid);
  const options = { cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...user };
  const data = join(home, 'data');
  const initial = ['-U', 'openshelf', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...initial], options);
  const postgres = [join(bin, 'postgres'), '-D', data, '-h', '127.0.0.1', '-p', `${port}`];
  const settings = [...SETTINGS, ...more].flatMap((each) => ['-c', each]);
  const shell = spawn('sh', ['-c', UNTIL_PIPE_ENDS, 'sh', home, ...postgres, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  return (await untilReady(shell)) ?? running(shell, port);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Null when it accepts connections, else what it said before it ended. */
async function untilReady(shell: ChildProcess): Promise<string | null> {
  const said: string[] = [];
  if (shell.stderr === null) return 'it says nothing';
  for await (const line of createInterface({ input: shell.stderr })) {
    said.push(line);
    if (line.includes('ready to accept connections')) return null;
  }
  return said.join('\n');
}

/** Nothing of it keeps this process alive. */
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
      const ended = once(shell, 'exit');
      shell.ref();
      pipe.end();
      await ended;
    },
  };
}
