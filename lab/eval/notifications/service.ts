// Processes of the service on one clock, over one database, with their control interface.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

import { Client } from 'pg';

import { issueKey } from '../../../src/data/metering/keys.ts';
import { openStore } from '../../../src/data/store.ts';
import { newDatabase } from '../../../tests/support/databases.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';

type Row = Readonly<Record<string, unknown>>;

export type NotifyingService = AsyncDisposable & {
  readonly keys: readonly string[];
  /** Returns the URL of a process that answers. */
  readonly url: () => string;
  readonly query: (text: string) => Promise<readonly Row[]>;
  readonly advance: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
  /** SIGKILL for one process, which is restarted. */
  readonly kill: () => Promise<void>;
  readonly kills: () => number;
  /**
   * SIGSTOP for one of several processes until the others, by whose clock all of its leases have expired, have taken over its
   * work; then it resumes.
   */
  readonly halt: () => Promise<void>;
  readonly halts: () => number;
};

const PROGRAM = join(import.meta.dirname, 'process.ts');
const STARTS_AT_MS = Date.UTC(2026, 10, 2, 8);

/** Longer than any lease, and the time that others have to take over. */
const HALTED_MS = 50_000;
const TAKEN_OVER_MS = 4_000;

/** Starts one process on SQLite, three on PostgreSQL. */
export async function startNotifyingService(
  kind: 'sqlite' | 'postgres',
  settings: Readonly<Record<string, string>>,
): Promise<NotifyingService> {
  const scratch = temporaryFolder();
  const folder = scratch.path;
  const database = kind === 'postgres' ? await newDatabase('migrated') : null;
  const path = join(folder, 'openshelf.db');
  const where =
    database === null
      ? ({ kind: 'sqlite', path } as const)
      : ({ kind: 'postgres', url: database.url } as const);
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    OPENSHELF_DATA: folder,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_REQUEST_LOG: 'false',
    ...(database === null ? {} : { DATABASE_URL: database.url, OPENSHELF_DATA: undefined }),
    ...settings,
  };
  let nowMs = STARTS_AT_MS;
  const keys: string[] = [];
  {
    await using store = await openStore(where);
    for (const organization of ['one', 'two']) {
      const plenty = { monthlyQuota: 10_000_000, throttlePerMinute: 60_000, throttleBurst: 60_000 };
      const request = { organization, note: null, ...plenty };
      keys.push((await issueKey(store.accounts, request, nowMs)).text);
    }
  }
  type Running = { readonly child: ChildProcess; readonly url: string };
  const running: Running[] = [];
  const start = async (): Promise<void> => {
    const child = fork(PROGRAM, [String(nowMs)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (piece) => (said = `${said}${String(piece)}`.slice(-4_000)));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`a process ended: ${said}`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
    ended.catch(() => undefined);
    running.push({ child, url: message.url });
  };
  for (let count = kind === 'sqlite' ? 1 : 3; count > 0; count -= 1) await start();
  const client = database === null ? null : new Client({ connectionString: database.url });
  await client?.connect();
  let kills = 0;
  let halts = 0;
  const setClock = async ({ child }: Running): Promise<void> => {
    const heard = once(child, 'message');
    child.send({ nowMs });
    await heard;
  };
  const end = async ({ child }: Running): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    keys,
    url: () => running.at(-1)?.url ?? '',
    nowMs: () => nowMs,
    kills: () => kills,
    async query(text) {
      if (client !== null) return (await client.query<Row>(text)).rows;
      const own = new DatabaseSync(path, { readOnly: true });
      try {
        return own.prepare(text).all();
      } finally {
        own.close();
      }
    },
    async advance(ms) {
      nowMs += ms;
      await Promise.all(running.map(setClock));
    },
    halts: () => halts,
    async halt() {
      const [one, ...others] = running;
      if (one === undefined || others.length === 0) return;
      halts += 1;
      one.child.kill('SIGSTOP');
      nowMs += HALTED_MS;
      await Promise.all(others.map(setClock));
      await wait(TAKEN_OVER_MS);
      const isSet = setClock(one);
      one.child.kill('SIGCONT');
      await isSet;
    },
    async kill() {
      const one = running.shift();
      if (one === undefined) return;
      kills += 1;
      await end(one);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map(end));
      await client?.end();
      await database?.[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}
