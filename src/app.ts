// The composition root: makes a disposable service from the settings. The only file that knows every part, and the only
// one that chooses the clock, chance and the network.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { Config } from './config.ts';
import { createByteBudget, type ByteBudget } from './core/byte-budget.ts';
import type { Clock } from './core/clock.ts';
import { fetchContext } from './fetch/deadline.ts';
import type { FetchContext, Priority } from './core/fetch-context.ts';
import { createDenials, type Denials } from './fetch/guard/denials.ts';
import { guardUrl } from './fetch/guard/url-guard.ts';
import type { EndpointOptions, Endpoints } from './http/endpoints.ts';
import { createServing } from './http/serving.ts';
import { createBackground, type Background } from './indexer/background.ts';
import { keepHouse } from './indexer/housekeeping.ts';
import { createWorker, type Worker } from './indexer/worker.ts';
import {
  createLog,
  createRequestLog,
  describeError,
  NO_REQUEST_LOG,
  type Log,
  type RequestLog,
} from './log.ts';
import { createAssemble } from './lookup/assemble-product.ts';
import {
  createExclusiveWork,
  fetchAlone,
  SINGLE_PROCESS,
  type ExclusiveWork,
} from './collect/exclusive-work.ts';
import { createItemReviews } from './lookup/item-reviews.ts';
import { createHeldAddOns, createLiveAddOns } from './lookup/product-add-ons.ts';
import { createCollect, knownMissOf } from './collect/collect.ts';
import { createLiveOffers } from './lookup/live-offers.ts';
import { openTakenDownHosts, type TakenDownHosts } from './collect/taken-down-hosts.ts';
import { createListRetailers, type ListRetailers } from './lookup/list-retailers.ts';
import { createLookupHistory, type LookupHistory } from './lookup/lookup-history.ts';
import {
  createLookupProduct,
  type LookupParts,
  type LookupProduct,
} from './lookup/lookup-product.ts';
import { createLookupReviews, type LookupReviews } from './lookup/lookup-reviews.ts';
import { createLookupSeller, type LookupSeller } from './lookup/lookup-seller.ts';
import { withReplica, type HeldLookups } from './lookup/replica-lookups.ts';
import { createScheduleBehind } from './lookup/schedule.ts';
import { keepLearningTitles } from './collect/count-titles.ts';
import { createAskSellerContext, createSellerContextOf } from './collect/seller-context.ts';
import { newCallId } from './metering/meter.ts';
import { createMetering } from './metering/metering.ts';
import { processFigures } from './metrics/process-figures.ts';
import { logWriteFailures } from './metrics/write-failures.ts';
import { createServiceMetrics, type ServiceMetrics } from './metrics/service-metrics.ts';
import { createReaderPool, type ReaderPool } from './reading/reader-pool.ts';
import { readExamples, readMatchModel, versionText } from './package-files.ts';
import { createDatabaseClock, type DatabaseClock } from './store/database-clock.ts';
import { openStore, type Store, type StoreConfig } from './store/store.ts';
import { createFetcher } from './fetch/guarded-fetcher.ts';
import type { OriginMap } from './fetch/origins.ts';
import { createSharedPacing } from './collect/shared-pacing.ts';
import { createAccess, createCanAskByBarcode } from './collect/source-access.ts';
import { createIsTrustedShop } from './retailers/trusted-shops.ts';
import { createMatching } from './matching/matcher.ts';
import type { SearchWeb } from './collect/search-web.ts';

/** The clock of a running service. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};

const steadyNow = () => Math.round(performance.timeOrigin + performance.now());
/** For waiting and for measuring spans of time: it begins at the system's time and unlike that is never set. */
const steadyClock: Clock = { ...systemClock, now: steadyNow };

export type App = AsyncDisposable & {
  readonly version: string;
  readonly store: Store;
  readonly lookupProduct: LookupProduct;
  readonly lookupHistory: LookupHistory;
  /** Of a lookup from the command line, which has the same time as one over HTTP (D37). */
  lookupContext(stop?: AbortSignal): FetchContext;
  /** Starts to answer over HTTP and to work off jobs, as the roles of this process allow. */
  listen(at?: { readonly port: number }): Promise<Endpoints>;
  /**
   * Reports not ready, and serves on for `delayMs` (0 unless given); then finishes the answers that have begun, until
   * the deadline, which is counted from now, and the background work.
   */
  stop(deadlineMs: number, delayMs?: number): Promise<void>;
};

