// The composition root: creates a disposable service from the settings. This is the only file that knows every part, and the
// only one that chooses the clock, randomness and the network.

import { hostname } from 'node:os';

import type { Config } from './config.ts';
import type { FetchContext } from '../base/fetch-context.ts';
import type { Patience } from '../base/in-progress.ts';
import { fetchContext } from '../egress/deadline.ts';
import type { Doors } from '../server/listen/doors.ts';
import type { Endpoints } from '../server/listen/endpoints.ts';
import { createServing } from '../server/listen/serving.ts';
import { NO_REQUEST_LOG, createRequestLog, type Log, type RequestLog } from '../base/log.ts';
import type { LookupComparison } from '../answer/lookup/compare-product.ts';
import type { LookupHistory } from '../answer/lookup/history/lookup-history.ts';
import type { LookupProduct, OwnRecord } from '../answer/lookup/lookup-product.ts';
import { newCallId } from '../data/metering/meter.ts';
import { keepReservations } from '../data/metering/keep-reservations.ts';
import { createMetering, type Caller, type Metering } from '../data/metering/metering.ts';
import { createSignIns } from '../data/metering/sign-ins.ts';
import { createSignedAddresses } from '../data/metering/signed-address.ts';
import { consoleFiles, readExamples, versionText } from './package-files.ts';
import { shopHosts } from '../read/retailers/addresses/public-origins.ts';
import { mixedSources } from '../read/retailers/credentials.ts';
import type { Store } from '../data/store.ts';
import { steadyClock } from './wiring/clocks.ts';
import { createEventLoop } from './wiring/event-loop.ts';
import { wireLookups, type Lookups } from './wiring/lookups.ts';
import { collectGarbage, collectWhenQuiet, processCpuMs } from './wiring/quiet-collection.ts';
import { fewFilesText, openDoorsOf } from './wiring/open-doors.ts';
import { createOperator } from './wiring/operator.ts';
import { isSimulated } from './wiring/is-simulated.ts';
import type { Outside } from './wiring/outside.ts';
import type { Watching } from './wiring/watching.ts';
import { createSheetReader, type SheetReader } from './wiring/sheet-reader.ts';
import { openNeeds, type AppOptions, type Needs } from './wiring/shared-parts.ts';

export type App = AsyncDisposable & {
  readonly version: string;
  readonly store: Store;
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
  readonly ownRecord: OwnRecord;
  /** The currency of answers and watches for which none is requested (D87). */
  readonly usualCurrency: string;
  /** Loads, on first use, the parts that ask shops. */
  outside(): Promise<Outside>;
  /** Loads, on first use, the worker and the parts that watch. */
  watching(): Promise<Watching>;
  /** Processes the jobs behind lookups without answering over HTTP, until the app is closed. */
  work(): Promise<void>;
  /** Creates the context of a lookup from the command line, which has the same deadline as one over HTTP (D37). */
  lookupContext(stop?: AbortSignal, patience?: Patience): FetchContext;
  /** Checks once for due watches. A running service does so when one is due. */
  checkWatches(): Promise<number>;
  /** Sends the waiting notices once. A running service sends them when they are due. */
  deliverNotices(): Promise<number>;
  /** Starts to answer over HTTP and to process jobs, as the roles of this process allow. */
  listen(at?: ListenAt): Promise<Endpoints>;
  /**
   * Reports not ready, and continues to serve for `delayMs` (0 by default). Then it finishes the answers that have begun
   * and the background work, until the deadline, which is counted from now.
   */
  stop(deadlineMs: number, delayMs?: number): Promise<void>;
};

/** A port other than the one in the settings, or addresses that are already open; they are closed with the app. */
type ListenAt = { readonly port: number } | { readonly doors: Doors };

const PROBE_DEADLINE_MS = 1_000;

