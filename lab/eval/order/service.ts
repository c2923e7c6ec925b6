// A service over a fresh store whose time and background queue are controlled by the program: one app answers calls,
// another one over the same store, paused until `drain`, runs jobs. Nothing waits for real time.

import { setImmediate, setTimeout as wait } from 'node:timers/promises';

import { openApp, type App } from '../../../src/edge/app.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import type { Config } from '../../../src/edge/config.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { MAX_MONTHLY_QUOTA, MAX_PER_MINUTE } from '../../../src/data/accounts/organizations.ts';
import type { Store } from '../../../src/data/store.ts';
import type { LookupAnswer } from './compare.ts';

export type DrivenService = AsyncDisposable & {
  readonly store: Store;
  /** Sends a GET as one of the organizations. */
  readonly get: (path: string, organization: string) => Promise<LookupAnswer>;
  /** Looks the same up as the only line of a batch; returns the answer to the line. */
  readonly batch: (path: string, organization: string) => Promise<LookupAnswer>;
  /** Watches what the path identifies, at any retailer; its first check is queued at once, its second never comes. */
  readonly watch: (path: string, organization: string) => Promise<LookupAnswer>;
  readonly advance: (ms: number) => void;
  /** Runs every job that is due. Resolves when nothing is due and nothing is running. */
  readonly drain: () => Promise<void>;
  /** Like `drain`, and advances the time to jobs waiting to be retried, until none is left. */
  readonly finish: () => Promise<void>;
  /** Waiting jobs, excluding abandoned ones. */
  readonly waiting: () => Promise<number>;
  /** Answers from the cache. */
  readonly kept: () => Promise<number>;
};

type DrivenOptions = {
  readonly startMs: number;
  readonly organizations: readonly string[];
};

type Sleeper = { readonly atMs: number; readonly ms: number; readonly wake: () => void };

/** Shorter sleeps are pauses between two steps of one task: they pass in real time. */
const REAL_BELOW_MS = 500;
/** The longest sleep of a worker that polls for jobs. */
const POLL_MS = 1_000;
/** Retried jobs are taken together with those that follow within this time. */
const TOGETHER_MS = 10 * 60_000;
/** D49: five attempts of a job end within a few hours. */
const MOST_JUMPS = 60;
const QUIET_ROUNDS = 3;
const CHECK_AGAIN_MS = 5;

type SteppedTime = { nowMs: number };

type SteppedClock = Clock & { readonly wake: (isDue: (sleeper: Sleeper) => boolean) => void };

function steppedClock(time: SteppedTime): SteppedClock {
  const sleepers = new Set<Sleeper>();
  return {
    now: () => time.nowMs,
    sleep(ms, signal) {
      if (ms < REAL_BELOW_MS) return systemClock.sleep(ms, signal);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { atMs: time.nowMs + ms, ms, wake: resolve };
      sleepers.add(sleeper);
      const abort = (): void => {
        sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
      return promise;
    },
    wake(isDue) {
      for (const sleeper of sleepers) {
        if (!isDue(sleeper)) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}

/** Opens both apps over the configured store. */
export async function openDriven(config: Config, options: DrivenOptions): Promise<DrivenService> {
  const time: SteppedTime = { nowMs: options.startMs };
  const [callersClock, indexersClock] = [steppedClock(time), steppedClock(time)];
  await using opened = new AsyncDisposableStack();
  const app = opened.adopt(
    await openApp({ ...config, roles: ['api'] }, { clock: callersClock }),
    close,
  );
  const indexer = opened.adopt(
    await openApp({ ...config, roles: ['indexer'], readUrl: null }, { clock: indexersClock }),
    close,
  );
  const { url } = await app.listen({ port: 0 });
  await indexer.listen({ port: 0 });
  const keys = new Map<string, string>();
  for (const organization of options.organizations) {
    const limits = { monthlyQuota: MAX_MONTHLY_QUOTA, throttlePerMinute: MAX_PER_MINUTE };
    const request = { organization, note: null, ...limits };
    keys.set(organization, (await issueKey(app.store.accounts, request, time.nowMs)).text);
  }
  const advance = (ms: number): void => {
    time.nowMs += ms;
    callersClock.wake(({ atMs }) => atMs <= time.nowMs);
  };
  const drain = (): Promise<void> =>
    drained(app.store, time, () => {
      indexersClock.wake(({ atMs, ms }) => ms <= POLL_MS || atMs <= time.nowMs);
    });
  const held = opened.move();
  return {
    store: app.store,
    get: (path, organization) => send(`${url}${path}`, keys.get(organization) ?? ''),
    batch: async (path, organization) => {
      const line = { ...queryOf(path), id: idOf(path) };
      const body = JSON.stringify(line);
      const answer = await send(`${url}/v1/products/batch`, keys.get(organization) ?? '', body);
      const { status, product, problem } = answer.body as OnlyLine;
      return { status, body: product ?? problem };
    },
    watch: async (path, organization) => {
      const body = JSON.stringify({ identifier: idOf(path), any_change: true, interval: '30d' });
      const answer = await send(`${url}/v1/watches`, keys.get(organization) ?? '', body);
      await indexer.checkWatches();
      return answer;
    },
    advance,
    drain,
    finish: async () => {
      for (let jump = 0; jump < MOST_JUMPS; jump += 1) {
        await drain();
        const nextMs = await nextRunMs(app.store);
        if (nextMs === null) return;
        advance(Math.max(0, nextMs - time.nowMs) + TOGETHER_MS);
      }
    },
    waiting: async () => {
      const { waiting, running } = await app.store.jobs.countJobs(time.nowMs);
      return waiting + running;
    },
    kept: async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function close(app: App): Promise<void> {
  await app.stop(1_000);
  await app[Symbol.asyncDispose]();
}

type OnlyLine = {
  readonly status: number;
  readonly product: unknown;
  readonly problem: unknown;
};

function idOf(path: string): string {
  return decodeURIComponent(/^\/v1\/products\/([^?]+)/.exec(path)?.[1] ?? '');
}

function queryOf(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(/\?(.*)$/.exec(path)?.[1]));
}

async function send(url: string, key: string, body?: string): Promise<LookupAnswer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: 'POST', headers, body },
  );
  return { status: response.status, body: await response.json() };
}

/**
 * Follow-up work of an answer reaches the queue a moment after the answer: several consecutive checks must find nothing.
 */
async function drained(store: Store, time: SteppedTime, wake: () => void): Promise<void> {
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    await setImmediate();
    const isDue = await store.jobs.isDue(time.nowMs);
    const { running } = await store.jobs.countJobs(time.nowMs);
    if (running === 0 && !isDue) {
      quiet += 1;
      // Writes are committed in order: this one follows everything that an answer has put on the queue.
      if (quiet < QUIET_ROUNDS) await store.sql.probe();
      continue;
    }
    quiet = 0;
    if (isDue) wake();
    await wait(CHECK_AGAIN_MS);
  }
}

/** Returns when the first waiting job may run, in milliseconds since 1970. */
async function nextRunMs(store: Store): Promise<number | null> {
  const text = 'select min(run_at_ms) as at from jobs where parked_at_ms is null';
  const [row] = await store.sql.all(text);
  const at = row?.['at'];
  return at === null || at === undefined ? null : Number(at);
}
