// The composition root: makes a disposable service from the settings. This is the only file that knows every part, and the only
// one that chooses the clock, chance and the network.

import type { Config } from './config.ts';
import type { FetchContext } from '../base/fetch-context.ts';
import { fetchContext } from '../egress/deadline.ts';
import type { Doors } from '../server/listen/doors.ts';
import type { Endpoints } from '../server/listen/endpoints.ts';
import { createServing } from '../server/listen/serving.ts';
import { NO_REQUEST_LOG, createRequestLog, type Log, type RequestLog } from '../base/log.ts';
import type { LookupComparison } from '../answer/lookup/compare-product.ts';
import type { LookupHistory } from '../answer/lookup/history/lookup-history.ts';
import type { LookupProduct } from '../answer/lookup/lookup-product.ts';
import { newCallId } from '../data/metering/meter.ts';
import { createMetering, type Metering } from '../data/metering/metering.ts';
import { createSignedAddresses } from '../data/metering/signed-address.ts';
import { consoleFiles, readExamples, versionText } from './package-files.ts';
import { publicOrigins } from '../read/retailers/addresses/public-origins.ts';
import type { Store } from '../data/store.ts';
import { steadyClock } from './wiring/clocks.ts';
import { createEventLoop } from './wiring/event-loop.ts';
import { wireLookups, type Lookups } from './wiring/lookups.ts';
import { fewFilesText, openDoorsOf } from './wiring/open-doors.ts';
import { createOperator } from './wiring/operator.ts';
import type { Outside } from './wiring/outside.ts';
import { createSheetReader, type SheetReader } from './wiring/sheet-reader.ts';
import { openNeeds, type AppOptions, type Needs } from './wiring/shared-parts.ts';

export type App = AsyncDisposable & {
  readonly version: string;
  readonly store: Store;
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
  /** The parts that reach out of this process, and that watch; they are loaded when first asked for. */
  outside(): Promise<Outside>;
  /** Works off the jobs behind lookups without answering over HTTP, until the app is closed. */
  work(): Promise<void>;
  /** The context of a lookup from the command line, which has the same time as one over HTTP (D37). */
  lookupContext(stop?: AbortSignal): FetchContext;
  /** Looks once for watches that are due. A running service does so every second. */
  checkWatches(): Promise<number>;
  /** Sends once the notices that wait. A running service looks for it every second. */
  deliverNotices(): Promise<number>;
  /** Starts to answer over HTTP and to work off jobs, as the roles of this process allow. */
  listen(at?: ListenAt): Promise<Endpoints>;
  /**
   * Reports not ready, and serves on for `delayMs` (0 unless given). Then it finishes the answers that have begun and the
   * background work, until the deadline, which is counted from now.
   */
  stop(deadlineMs: number, delayMs?: number): Promise<void>;
};

/** Another port than that of the settings, or addresses that are already open; they are closed with the app. */
type ListenAt = { readonly port: number } | { readonly doors: Doors };

const PROBE_DEADLINE_MS = 1_000;
/** While the first calls are answered, loading the routes may wait this long for a quiet moment. */
const MOST_QUIET_MS = 250;
const QUIET_MS = 5;

/** Opens the database, with its folder if that is missing, and wires the parts. Rejects with what to mend. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const needs = await openNeeds(config, options, opened);
  const { clock, log, store, background } = needs;
  const lookups = wireLookups(config, needs);
  const { outside } = lookups;
  const { accounts, sql } = store;
  const metering = createMetering({ accounts, sql, clock, loop: createEventLoop() });
  const { read: readSheet } = opened.use(createSheetReader());
  const parts = partsOfAnswers(config, needs, { lookups, metering, readSheet });
  const serving = createServing({
    probe: () => sql.probe(PROBE_DEADLINE_MS),
    requestLog: requestLogOf(config, options),
    clock: steadyClock,
  });
  if (options.logTo !== undefined) warnOf(config, store, log);
  const stored = opened.move();
  const endWork = async () => {
    await stopWorker(outside);
    await background.stop();
  };
  return {
    version: parts.version,
    store,
    ...lookups,
    outside: outside.load,
    work: async () => (await outside.load()).worker.start(),
    checkWatches: async () => (await outside.load()).checkWatches(),
    deliverNotices: async () => (await outside.load()).deliverNotices(),
    lookupContext: (stop) => callerContext(needs, null, stop),
    listen: async (at) => {
      const { retention, keepChangesDays, roles } = config;
      const keepsStore = roles.includes('indexer');
      const answersApi = roles.includes('api');
      const answerAt = (doors: Doors) => serving.answer(doors, parts, { answersApi });
      // Callers that are already let in need not wait until housekeeping has begun.
      const early = at !== undefined && 'doors' in at ? answerAt(at.doors) : null;
      const { keepHouse } = await import('../answer/indexer/housekeeping.ts');
      await keepHouse({ ...needs, retention, keepChangesDays, metering, keepsStore });
      const listener = early ?? answerAt(await openDoorsOf({ ...config, ...at }, clock));
      await loadWhole(listener);
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

type Answering = {
  readonly lookups: Lookups;
  readonly metering: Metering;
  readonly readSheet: SheetReader['read'];
};

/** The parts that answers over HTTP are made of. */
function partsOfAnswers(config: Config, needs: Needs, { lookups, metering, readSheet }: Answering) {
  const { clock, log, metrics } = needs;
  const version = versionText();
  const outside = lookups.outside.load;
  return {
    clock,
    log,
    metering: behindTakedowns(metering, needs),
    ...lookups,
    outside,
    ...signedAddresses(needs),
    lookupContext: ({ organizationId }: { readonly organizationId: string }) =>
      callerContext(needs, organizationId),
    operator: createOperator({ ...needs, outside, config, version }),
    newId: () => newCallId(clock.now()),
    corsOrigins: config.corsOrigins,
    metrics,
    version,
    examples: readExamples,
    consoleFiles: consoleFiles(),
    readSheet,
    ...shopFacts(config),
  };
}

