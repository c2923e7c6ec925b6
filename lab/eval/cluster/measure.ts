// Several processes of the service over one PostgreSQL, killed and restarted while callers continue; their answers are
// compared with a single process, the ledger, the balances and the shops' own record of requests.

import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../../src/base/clock.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { sweepReservations } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { newDatabase } from '../../../tests/support/databases.ts';
import { randomFrom } from '../../../tests/support/random.ts';
import { makeCalls, type CallsResult } from './calls.ts';
import { perform, type Answered, type Caller } from './clients.ts';
import { compareLedger, type LedgerResult } from './ledger.ts';
import { referenceMarket, type MarketSize, type ReferenceMarket } from './market.ts';
import { beginKilling, serviceProcess, type ServiceProcess } from './processes.ts';
import { measureRevocations, type Samples } from './staleness.ts';
import { overlapping, startRecordingFront, type TimedRequest } from '../recording-front.ts';
import { sandboxEnv } from '../../../src/edge/cli/sandbox-config.ts';

type ClusterOptions = MarketSize & {
  readonly calls: number;
  readonly seed: number;
  readonly apis: number;
  readonly indexers: number;
  readonly callers: number;
  /** No further call begins after this time. */
  readonly seconds: number;
  readonly killEveryMs: number;
  /** Processes are suspended for this long instead of killed. */
  readonly haltMs?: number | null;
  /** A shop's response time. */
  readonly delayMs: number;
  /** Size of the market. */
  readonly products: number;
  readonly say: (line: string) => void;
};

type ClusterResult = CallsResult & {
  readonly seconds: number;
  readonly kills: number;
  readonly ledger: LedgerResult;
  readonly problems: readonly string[];
  readonly fetches: number;
  readonly differentFetches: number;
  readonly twiceAtOnce: readonly (readonly [TimedRequest, TimedRequest])[];
  readonly revocations: Samples;
};

const ORGANIZATIONS = ['north', 'east', 'south', 'west'];
const WIDE = {
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};

export async function measureCluster(options: ClusterOptions): Promise<ClusterResult> {
  const { seed, say } = options;
  // The market is frozen, so that there is a single truth.
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed,
    products: options.products,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  say('asking a single process');
  const market = await referenceMarket(sandbox, options);
  say(`fields that indexing changes: ${[...market.indexed].join(', ')}`);
  await using front = await startRecordingFront(sandbox.origins, options.delayMs);
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const env = {
    ...sandboxEnv({ ...sandbox, origins: front.origins }, {}),
    DATABASE_URL: database.url,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  };
  const start = (role: 'api' | 'indexer', count: number) =>
    Promise.all(Array.from({ length: count }, () => serviceProcess(role, env)));
  const apis = await start('api', options.apis);
  const indexers = await start('indexer', options.indexers);
  const all = [...apis, ...indexers];
  try {
    await Promise.all(all.map((one) => one.start()));
    const result = await run(store, { apis, indexers }, market, options);
    const requests = front.requests();
    return {
      ...result,
      fetches: requests.length,
      differentFetches: new Set(requests.map(({ name }) => name)).size,
      twiceAtOnce: overlapping(requests),
    };
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

type Processes = {
  readonly apis: readonly ServiceProcess[];
  readonly indexers: readonly ServiceProcess[];
};

async function run(
  store: Store,
  { apis, indexers }: Processes,
  market: ReferenceMarket,
  { calls, seed, callers: count, seconds: most, killEveryMs, haltMs, say }: ClusterOptions,
): Promise<Omit<ClusterResult, 'fetches' | 'differentFetches' | 'twiceAtOnce'>> {
  const urls = apis.map(({ url }) => url);
  const callers = await Promise.all(
    Array.from({ length: count }, (_, at) => newCaller(store, ORGANIZATIONS[at % 4] ?? 'north')),
  );
  say('warming up');
  const warmed = await warmUp(store, market, urls, await newCaller(store, 'warming'));
  say(`${calls} calls of ${count} callers`);
  const startedAt = performance.now();
  const timed = async (calling: Promise<CallsResult>) => ({
    ...(await calling),
    seconds: (performance.now() - startedAt) / 1_000,
  });
  const killing = beginKilling([apis, indexers], killEveryMs, haltMs);
  const done = new AbortController();
  const { organizationId } = await newCaller(store, 'revoking');
  const revoking = measureRevocations(store, organizationId, urls, done.signal);
  const progress = (made: number) => say(`${made} calls made`);
  const isTimeUp = () => performance.now() - startedAt > most * 1_000;
  const random = randomFrom(seed);
  // A call whose process was killed waits 20 s before it is repeated: being killed again then would only repeat the same
  // wait.
  const allBegun = () => killing.stop();
  const options = { calls, random, callers, urls, market, progress, isTimeUp, allBegun };
  // However the calls end, none of them continues after the store is closed.
  const made = await timed(makeCalls(options)).finally(async () => {
    await killing.end().finally(() => done.abort());
    await revoking;
  });
  const revocations = await revoking;
  await settle(store);
  const ledger = await compareLedger(store.sql, [...warmed, ...made.calls], made.replays);
  const problems = (await checkStore(store.sql)).map(String);
  return { ...made, kills: killing.kills(), ledger, problems, revocations };
}

type NewCaller = Caller & { readonly organizationId: string };

async function newCaller(store: Store, organization: string): Promise<NewCaller> {
  const { id, text } = await issueKey(
    store.accounts,
    { organization, note: null, ...WIDE },
    Date.now(),
  );
  const found = await store.accounts.findKey(id);
  return { keyId: id, key: text, organizationId: found?.organization.id ?? '' };
}

/** Looks up everything that later calls expect to be stored, and drains the resulting queue. */
async function warmUp(
  store: Store,
  market: ReferenceMarket,
  urls: readonly string[],
  caller: Caller,
) {
  const warmed: Answered[] = [];
  for (const [at, { method, path }] of market.warming.entries()) {
    const url = urls[at % urls.length] ?? '';
    warmed.push(await perform(caller, { method, path, once: null }, () => [url]));
  }
  await untilIdle(store);
  return warmed;
}

/** A job that failed temporarily may be retried in an hour: a market with such a job is not the one to be measured. */
const IDLE_WITHIN_MS = 300_000;

/**
 * Waits until the queue is idle: a job of a killed process is resumed after 30 s. Rejects if jobs are left after five
 * minutes.
 */
async function untilIdle(store: Store): Promise<void> {
  const fromMs = performance.now();
  for (;;) {
    const { waiting, running } = await store.jobs.countJobs(Date.now());
    if (waiting + running === 0) return;
    if (performance.now() - fromMs > IDLE_WITHIN_MS)
      throw new Error(`${waiting} jobs wait and ${running} run after five minutes without a call`);
    await wait(100);
  }
}

/** Releases remaining reservations as after a minute: no calls are made any more, and killed processes left them. */
async function settle(store: Store): Promise<void> {
  while ((await sweepReservations(store.sql, Date.now() + DAY_MS)) > 0);
}
