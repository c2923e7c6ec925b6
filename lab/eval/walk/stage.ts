// The processes of the service that a walk calls, on one clock and one database, next to the simulated market. The clock
// stands still during a step, so that time-dependent results are exactly predictable.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { sandboxEnv } from '../../../src/edge/cli/sandbox-config.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { command, newDatabase } from '../../../tests/support/databases.ts';
import { startDnsServer } from '../../../tests/support/dns-server.ts';
import { startPostgresPair } from '../../../tests/support/postgres-pair.ts';
import { storeAt } from '../../../tests/support/stores.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';
import type { Done, Order } from './process.ts';

export type Stage = AsyncDisposable & {
  readonly sandbox: Sandbox;
  /** The database of the processes, as an operator's commands use it. */
  readonly store: Store;
  readonly now: () => number;
  /** The environment that a command needs to work on the same data. */
  readonly dataEnv: Readonly<Record<string, string>>;
  readonly urls: () => readonly string[];
  readonly advance: (ms: number) => Promise<void>;
  /** Runs the jobs on the queue, checks the watches that are due, and runs the jobs they add. */
  readonly settle: () => Promise<void>;
  /** SIGKILL for one process, without waiting for its work. */
  readonly kill: (at: number) => Promise<void>;
  /** Requests that node:http has read in all processes; those answered without it are not included. */
  readonly readCount: () => Promise<number>;
  /** Restarts killed processes. */
  readonly revive: () => Promise<void>;
};

export type StageOptions = {
  readonly database: 'sqlite' | 'postgres';
  readonly processes: number;
  readonly seed: number;
  /** On PostgreSQL: stored data is read from a standby, which commits wait for until it shows them. */
  readonly hasReplica?: boolean;
};

const MARKET_SEED = 7;
const PROGRAM = join(import.meta.dirname, 'process.ts');
/** A few days before the end of a month, the end of a year, a leap day, and a night with a clock change. */
const STARTS_MS = [
  Date.UTC(2026, 10, 21, 9, 30),
  Date.UTC(2026, 11, 27, 9, 30),
  Date.UTC(2028, 1, 26, 9, 30),
  Date.UTC(2027, 2, 12, 9, 30),
] as const;
/** A process's time zone changes nothing: all days are in UTC. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];
/** No machine is too slow for a lookup; time limits have tests of their own. */
const NO_HURRY_MS = '600000';

type Running = { readonly child: ChildProcess; readonly url: string };

export async function openStage(options: StageOptions): Promise<Stage> {
  const { database, processes, seed, hasReplica = false } = options;
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder()).path;
  let nowMs = STARTS_MS[seed % STARTS_MS.length] ?? STARTS_MS[0];
  const retailers = publicOrigins();
  const sandbox = opened.use(
    await startSandbox({ seed: MARKET_SEED, now: () => nowMs, retailers }),
  );
  const dns = await startDnsServer();
  opened.defer(() => dns.close());
  const made = database === 'postgres' ? await placeOf(hasReplica, opened) : null;
  const store = opened.use(await storeAt(made?.url ?? join(folder, 'openshelf.db')));
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TZ: ZONES[seed % ZONES.length],
    OPENSHELF_DATA: folder,
    OPENSHELF_DNS_SERVERS: dns.address,
    OPENSHELF_REQUEST_LOG: 'false',
    OPENSHELF_HEADER_TIMEOUT_MS: NO_HURRY_MS,
    OPENSHELF_KEEP_ALIVE_MS: NO_HURRY_MS,
    OPENSHELF_SEND_TIMEOUT_MS: NO_HURRY_MS,
    ...(made === null ? {} : { DATABASE_URL: made.url }),
    ...(made?.readUrl === undefined ? {} : { OPENSHELF_READ_URL: made.readUrl }),
    ...sandboxEnv(sandbox, {}),
  };
  const running: Running[] = [];
  opened.defer(async () => {
    await Promise.all(running.splice(0).map(end));
  });
  const revive = async (): Promise<void> => {
    while (running.length < processes) running.push(await start(env, nowMs));
  };
  await revive();
  const order = async (wanted: Omit<Order, 'nowMs'>): Promise<number> => {
    let count = 0;
    for (const { child } of running) {
      const heard = once(child, 'message') as Promise<[Done]>;
      child.send({ nowMs, ...wanted } satisfies Order);
      const [{ failure, read }] = await heard;
      if (failure !== null) throw new Error(failure);
      count += read;
    }
    return count;
  };
  const held = opened.move();
  return {
    sandbox,
    store,
    now: () => nowMs,
    dataEnv: { OPENSHELF_DATA: folder, ...(made === null ? {} : { DATABASE_URL: made.url }) },
    urls: () => running.map(({ url }) => url),
    advance: async (ms) => {
      nowMs += ms;
      await order({ settle: false });
    },
    settle: async () => {
      await order({ settle: true });
    },
    readCount: () => order({ settle: false }),
    kill: async (at) => {
      const [one] = running.splice(at % running.length, 1);
      if (one !== undefined) await end(one);
    },
    revive,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** A database, and where it is read from. */
async function placeOf(
  hasReplica: boolean,
  opened: AsyncDisposableStack,
): Promise<{ readonly url: string; readonly readUrl?: string }> {
  if (!hasReplica) return opened.use(await newDatabase('migrated'));
  const pair = opened.use(await startPostgresPair({ isSynchronous: true }));
  const postgres = pair.primary.url('postgres');
  await command(postgres, 'create database walked');
  await command(postgres, 'alter database walked set synchronous_commit = remote_apply');
  const url = pair.primary.url('walked');
  await (await openStore({ kind: 'postgres', url }))[Symbol.asyncDispose]();
  await pair.caughtUp();
  return { url, readUrl: pair.standby.url('walked') };
}

async function start(env: NodeJS.ProcessEnv, nowMs: number): Promise<Running> {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const child = fork(PROGRAM, [String(nowMs)], { env, stdio: [...stdio] });
  let said = '';
  child.stderr?.on('data', (piece) => (said = `${said}${String(piece)}`.slice(-4_000)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a process ended: ${said}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  ended.catch(() => undefined);
  return { child, url: message.url };
}

async function end({ child }: Running): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