/** Opens the database, creating its folder if it is missing, and wires the parts. Rejects with what to fix. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const needs = await openNeeds(config, options, opened);
  const { clock, log, store, background, sharedClock } = needs;
  const lookups = wireLookups(config, needs);
  const { outside, watching } = lookups;
  const { accounts, sql } = store;
  const metering = createMetering({
    accounts,
    sql,
    clock,
    leaseClock: sharedClock,
    steady: sql.dialect === 'sqlite' ? needs.steady : sharedClock,
    loop: createEventLoop(),
  });
  const sheets = opened.use(createSheetReader(config.currency));
  const parts = partsOfAnswers(config, needs, { lookups, metering, sheets });
  const serving = createServing({
    probe: () => sql.probe(PROBE_DEADLINE_MS),
    requestLog: requestLogOf(config, options),
    clock: steadyClock,
  });
  if (options.logTo !== undefined) warnOf(config, store, log);
  const stored = opened.move();
  const endWork = async () => {
    await stopWorker(watching);
    await background.stop();
  };
  return {
    version: parts.version,
    usualCurrency: config.currency,
    store,
    ...lookups,
    outside: outside.load,
    watching: watching.load,
    work: async () => (await watching.load()).worker.start(),
    checkWatches: async () => (await watching.load()).checkWatches(),
    deliverNotices: async () => (await watching.load()).deliverNotices(),
    lookupContext: (stop, patience) => callerContext(needs, null, { stop, patience }),
    listen: async (at) => {
      const { retention, keepChangesDays, roles } = config;
      const keepsStore = roles.includes('indexer');
      const answersApi = roles.includes('api');
      const answerAt = (doors: Doors) => serving.answer(doors, parts, { answersApi });
      // Callers that are already admitted need not wait until housekeeping has started.
      const early = at !== undefined && 'doors' in at ? answerAt(at.doors) : null;
      void background.run((stop) => keepReservations({ ...needs, metering }, stop));
      const { keepHouse } = await import('../answer/indexer/housekeeping.ts');
      const sweep = () =>
        metering
          .renewReservations()
          .then(() => Promise.all([metering.sweep(), store.sessions.sweep(clock.now())]));
      const notifyOperator = await operatorNotices(config, needs);
      const house = { ...needs, retention, keepChangesDays, keepsStore, notifyOperator };
      await keepHouse({ ...house, metering: { ...metering, sweep } });
      const listener = early ?? answerAt(await openDoorsOf({ ...config, ...at }, clock));
      await startInBackground(lookups, needs, keepsStore);
      return listener;
    },
    stop: async (deadlineMs, delayMs = 0) => {
      await serving.stop({ deadlineMs, delayMs });
      await endWork();
      await metering.noteUses();
    },
    [Symbol.asyncDispose]: async () => {
      await serving.end();
      await endWork();
      await stored.disposeAsync();
    },
  };
}

/** Returns what notifies the operator in each background round; null if no channel is set for that. */
async function operatorNotices({ operatorChannel: channelId, roles }: Config, needs: Needs) {
  if (channelId === '' || !roles.includes('indexer')) return null;
  const { createOperatorNotices } = await import('../answer/indexer/operator-notices.ts');
  return createOperatorNotices({ ...needs, host: hostname(), channelId });
}

type Answering = {
  readonly lookups: Lookups;
  readonly metering: Metering;
  readonly sheets: SheetReader;
};

/** Returns the parts needed for answers over HTTP. */
function partsOfAnswers(config: Config, needs: Needs, { lookups, metering, sheets }: Answering) {
  const { clock, log, metrics, store } = needs;
  const version = versionText();
  const outside = lookups.outside.load;
  return {
    clock,
    log,
    metering: behindTakedowns(metering, needs),
    ...lookups,
    outside,
    watching: lookups.watching.load,
    ...signedAddresses(needs),
    lookupContext: ({ organizationId }: Pick<Caller, 'organizationId'>, patience?: Patience) =>
      callerContext(needs, organizationId, { patience }),
    identityFiles: async () =>
      (await import('./wiring/identity.ts')).identityFiles(config, { nowMs: clock.now(), days: 7 }),
    signIns: createSignIns(store.sessions, clock),
    accounts: store.accounts,
    isBehindProxy: config.trustProxy,
    operator: createOperator({ ...needs, outside, config, version }),
    newId: () => newCallId(clock.now()),
    corsOrigins: config.corsOrigins,
    usualCurrency: config.currency,
    publicUrl: config.publicUrl,
    metrics,
    version,
    examples: readExamples,
    consoleFiles: consoleFiles(),
    readSheet: sheets.read,
    writeWorkbook: sheets.write,
    ...shopFacts(config),
  };
}