export type AppOptions = {
  readonly clock?: Clock;
  /** By which the service waits; unless stated `clock`, and without that one a clock that is never set. */
  readonly steady?: Clock;
  /** Takes each line of the log; without it nothing is logged, so that a command's stderr has its own messages only. */
  readonly logTo?: (line: string) => void;
};

/** D37: a lookup's own deadline over all its fetches. */
const LOOKUP_DEADLINE_MS = 15_000;
/** Deadline of a background job: long enough for two requests to a shop that wants a minute between them. */
const JOB_DEADLINE_MS = 120_000;
const JOBS_AT_ONCE = 4;
/** Of pages that arrive or wait to be read; the largest has 8 MiB. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const BACKGROUND: Priority = { kind: 'background' };
const PROBE_DEADLINE_MS = 1_000;

/** Opens the database, creating the data folder when it is missing, and wires the parts. Rejects with what to mend. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const needs = await openNeeds(config, options, opened);
  const { clock, log, store, background, metrics, hosts } = needs;
  const version = versionText();
  const lookups = wireLookups(config, needs);
  const { lookupProduct, lookupHistory, worker } = lookups;
  const metering = createMetering({ accounts: store.accounts, sql: store.sql, clock });
  const probe = () => store.sql.probe(PROBE_DEADLINE_MS);
  const requestLog = requestLogOf(config, options);
  const serving = createServing({ probe, requestLog, clock: steadyClock });
  const parts = {
    clock,
    log,
    metering: {
      ...metering,
      authenticate: hosts.fresh((header: string | undefined) => metering.authenticate(header)),
    },
    ...lookups,
    lookupContext: ({ organizationId }: { readonly organizationId: string }) =>
      callerContext(needs, organizationId),
    newId: () => newCallId(clock.now()),
    corsOrigins: config.corsOrigins,
    metrics,
    version,
    examples: readExamples,
  };
  if (options.logTo !== undefined) warnOf(config, store, log);
  const held = opened.move();
  return {
    version,
    store,
    lookupProduct,
    lookupHistory,
    lookupContext: (stop) => callerContext(needs, null, stop),
    listen: async (at) => {
      const { retention, roles } = config;
      const keepsStore = roles.includes('indexer');
      await keepHouse({ ...needs, retention, metering, keepsStore });
      const listener = await serving.listen(parts, endpointsOf(config, at?.port));
      if (keepsStore) worker.start();
      void background.run(lookups.learnTitles);
      return listener;
    },
    stop: async (deadlineMs, delayMs = 0) => {
      await serving.stop({ deadlineMs, delayMs });
      await worker.stop();
      await background.stop();
      await metering.noteUses();
    },
    [Symbol.asyncDispose]: async () => {
      await serving.end();
      await worker.stop();
      await background.stop();
      await held.disposeAsync();
    },
  };
}

function callerContext({ steady }: Needs, organization: string | null, stop?: AbortSignal) {
  const deadline = { nowMs: steady.now(), ms: LOOKUP_DEADLINE_MS, stop };
  return fetchContext(deadline, { kind: 'caller', organization });
}

function requestLogOf({ requestLog }: Config, { logTo }: AppOptions): RequestLog {
  return logTo === undefined || !requestLog ? NO_REQUEST_LOG : createRequestLog(logTo);
}

/** What all parts share, to be closed with `opened`. */
async function openNeeds(
  config: Config,
  options: AppOptions,
  opened: AsyncDisposableStack,
): Promise<Needs> {
  const clock = options.clock ?? systemClock;
  const steady = options.steady ?? options.clock ?? steadyClock;
  const log = createLog((line) => options.logTo?.(line.trimEnd()));
  const store = opened.use(await openData(config, log));
  const pages = createByteBudget(MAX_PAGE_BYTES);
  const readers = opened.adopt(createReaderPool({ budget: pages }), (pool) => pool.close());
  const sharedClock = await createDatabaseClock(store.sql, steady);
  const onError = (what: string, error: unknown) =>
    log.error(what, { error: describeError(error) });
  const background = createBackground((error) => onError('background work failed', error));
  const figures = processFigures;
  const metrics = createServiceMetrics({ store, clock, version: versionText(), figures });
  const alone = { clock: sharedClock, store, onError, newId: randomUUID };
  // SQLite belongs to one process; any number of processes may share PostgreSQL (docs/cluster.md).
  const isAlone = store.sql.dialect === 'sqlite';
  const exclusive = isAlone
    ? SINGLE_PROCESS
    : createExclusiveWork({ ...alone, leases: store.leases });
  const hosts = await openTakenDownHosts(store.sql, steadyClock, log, config.dataDir);
  const denied = createDenials(config.deny);
  const denials: Denials = {
    ...denied,
    isDeniedHost: (host) => denied.isDeniedHost(host) || hosts.isTakenDown(host),
  };
  const shared = { denials, hosts, steady, sharedClock, pages, exclusive };
  return { ...alone, ...shared, clock, log, readers, background, metrics };
}

