// A primary and a standby that follows it, on loopback, each of which can be stopped, started and killed: for tests of
// read replicas and of failover.

import { execFile } from 'node:child_process';
import {
  chownSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { command, withClient } from './databases.ts';
import { installBinaries } from './postgres-binaries.ts';
import {
  COMMON,
  freePort,
  initialize,
  launch,
  newHome,
  type Home,
  type PostgresServer,
} from './postgres-server.ts';

type PairServer = {
  readonly port: number;
  url(database: string): string;
  start(): Promise<void>;
  /** Stops the server, which ends what is in progress. */
  stop(): Promise<void>;
  /** Sends SIGKILL to all of its processes at once: nothing more is written or sent. */
  kill(): Promise<void>;
  /** Suspends all of its processes and keeps connections open, as on a machine that lost its network. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

export type PostgresPair = AsyncDisposable & {
  readonly primary: PairServer;
  readonly standby: PairServer;
  /** Makes the standby a primary; resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Resolves when the standby has replayed everything the primary has written so far. */
  caughtUp(): Promise<void>;
};

type PairOptions = {
  /** Commits wait until the standby has them, unless a session overrides it. */
  readonly isSynchronous?: boolean;
  /** The port at which the standby reaches the primary, if something is between them. */
  readonly wayTo?: (primaryPort: number) => Promise<number>;
};

/** Starts both servers; resolves when the standby follows the primary. */
export async function startPostgresPair(options: PairOptions = {}): Promise<PostgresPair> {
  installBinaries();
  const home = newHome();
  const ports = { primary: await freePort(), standby: await freePort() };
  const data = join(home.home, 'primary');
  await initialize(home, data);
  // A cluster that never ran can be copied as it is: both start from the same state.
  const copy = join(home.home, 'standby');
  copyOwned(data, copy);
  const streaming = [...COMMON, 'wal_level=replica', 'wal_keep_size=1GB', 'max_wal_senders=10'];
  const way = (await options.wayTo?.(ports.primary)) ?? ports.primary;
  const follow = `primary_conninfo=host=127.0.0.1 port=${way} user=openshelf application_name=standby`;
  const waiting = options.isSynchronous === true ? ['synchronous_standby_names=standby'] : [];
  const primary = server(home, data, ports.primary, [...streaming, ...waiting]);
  const standby = server(home, copy, ports.standby, [...streaming, follow, 'hot_standby=on']);
  await primary.start();
  await standby.start();
  return {
    primary,
    standby,
    promote: () => command(standby.url('postgres'), 'select pg_promote(true, 30)'),
    caughtUp: () => caughtUp(primary, standby),
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(home.home, { recursive: true, force: true });
    },
  };
}

function copyOwned(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const { uid, gid } = statSync(from);
  writeFileSync(join(to, 'standby.signal'), '');
  chownAll(to, uid, gid);
}

function chownAll(path: string, uid: number, gid: number): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, uid, gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownAll(join(path, name), uid, gid);
}

function server(home: Home, data: string, port: number, settings: readonly string[]): PairServer {
  let running: PostgresServer | null = null;
  return {
    port,
    url: (database) => `postgres://openshelf@127.0.0.1:${port}/${database}`,
    async start() {
      const started = await launch(home, { data, port, settings, removed: '' });
      if (typeof started === 'string') throw new Error(`PostgreSQL does not start: ${started}`);
      running = started;
    },
    async stop() {
      const ending = running;
      running = null;
      await ending?.[Symbol.asyncDispose]();
    },
    async kill() {
      const ending = running;
      running = null;
      if (ending === null) return;
      await signalAll(postmasterOf(data), 'SIGKILL');
      await ending[Symbol.asyncDispose]();
    },
    freeze: () => signalAll(postmasterOf(data), 'SIGSTOP'),
    thaw: () => signalAll(postmasterOf(data), 'SIGCONT'),
  };
}

function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** The postmaster is suspended meanwhile, so that it neither notifies clients nor starts processes. */
async function signalAll(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(postmaster, 'SIGSTOP');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const children = stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return parent === postmaster && pid !== undefined ? [pid] : [];
  });
  for (const pid of [...children, postmaster]) process.kill(pid, signal);
}

async function caughtUp(primary: PairServer, standby: PairServer): Promise<void> {
  const at = await textOf(primary, 'select pg_current_wal_flush_lsn()::text as value');
  const isThere = `select (pg_last_wal_replay_lsn() >= '${at}')::text as value`;
  while ((await textOf(standby, isThere)) !== 'true') await new Promise(setImmediate);
}

/** Returns the column `value` of one row. */
export async function textOf({ url }: Pick<PairServer, 'url'>, text: string): Promise<string> {
  const { rows } = await withClient(url('postgres'), (client) =>
    client.query<{ value: string }>(text),
  );
  return String(rows[0]?.value);
}
