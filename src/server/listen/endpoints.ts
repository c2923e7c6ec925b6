// Connects the service to its listening addresses. Routes are loaded when a call first needs them.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import { later } from '../../base/once.ts';
import { NO_REQUEST_LOG, type Log, type RequestEntry, type RequestLog } from '../../base/log.ts';
import type { AnswerCache } from '../../answer/lookup/cache/answer-cache.ts';
import type { ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import type { Metering } from '../../data/metering/metering.ts';
import { billingOf } from '../bill.ts';
import type { Asked } from '../call.ts';
import { cachedBodyFor } from '../cached-answer.ts';
import { earlyTable } from '../early-table.ts';
import { createHeads } from '../headers.ts';
import { countedMethod, createPipeline } from '../pipeline.ts';
import type { ProductCallParts } from '../product-call.ts';
import type { AllParts } from '../routes.ts';
import type { ConsoleParts } from '../routes/pages/console.ts';
import type { Table } from '../table.ts';
import type { Doors } from './doors.ts';
import { createGate, type RefusedRequest } from './gate.ts';
import type { Listener } from './listener.ts';

export type Endpoints = Pick<Listener, 'url' | 'inHand' | 'closeConnections' | 'close'> & {
  /** Null if metrics are served at `url`. */
  readonly metricsUrl: string | null;
};

/** Parts that are created here from the others. */
type MadeHere = 'answer' | 'answersMetrics' | 'billing' | 'listedRoutes' | 'console';

/** The parts of routes that manage watches; they are loaded with the routes. */
type WatchingParts = Pick<AllParts, 'manageWatches' | 'manageChannels' | 'watchPrices' | 'lookNow'>;

export type EndpointParts = Omit<AllParts, MadeHere | keyof WatchingParts> &
  ProductCallParts & {
    readonly cache: AnswerCache | null;
    readonly clock: Clock;
    readonly log: Log;
    readonly metering: Metering;
    readonly metrics: ServiceMetrics;
    readonly requestLog: RequestLog;
    /** Scripts and styles of the console. */
    readonly consoleFiles: ConsoleParts['files'];
    /** The retailers' hosts by slug. */
    readonly shops: ConsoleParts['facts']['shops'];
    readonly isSimulated: boolean;
    readonly publicUrl: string | null;
    readonly watching: () => Promise<WatchingParts>;
  };

/** `answersApi` false: health and metrics only. */
export function answerAt(
  doors: Doors,
  parts: EndpointParts,
  { answersApi }: { readonly answersApi: boolean },
): Endpoints {
  const { main, metrics: own } = doors;
  const { corsOrigins, metrics, requestLog } = parts;
  const writeHead = createHeads(corsOrigins);
  const count = ({ ms, ...entry }: RequestEntry): void => {
    const { route, method, status } = entry;
    metrics.requestAnswered({ route, method, status, seconds: ms / SECOND_MS });
    requestLog.answered({ ...entry, ms });
  };
  doors.countBy(count);
  const { version, shops, isSimulated, usualCurrency, publicUrl, consoleFiles: files } = parts;
  const facts = { title: 'openshelf', version, shops, isSimulated, usualCurrency, publicUrl };
  const shared = {
    ...parts,
    billing: billingOf(parts),
    answersMetrics: own === null,
    console: { facts, files },
  };
  // A file that could not be read now, for lack of a descriptor, is read again by the next call.
  const tables = later(() => import('../all-tables.ts')).load;
  // The code that awaits these promises reports their rejection.
  const table = later(async () => {
    const { wholeTable, healthTable } = await tables();
    if (!answersApi) return healthTable(shared);
    const watching = await parts.watching();
    return wholeTable({
      ...shared,
      ...watching,
      answer: (asked, share) => pipeline.answer(asked, share),
    });
  }).load;
  const early = earlyTable(parts, answersApi);
  const pipeline = createPipeline({
    ...shared,
    cache: answersApi ? parts.cache : null,
    early,
    table,
  });
  const gate = { ...parts, writeHead, requestRefused: countRefused(table, count) };
  const isCached = (asked: Asked) => answersApi && cachedBodyFor(parts, asked) !== null;
  main.answerBy((room) => createGate(room, { ...gate, ...pipeline, isCached }));
  metrics.setInHand(() => main.inHand());
  const ownTable = later(async () => (await tables()).metricsTable(parts)).load;
  if (own !== null) {
    const noted = { metrics: UNCOUNTED, requestLog: NO_REQUEST_LOG };
    const { answer } = createPipeline({
      ...shared,
      ...noted,
      corsOrigins: NO_ORIGINS,
      cache: null,
      early: null,
      table: ownTable,
    });
    const alone = { ...gate, writeHead: createHeads(NO_ORIGINS), answer, isCached: () => false };
    own.answerBy((room) => createGate(room, alone));
  }
  return {
    ...main,
    metricsUrl: own?.url ?? null,
    close: (deadlineMs) => doors.close(deadlineMs),
  };
}

/** Pages of other origins may read answers of the API, but not metrics on a separate address. */
const NO_ORIGINS: readonly string[] = [];

/** Requests for metrics are not counted in them. */
const UNCOUNTED = { requestAnswered: () => undefined, cachedAnswered: () => undefined };

/** Counts and logs a refusal like an answer, by the route that would have answered. */
function countRefused(table: () => Promise<Table>, count: (entry: RequestEntry) => void) {
  return ({ requestId, asked, status, ms }: RefusedRequest): void => {
    const counted = { requestId, callId: requestId, tokens: 0, status, ms, organization: null };
    const method = countedMethod(asked.method);
    const named = table().then(({ match }) =>
      count({ ...counted, method, route: match(asked).found?.entry.path ?? 'unknown' }),
    );
    named.catch(() => undefined);
  };
}
