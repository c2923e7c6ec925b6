// A primary with a streaming standby, processes of the service over both, callers and readers; the primary is killed, the
// standby promoted, and the answers compared with the promoted server's data.

import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { sweepReservations } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import {
  startPostgresPair,
  textOf,
  type PostgresPair,
} from '../../../tests/support/postgres-pair.ts';
import { randomFrom } from '../../../tests/support/random.ts';
import { serviceProcess, type ServiceProcess } from '../cluster/processes.ts';
import type { Samples } from '../cluster/staleness.ts';
import { startDistantConnection, type DistantConnection } from '../distant-connection.ts';
import { callUntilOver, lookUpEach, type BilledCall, type FailoverCaller } from './calls.ts';
import { compareFailover, type FailoverLedger } from './ledger.ts';
import { logUntilGone, longestGap, readUntil, writeUntil } from './reads.ts';
import type { Truth } from '../market/facts.ts';
import { sandboxEnv } from '../../../src/edge/cli/sandbox-config.ts';

type FailoverOptions = {
  readonly isSynchronous: boolean;
  readonly apis: number;
  readonly callers: number;
  readonly seed: number;
  /** The latency to the standby. */
  readonly distanceMs: number;
  /** Under load before the kill, without a primary, and after the promotion. */
  readonly beforeMs: number;
  readonly outageMs: number;
  readonly afterMs: number;
  readonly say: (line: string) => void;
};

export type FailoverResult = {
  readonly calls: readonly BilledCall[];
  readonly staleness: Samples;
  /** Reads through the store, from the kill until the promoted server accepted writes. */
  readonly outageReads: number;
  readonly readFailures: readonly string[];
  /** Longest period without any answer to a reader, from before the kill to the end. */
  readonly longestReadGapMs: number;
  readonly outageMs: number;
  readonly answeredBy: { readonly primary: number; readonly replica: number };
  /** The same for the processes of the service, until the kill. */
  readonly servedBy: { readonly primary: number; readonly replica: number };
  /** From the promote command to the first durable write, and to the first billed 200. */
  readonly firstWriteMs: number;
  readonly firstAnswerMs: number;
  readonly ledger: FailoverLedger;
  readonly problems: readonly string[];
};

const WIDE = {
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};
const ORGANIZATIONS = ['north', 'east', 'south', 'west'];
const PAGES_OF_EACH = 5;