function endpointsOf(config: Config, port: number = config.port): EndpointOptions {
  const { host, limits, metrics, trustProxy: behindProxy, roles } = config;
  return { host, port, limits, metrics, behindProxy, answersApi: roles.includes('api') };
}

type Needs = {
  readonly clock: Clock;
  readonly steady: Clock;
  readonly sharedClock: DatabaseClock;
  readonly pages: ByteBudget;
  readonly denials: Denials;
  readonly log: Log;
  readonly store: Store;
  readonly readers: ReaderPool;
  readonly background: Background;
  readonly onError: (what: string, error: unknown) => void;
  readonly metrics: ServiceMetrics;
  readonly exclusive: ExclusiveWork;
  readonly hosts: TakenDownHosts;
  readonly newId: () => string;
};

type Lookups = {
  readonly lookupProduct: LookupProduct;
  readonly lookupHistory: LookupHistory;
  readonly lookupReviews: LookupReviews;
  readonly lookupSeller: LookupSeller;
  readonly listRetailers: ListRetailers;
  /** Works off the jobs that lookups put on the queue, once it is started. */
  readonly worker: Worker;
  /** Counts held titles into the matcher's rarities, for as long as the service runs. */
  readonly learnTitles: (stop: AbortSignal) => Promise<void>;
};

/** Everything that fetches from shops, retailers and the search engine. */
function wireFetching(config: Config, needs: Needs) {
  const { clock, steady, sharedClock, log, store, readers, metrics, exclusive, hosts, newId } = needs;
  const fetcherWith = (origins: OriginMap) =>
    createFetcher({
      denials: needs.denials,
      version: versionText(),
      contact: config.contact,
      origins,
      dnsServers: config.dnsServers,
      egressProxy: config.egressProxy,
      hostIntervalMs: config.hostIntervalMs,
      maxConcurrent: config.maxConcurrent,
      ...createSharedPacing(store, sharedClock, steady),
      budget: needs.pages,
      clock,
      steady,
      log: ({ event, host, kind, why }) => log.info(event, { host, kind, why }),
    });
  const fetcher = fetchAlone(exclusive, hosts.fresh(metrics.counted(fetcherWith(config.origins))));
  const access = createAccess({
    fetch: fetcher,
    clock,
    steady,
    credentials: config.credentials,
    isTakenDown: hosts.isRetailerTakenDown,
    newId,
  });
  const search: SearchWeb = {
    provider: config.search.provider,
    fetch: metrics.counted(fetcherWith(config.search.origins), 'search_provider'),
    read: (page, context) => readers.webSearch(page, context),
  };
  const readAnswer: ReaderPool['answer'] = (page, name, slug, context) =>
    hosts.unlessTakenDown(page, readers.answer(page, name, slug, context), TAKEN_DOWN);
  const ask = { fetch: fetcher, readAnswer, access, store, clock };
  const matching = createMatching(readMatchModel());
  const isTrustedShop = createIsTrustedShop(config.trustedShops);
  const collect = createCollect({
    ...ask,
    readShop: readers.shop,
    search,
    matching,
    isTrustedShop,
    exclusive,
  });
  const canAskByBarcode = createCanAskByBarcode(access, search, hosts.isRetailerTakenDown);
  return { ask, collect, matching, isTrustedShop, canAskByBarcode };
}

/** Of a page whose host was taken down while it was fetched and read. */
const TAKEN_DOWN = { kind: 'blocked', why: 'the host was taken down' } as const;