/** Loads the routes in a quiet moment; a call that needs them before loads them itself. */
async function loadWhole({ inHand, load }: Endpoints): Promise<void> {
  const untilMs = steadyClock.now() + MOST_QUIET_MS;
  while (inHand().lookup > 0 && steadyClock.now() < untilMs) await steadyClock.sleep(QUIET_MS);
  await load();
}

/** Starts what a running service does behind its answers, for as long as it runs. */
async function startInBackground(
  { outside, learnTitles }: Lookups,
  { background, log }: Pick<Needs, 'background' | 'log'>,
  keepsStore: boolean,
): Promise<void> {
  const { worker, keepWatching, keepDelivering, lockedChannels } = await outside.load();
  const warnOfLocked = async () => {
    const locked = await lockedChannels();
    if (locked !== null) log.warn(locked);
  };
  if (keepsStore) worker.start();
  const works = keepsStore
    ? [warnOfLocked, keepWatching, keepDelivering, learnTitles]
    : [learnTitles];
  for (const work of works) void background.run(work);
}

/** Gives running jobs back. A worker that was never loaded, or could not be, runs none. */
async function stopWorker({ asked }: Lookups['outside']): Promise<void> {
  const loaded = await asked()?.catch(() => null);
  await loaded?.worker.stop();
}

/** Before a caller is let in, the list of taken-down hosts is refreshed. */
function behindTakedowns(metering: Metering, { hosts }: Needs): Metering {
  return {
    ...metering,
    authenticate: hosts.fresh((header: string | undefined) => metering.authenticate(header)),
    knownCaller: (header) => (hosts.isFresh() ? metering.knownCaller(header) : null),
  };
}

/** Makes signed addresses for what a browser loads without a key. */
function signedAddresses({ store: { accounts }, clock }: Needs) {
  return {
    pictureAddresses: createSignedAddresses('picture', accounts, clock),
    sparklineAddresses: createSignedAddresses('sparkline', accounts, clock),
  };
}

/** What the pages of the console know of shops. */
function shopFacts(config: Config) {
  return { shops: shopHosts(), isSimulated: isSimulated(config) };
}

/** The host of each retailer's product pages, as people know it. */
function shopHosts(): Readonly<Record<string, string>> {
  const origins = Object.entries(publicOrigins());
  return Object.fromEntries(
    origins.map(([slug, { page }]) => [slug, new URL(page).host.replace(/^www\./, '')]),
  );
}

function callerContext(needs: Needs, organization: string | null, stop?: AbortSignal) {
  const deadline = { nowMs: needs.steady.now(), ms: needs.lookupMs, stop };
  return fetchContext(deadline, { kind: 'caller', organization });
}

function requestLogOf({ requestLog }: Config, { logTo }: AppOptions): RequestLog {
  return logTo === undefined || !requestLog ? NO_REQUEST_LOG : createRequestLog(logTo);
}

/** Whether no known retailer is asked at its own address. */
function isSimulated({ origins }: Config): boolean {
  return Object.values(publicOrigins()).every(({ page }) => origins.targetOf(page) !== null);
}

/** Warns of what an operator should mend before the first call. */
function warnOf(config: Config, store: Store, log: Log): void {
  for (const warning of config.warnings) log.warn(warning);
  // Nobody looks at the requests to simulated shops.
  if (config.contact === null && !isSimulated(config)) {
    log.warn(
      'OPENSHELF_CONTACT is not set, so shops cannot see who sends the requests. Set it to your web page or e-mail address.',
    );
  }
  const fewFiles = fewFilesText(config.limits.maxConnections);
  if (fewFiles !== null) log.warn(fewFiles);
  if (store.replica?.isThere() === false) {
    log.warn('OPENSHELF_READ_URL: no server answers there. The primary is read until one does.');
  }
}
