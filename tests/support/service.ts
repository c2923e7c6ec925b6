// The whole service on a free port, in this process, against the simulated shops: what the HTTP tests call, on either
// database. Nothing in it is mocked; the data is removed afterwards.

import { setImmediate } from 'node:timers/promises';

import { openApp, type App } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import type { Env } from '../../src/edge/settings/read-settings.ts';
import type { Clock } from '../../src/base/clock.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import type { SignedCaller } from '../../sandbox/retailer-w/signature.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { startDnsServer } from './dns-server.ts';
import { isOnPostgres, newDatabase } from './databases.ts';
import { startReusedThread } from './reused-threads.ts';
import { withSandbox } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

export type Service = AsyncDisposable & {
  readonly app: App;
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Set if metrics have a separate address. */
  readonly metricsUrl: string | null;
  readonly key: string;
  readonly dataDir: string;
  /** The environment that a command needs to work on the same data. */
  readonly dataEnv: Readonly<Record<string, string>>;
  /** Sends a GET with the service's key unless headers state another; returns the body as JSON. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The same with POST and without a body. */
  post(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Looks up the product of an identifier or address. */
  lookup(id: string, query?: string): Promise<Answer>;
  newKey(request: Parameters<typeof issueKey>[1]): Promise<string>;
  /** Resolves when all jobs that the answers so far queued are done. */
  untilQueueIdle(): Promise<void>;
};

export type ServiceOptions = {
  readonly clock?: Clock;
  /** The clock for the service's waits, if `clock` is moved and this one is not. */
  readonly steady?: Clock;
  readonly env?: Env;
  /** The time limit of a lookup; by default so long that no machine is too slow. */
  readonly lookupMs?: number;
  /** The simulated retailers are at the addresses where the service requests the real ones. */
  readonly withRetailers?: boolean;
  /** The terms of official APIs are applied to the simulated shops. */
  readonly hasTerms?: boolean;
  /** The caller whose signature retailer_w's affiliate API accepts. */
  readonly signedCaller?: SignedCaller;
  /** Receives what is written to the log. */
  readonly logTo?: (lines: string) => void;
};

/** Machine time limits, which a busy machine would exceed: they have their own tests. */
const NO_HURRY_MS = 600_000;
const NO_HURRY_TO_READ = { start: startReusedThread, startMs: NO_HURRY_MS, deadlineMs: 5_000 };
/** For a shop that answers: one that stops in the middle of its page is abandoned as usual. */
const NO_HURRY_TO_FETCH = {
  dnsMs: NO_HURRY_MS,
  connectMs: NO_HURRY_MS,
  tlsMs: NO_HURRY_MS,
  firstByteMs: NO_HURRY_MS,
  wholeMs: NO_HURRY_MS,
};
const NO_HURRY = {
  // The test's own turn may take longer: Node checks its clock before it reads received data, and closes connections that
  // have just sent a request.
  OPENSHELF_KEEP_ALIVE_MS: `${NO_HURRY_MS}`,
  OPENSHELF_HEADER_TIMEOUT_MS: `${NO_HURRY_MS}`,
  OPENSHELF_SEND_TIMEOUT_MS: `${NO_HURRY_MS}`,
};

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const folder = temporaryFolder();
  const dataDir = folder.path;
  const { signedCaller } = options;
  const sandbox = await startSandbox({
    seed: 7,
    now: clock.now,
    ...(options.withRetailers === true ? { retailers: publicOrigins() } : {}),
    ...(signedCaller === undefined ? {} : { signedCaller }),
  });
  // Names without a simulated shop are resolved at a name server that knows none.
  const dns = await startDnsServer();
  const places = { OPENSHELF_DNS_SERVERS: dns.address, OPENSHELF_DATA: dataDir };
  const env = { ...NO_HURRY, ...places, ...options.env };
  const isPlaced = options.env?.['DATABASE_URL'] !== undefined;
  const database = isOnPostgres() && !isPlaced ? await newDatabase('migrated') : null;
  const where = database === null ? {} : { DATABASE_URL: database.url };
  const { logTo, steady, lookupMs = NO_HURRY_MS, hasTerms = false } = options;
  const config = withSandbox(readConfig({ ...env, ...where }, { port: 0 }), sandbox, { hasTerms });
  const app = await openApp(config, {
    clock,
    lookupMs,
    fetching: NO_HURRY_TO_FETCH,
    reading: NO_HURRY_TO_READ,
    ...(steady === undefined ? {} : { steady }),
    ...(logTo === undefined ? {} : { logTo }),
  });
  const { url, metricsUrl } = await app.listen();
  const newKey = async (request: Parameters<typeof issueKey>[1]) =>
    (await issueKey(app.store.accounts, request, clock.now())).text;
  const key = await newKey({ organization: 'test', note: null });
  const ask = async (method: string, path: string, headers?: Readonly<Record<string, string>>) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      redirect: 'manual',
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  const get: Service['get'] = (path, headers) => ask('GET', path, headers);
  return {
    app,
    sandbox,
    url,
    metricsUrl,
    key,
    dataDir,
    dataEnv: { OPENSHELF_DATA: dataDir, ...where },
    get,
    post: (path, headers) => ask('POST', path, headers),
    lookup: (id, query = '') => get(`/v1/products/${encodeURIComponent(id)}${query}`),
    newKey,
    untilQueueIdle: () => untilQueueIdle(app, clock),
    [Symbol.asyncDispose]: async () => {
      await app.stop(1_000);
      await app[Symbol.asyncDispose]();
      await sandbox.close();
      await dns.close();
      await database?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Jobs after an answer reach the queue a moment later: several checks in a row must find nothing. */
const QUIET_ROUNDS = 3;

/** Each round waits for a commit; the limit keeps a queue that never empties from hanging the test. */
export async function untilQueueIdle({ store }: App, clock: Pick<Clock, 'now'>): Promise<void> {
  for (let round = 0, quiet = 0; round < 20_000; round += 1) {
    await setImmediate();
    // Writes are committed in order: when this one is done, so is everything an answer has queued.
    await store.sql.probe();
    const now = clock.now();
    const { running } = await store.jobs.countJobs(now);
    quiet = running === 0 && !(await store.jobs.isDue(now)) ? quiet + 1 : 0;
    if (quiet === QUIET_ROUNDS) return;
  }
  throw new Error('the queue does not become empty');
}