/** The lookups, and the worker for the jobs that they put on the queue. */
function wireLookups(config: Config, needs: Needs): Lookups {
  const { clock, steady, sharedClock, store, background, onError } = needs;
  const { ask, collect, matching, isTrustedShop, canAskByBarcode } = wireFetching(config, needs);
  const behind = (ms: number) => (stop: AbortSignal) =>
    fetchContext({ nowMs: steady.now(), ms, stop }, BACKGROUND);
  const inBackground = (work: (context: FetchContext) => Promise<unknown>) =>
    background.run((stop) => work(behind(LOOKUP_DEADLINE_MS)(stop)));
  const worker = createWorker({
    jobs: store.jobs,
    collect,
    clock: sharedClock,
    random: Math.random,
    newId: needs.newId,
    contextFor: behind(JOB_DEADLINE_MS),
    onError,
    concurrency: JOBS_AT_ONCE,
  });
  const isAllowedUrl = (text: string) =>
    guardUrl(text, { origins: config.origins, ...needs.denials }).ok;
  const itemReviews = createItemReviews({ ...ask, inBackground });
  const scheduling = { store, collect, canAskByBarcode, clock: sharedClock, inBackground };
  const addLive = createLiveAddOns(
    createLiveOffers(ask),
    itemReviews,
    createAskSellerContext(createSellerContextOf(ask)),
  );
  const scheduleBehind = createScheduleBehind({ ...scheduling, enqueued: () => worker.wake() });
  const asking = {
    collect,
    matching,
    isTrustedShop,
    canAskByBarcode,
    addLive,
    clock,
    isAllowedUrl,
    scheduleBehind,
  };
  const { lookupProduct, lookupHistory } = heldLookups(store, asking);
  const searchProvider = config.search.provider?.kind ?? null;
  return {
    lookupProduct,
    lookupHistory,
    lookupReviews: createLookupReviews({
      clock,
      collect,
      lookupProduct,
      itemReviews,
      isAllowedUrl,
    }),
    lookupSeller: createLookupSeller({ ...ask, exclusive: needs.exclusive, inBackground }),
    listRetailers: createListRetailers({ store, access: ask.access, searchProvider }),
    worker,
    learnTitles: (stop) =>
      keepLearningTitles(
        {
          store,
          matching,
          clock,
          onError: (error) => onError('could not count the words of titles', error),
        },
        stop,
      ),
  };
}

/** Warns of what an operator should mend before the first call. */
function warnOf(config: Config, store: Store, log: Log): void {
  if (config.contact === null) {
    log.warn(
      'OPENSHELF_CONTACT is not set, so shops cannot see who sends the requests. Set it to your web page or mailto: address.',
    );
  }
  if (store.replica?.isThere() === false) {
    log.warn('OPENSHELF_READ_URL: no server answers there. The primary is read until one does.');
  }
}

/** The lookups that answer from what is held; with a read replica they read it there. */
function heldLookups(store: Store, asking: Omit<LookupParts, 'store' | 'assemble'>): HeldLookups {
  const { clock, matching, isTrustedShop, collect, isAllowedUrl } = asking;
  const over = (one: Store): HeldLookups => {
    const heldAddOns = createHeldAddOns({
      store: one,
      clock,
      queuedRetailers: (gtin) => store.jobs.findLiveJobs(gtin),
    });
    return {
      lookupProduct: createLookupProduct({
        ...asking,
        store: one,
        collect: { ...collect, knownMiss: (key) => knownMissOf({ store: one, clock }, key) },
        assemble: createAssemble({ store: one, clock, matching, isTrustedShop, heldAddOns }),
      }),
      lookupHistory: createLookupHistory({
        store: one,
        clock,
        isAllowedUrl,
        isTrustedShop,
        matching,
      }),
    };
  };
  const { replica } = store;
  if (replica === null) return over(store);
  return withReplica(over(store), over(replica.store), replica);
}

/** Which database the settings name, and where it is. */
export function storeOf(config: Pick<Config, 'databaseUrl' | 'dataDir'>): StoreConfig {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl };
  return { kind: 'sqlite', path: join(dataDir, 'openshelf.db') };
}

/** With the read replica, if one is set. Commands read the primary only: they read too little to need a replica. */
async function openData(config: Config, log: Log): Promise<Store> {
  const place = storeOf(config);
  const { readUrl } = config;
  const replica = readUrl === null ? null : { url: readUrl, clock: steadyClock };
  const store = await openStore(place.kind === 'sqlite' ? place : { ...place, replica });
  logWriteFailures(store.writes, log, steadyClock);
  return store;
}

/** Opens the data only, for a command that looks nothing up. */
export async function withStore<T>(
  config: Config,
  work: (store: Store, nowMs: number) => Promise<T>,
): Promise<T> {
  await using store = await openStore(storeOf(config));
  return await work(store, systemClock.now());
}