/** Starts a running service's background work, for as long as it runs. */
async function startInBackground(
  { watching, learnTitles }: Lookups,
  { background, log }: Pick<Needs, 'background' | 'log'>,
  keepsStore: boolean,
): Promise<void> {
  const { worker, keepWatching, keepDelivering, lockedChannels } = await watching.load();
  const warnOfLocked = async () => {
    const locked = await lockedChannels();
    if (locked !== null) log.warn(locked);
  };
  if (keepsStore) worker.start();
  const collection = { clock: steadyClock, cpuMs: processCpuMs, collect: collectGarbage };
  const always = [learnTitles, (stop: AbortSignal) => collectWhenQuiet(collection, stop)];
  const works = keepsStore ? [warnOfLocked, keepWatching, keepDelivering, ...always] : always;
  for (const work of works) void background.run(work);
}

/** Returns running jobs to the queue. A worker that was never loaded, or could not be, runs none. */
async function stopWorker({ asked }: Lookups['watching']): Promise<void> {
  const loaded = await asked()?.catch(() => null);
  await loaded?.worker.stop();
}

/** Refreshes the list of taken-down hosts before a caller is admitted. */
function behindTakedowns(metering: Metering, { hosts }: Needs): Metering {
  return { ...metering, authenticate: hosts.fresh(metering.authenticate) };
}

/** Creates signed addresses for content that a browser loads without a key. */
function signedAddresses({ store: { accounts }, clock }: Needs) {
  return {
    pictureAddresses: createSignedAddresses('picture', accounts, clock),
    sparklineAddresses: createSignedAddresses('sparkline', accounts, clock),
  };
}

/** Returns the shop facts that the console's pages need. */
function shopFacts(config: Config) {
  return { shops: shopHosts(), isSimulated: isSimulated(config) };
}

type Waits = {
  readonly stop?: AbortSignal | undefined;
  readonly patience?: Patience | undefined;
};

function callerContext(
  { steady, lookupMs }: Needs,
  organization: string | null,
  { stop, patience }: Waits,
): FetchContext {
  const ms = Math.max(lookupMs, patience?.ms ?? 0);
  const context = fetchContext({ nowMs: steady.now(), ms, stop }, { kind: 'caller', organization });
  return patience === undefined
    ? { ...context, asksDatabases: true }
    : { ...context, onGathering: patience.onGathering };
}

function requestLogOf({ requestLog }: Config, { logTo }: AppOptions): RequestLog {
  return logTo === undefined || !requestLog ? NO_REQUEST_LOG : createRequestLog(logTo);
}

/** Warns of what an operator should fix before the first call. */
function warnOf(config: Config, store: Store, log: Log): void {
  const warnings = [...config.warnings, ...mixedSources(config.credentials)];
  for (const warning of warnings) log.warn(warning);
  // Nobody examines the requests to simulated shops.
  if (config.contact === null && !isSimulated(config)) {
    log.warn(
      'OPENSHELF_CONTACT is not set, so shops cannot see who sends the requests. Set it to your web page or e-mail address.',
    );
  }
  const fewFiles = fewFilesText(config.limits.maxConnections);
  if (fewFiles !== null) log.warn(fewFiles);
  if (store.replica?.isThere() === false) {
    log.warn(
      'No server answers at OPENSHELF_READ_URL. The primary answers all reads until one does.',
    );
  }
}