export async function measureFailover(options: FailoverOptions): Promise<FailoverResult> {
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed: options.seed,
    products: 200,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  await using ways = new AsyncDisposableStack();
  const distant: DistantConnection[] = [];
  const wayTo = async (port: number) => {
    const way = ways.use(await startDistantConnection(port, options.distanceMs));
    distant.push(way);
    return way.port;
  };
  await using pair = await startPostgresPair({ isSynchronous: options.isSynchronous, wayTo });
  const { primary, standby } = pair;
  const url = `postgres://openshelf@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const replica = { url: standby.url('postgres'), clock: steadyClock };
  await using store = await openStore({ kind: 'postgres', url, replica });
  const env = {
    ...sandboxEnv(sandbox, {}),
    DATABASE_URL: url,
    OPENSHELF_READ_URL: replica.url,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_HOST_INTERVAL_MS: '0',
  };
  const apis = await Promise.all(
    Array.from({ length: options.apis }, () => serviceProcess('api', env)),
  );
  try {
    await Promise.all(apis.map((one) => one.start()));
    const cut = () => distant.forEach((way) => way.cut());
    return await run({ store, pair, apis, sandbox, cut }, options);
  } finally {
    await Promise.all(apis.map((one) => one.stop()));
  }
}

const steadyClock = {
  now: () => performance.now(),
  sleep: async (ms: number, signal?: AbortSignal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};

type Scene = {
  readonly store: Store;
  readonly pair: PostgresPair;
  readonly apis: readonly ServiceProcess[];
  readonly sandbox: Sandbox;
  /** The connection between the two servers ends at the primary. */
  readonly cut: () => void;
};

async function run(scene: Scene, options: FailoverOptions): Promise<FailoverResult> {
  const { store, pair, apis, sandbox, cut } = scene;
  const { say, seed } = options;
  const callers = await Promise.all(
    Array.from({ length: options.callers }, (_, at) => newCaller(store, at)),
  );
  const random = randomFrom(seed);
  const [over, ended, givenUp] = Array.from({ length: 3 }, () => new AbortController());
  if (over === undefined || ended === undefined || givenUp === undefined) throw new Error('three');
  const calling = { callers, urls: apis.map((each) => each.url), random, givenUp: givenUp.signal };
  const pages = await knownPages(sandbox);
  say(`looking ${pages.length} products up`);
  const warmed = await lookUpEach(calling, pages);
  await pair.caughtUp();
  const lengths = logUntilGone(pair.primary.url('postgres'));
  const reading = readUntil(store.replica?.store ?? store, ended.signal);
  const writing = writeUntil(store, ended.signal);
  const calls = callUntilOver({ ...calling, pages, isOver: () => over.signal.aborted });
  say(`${callers.length} callers`);
  const beganMs = performance.now();
  await wait(options.beforeMs);
  const servedBy = await servedByOf(apis);
  say('killing the primary');
  const killedMs = performance.now();
  await pair.primary.kill();
  cut();
  await wait(options.outageMs);
  const had = await receivedBy(pair);
  const promotingMs = performance.now();
  say('promoting the standby');
  await pair.promote();
  const promotedMs = performance.now();
  await wait(options.afterMs);
  over.abort();
  // The idempotency record of a call that was cut off is abandoned after 20 s, a reservation after a minute.
  const patience = setTimeout(() => givenUp.abort(), 90_000);
  const made = await calls;
  clearTimeout(patience);
  ended.abort();
  const [read, durableMs] = [await reading, await writing];
  const known = (await lengths).findLast(({ position }) => position <= had);
  const all = [...warmed, ...made.calls];
  while ((await sweepReservations(store.sql, Date.now() + DAY_MS)) > 0);
  const knownUntilMs = known?.atMs ?? 0;
  const answers = all.flatMap((each) => each.answeredMs ?? []);
  const firstAfter = (moments: readonly number[]) =>
    Math.min(...moments.filter((each) => each > promotingMs)) - promotingMs;
  return {
    calls: all,
    staleness: made.staleness,
    outageReads: read.answeredMs.filter((each) => each > killedMs && each < promotedMs).length,
    readFailures: read.failures,
    longestReadGapMs: longestGap(read.answeredMs, beganMs, promotedMs + options.afterMs),
    outageMs: promotedMs - killedMs,
    answeredBy: store.replica?.answered() ?? { primary: 0, replica: 0 },
    servedBy,
    firstWriteMs: firstAfter(durableMs),
    firstAnswerMs: firstAfter(answers),
    ledger: await compareFailover(store.sql, all, { promotingMs, knownUntilMs }),
    problems: (await checkStore(store.sql)).map(String),
  };
}

async function newCaller(store: Store, at: number): Promise<FailoverCaller> {
  const organization = ORGANIZATIONS[at % ORGANIZATIONS.length] ?? '';
  const request = { organization, note: null, ...WIDE };
  const { id, text } = await issueKey(store.accounts, request, Date.now());
  const found = await store.accounts.findKey(id);
  return { key: text, organizationId: found?.organization.id ?? '' };
}

async function knownPages(sandbox: Sandbox): Promise<readonly string[]> {
  const [base = ''] = Object.values(sandbox.origins);
  const all = KNOWN_SLUGS.map(async (slug) => {
    const response = await fetch(`${base}/__truth/retailer?retailer=${slug}&offset=0&limit=100`);
    const truths = (await response.json()) as readonly Truth[];
    const fine = truths.filter((each) => each.trouble === null && !each.has_wrong_barcode);
    return fine.slice(0, PAGES_OF_EACH).map((truth) => truth.url);
  });
  return (await Promise.all(all)).flat();
}

/** Returns which server answered the processes' product reads, by their own metrics. */
async function servedByOf(apis: readonly ServiceProcess[]) {
  const texts = await Promise.all(
    apis.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  const sum = (server: string) => {
    const line = new RegExp(`^openshelf_replica_reads_total\\{server="${server}"\\} (\\d+)$`, 'm');
    return texts.reduce((all, text) => all + Number(line.exec(text)?.[1] ?? 0), 0);
  };
  return { primary: sum('primary'), replica: sum('replica') };
}

/** Returns how much of the primary's log the standby has received, and will have when it is promoted. */
async function receivedBy({ standby }: PostgresPair): Promise<bigint> {
  const text = "select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::text as value";
  return BigInt(await textOf(standby, text));
}
