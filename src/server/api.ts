// The HTTP API: this file alone joins routes, middleware and errors with what each of them uses. It makes the OpenAPI
// document from the route definitions that requests are validated with.

import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import { cors } from 'hono/cors';

import type { Clock } from '../base/clock.ts';
import { once } from '../base/once.ts';
import type { Log, RequestLog } from '../base/log.ts';
import type { FindCandidates } from '../answer/lookup/find-candidates.ts';
import type { ListRetailers } from '../answer/lookup/list-retailers.ts';
import type { LookupComparison } from '../answer/lookup/compare-product.ts';
import type { LookupProduct } from '../answer/lookup/lookup-product.ts';
import type { LookupReviews } from '../answer/lookup/lookup-reviews.ts';
import type { AnswerCache } from '../answer/lookup/cache/answer-cache.ts';
import type { StoredAnswers } from '../answer/lookup/stored-answers.ts';
import type { LookupSeller } from '../answer/lookup/lookup-seller.ts';
import type { ManageChannels } from '../answer/lookup/watches/manage-channels.ts';
import type { ManageWatches } from '../answer/lookup/watches/manage-watches.ts';
import type { WatchPrices } from '../answer/lookup/watches/watch-prices.ts';
import type { Metering } from '../data/metering/metering.ts';
import type { ServiceMetrics } from '../answer/metrics/service-metrics.ts';
import { billingOf } from './bill.ts';
import type { Api, HttpEnv, LookupContext } from './context.ts';
import { EXPOSED_HEADERS } from './cross-origin.ts';
import type { Example } from './document/examples.ts';
import {
  countRequests,
  createKeyCheck,
  limitRequests,
  nameRequests,
  stateLimits,
} from './middleware.ts';
import { preparedText } from './prepared-text.ts';
import { answerError, answerFault, PROBLEM_TYPE } from './problems/problems.ts';
import type { RefusedCallParts } from './refused-call.ts';
import { addConsoleRoutes, type ConsoleFile } from './routes/pages/console.ts';
import type { ProductPictures } from '../answer/lookup/product-pictures.ts';
import type { SignedAddresses } from '../data/metering/signed-address.ts';
import type { Operator } from './routes/installation/operator.ts';
import { addLocalMetricsRoute } from './routes/installation/metrics.ts';
import { addLlmsTextRoute } from './routes/pages/llms-text.ts';
import { addPictureRoute } from './routes/products/pictures.ts';
import { HEALTH_ROUTES } from './routes/installation/service.ts';
import { addChartRoute } from './routes/watches/sparklines.ts';
import { addRoute } from './add-route.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Route } from './route.ts';
import { listedRoutes, ROUTES, type RouteParts } from './routes.ts';
import { addMcpRoute, MCP_HEADERS } from './routes/mcp.ts';
import { addReferenceRoutes } from './routes/pages/reference.ts';
import { addSheetRoute } from './routes/pages/sheet.ts';
import type { ReadSheet } from './sheet-reading.ts';
import { STREAM_HEADERS } from './routes/watches/changes.ts';
import { createUnknownRoute } from './problems/unknown-route.ts';

/** What the API of a process that answers everything is made of; `createApi` hands each route its share. */
export type ApiParts = HealthParts &
  OutsideParts & {
    readonly lookupProduct: LookupProduct;
    readonly answers: StoredAnswers;
    /** Null where no answer is given again. */
    readonly cache: AnswerCache | null;
    readonly lookupComparison: LookupComparison;
    readonly pictureAddresses: SignedAddresses;
    readonly sparklineAddresses: SignedAddresses;
    readonly operator: Operator;
    readonly lookupContext: LookupContext;
    readonly metering: Metering;
    readonly metrics: Pick<
      ServiceMetrics,
      'requestAnswered' | 'tokensCharged' | 'preparedAnswered' | 'text'
    >;
    readonly corsOrigins: readonly string[];
    readonly version: string;
    /** Called when the document is made. */
    readonly examples: () => readonly Example[];
    /** Scripts and styles of the console. */
    readonly consoleFiles: readonly ConsoleFile[];
    /** Reads a file that a person gives to the console. */
    readonly readSheet: ReadSheet;
    /** The retailers' hosts by slug. */
    readonly shops: Readonly<Record<string, string>>;
    readonly isSimulated: boolean;
  };

/** The parts that ask shops or keep watches; they are loaded with the framework. */
export type OutsideParts = {
  readonly lookupReviews: LookupReviews;
  readonly lookupSeller: LookupSeller;
  readonly manageWatches: ManageWatches;
  readonly manageChannels: ManageChannels;
  readonly watchPrices: WatchPrices;
  readonly listRetailers: ListRetailers;
  readonly findCandidates: FindCandidates;
  /** Null where this installation shows no pictures. */
  readonly pictures: ProductPictures | null;
};

/** What the API of a process that only works in the background is made of. */
export type HealthParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly metering: RefusedCallParts['metering'] & Pick<Metering, 'requireScope'>;
  readonly metrics: Pick<ServiceMetrics, 'requestAnswered' | 'text'>;
  /** Makes a random, unguessable, unique id, which names a call in the ledger and in the log. */
  readonly newId: () => string;
  readonly isReady: () => Promise<boolean>;
  /** Whether the process takes no new calls and only finishes those under way. */
  readonly isStopping: () => boolean;
  /** Whether `/metrics` has no address of its own and is answered here, to local callers (D4). */
  readonly answersMetrics: boolean;
};

/** Headers that a client in a browser may send with any call, where its origin is allowed. */
const CALL_HEADERS = ['Authorization', 'Idempotency-Key', 'X-Request-Id'];

/** The whole API: the routes below /v1, health, documents and metrics. */
export function createApi(parts: ApiParts): Api {
  const api: Api = new Hono<HttpEnv>();
  const requireKey = createKeyCheck(parts.metering);
  api.use(countRequests(parts));
  api.use(nameRequests(parts.newId));
  api.use(compress({ contentTypeFilter: isCompressed }));
  if (parts.corsOrigins.length > 0) {
    const allowHeaders = [...CALL_HEADERS, ...STREAM_HEADERS, ...MCP_HEADERS];
    const exposeHeaders = [...EXPOSED_HEADERS];
    api.use(cors({ origin: [...parts.corsOrigins], allowHeaders, exposeHeaders, maxAge: 600 }));
  }
  api.use(stateLimits(parts.metering));
  api.use(limitRequests);
  addRoutes(api, ROUTES, routePartsOf(parts));
  if (parts.answersMetrics) addLocalMetricsRoute(api, parts.metrics.text);
  addPictureRoute(api, parts);
  addChartRoute(api, parts);
  addSheetRoute(api, { ...parts, requireKey });
  addMcpRoute(api, { ...parts, requireKey });
  addDocumentRoutes(api, parts);
  api.onError((error, c) => answerError(error, c, parts));
  const unknown = once(() => createUnknownRoute(api.routes));
  api.notFound(async (c) => answerFault(unknown()(c.req.method, c.req.path), c, parts));
  return api;
}

const isCompressed = (type: string): boolean =>
  type !== PROBLEM_TYPE && COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);

const INDEXER_ONLY =
  'This process works in the background only (OPENSHELF_ROLE=indexer): it answers /livez and /readyz. Send API calls ' +
  'to a process with the role api.';

/**
 * The API of a process that only works in the background: health, and metrics where they have no address of their own.
 */
export function createHealthApi(parts: HealthParts): Api {
  const api: Api = new Hono<HttpEnv>();
  api.use(countRequests(parts));
  api.use(nameRequests(parts.newId));
  api.use(limitRequests);
  addRoutes(api, HEALTH_ROUTES, parts);
  if (parts.answersMetrics) addLocalMetricsRoute(api, parts.metrics.text);
  const elsewhere = { code: 'unknown_route', detail: INDEXER_ONLY } as const;
  api.onError((error, c) => answerError(error, c, parts));
  api.notFound(async (c) => answerFault(elsewhere, c, parts));
  return api;
}

function addRoutes<Parts>(
  api: Api,
  routes: readonly Route<Parts>[],
  parts: Parts & { readonly metering: Parameters<typeof createKeyCheck>[0] },
): void {
  const requireKey = createKeyCheck(parts.metering);
  for (const each of routes) addRoute(api, each, parts, requireKey);
}

function routePartsOf(parts: ApiParts): RouteParts & Pick<ApiParts, 'metering'> {
  const { preparedAnswered } = parts.metrics;
  return {
    ...parts,
    billing: billingOf(parts),
    preparedAnswered,
    listedRoutes: once(listedRoutes),
  };
}

function addDocumentRoutes(api: Api, parts: ApiParts): void {
  const { version, examples, consoleFiles, shops, isSimulated } = parts;
  // Loaded with the first request for it, so that the start does not wait for what writes it.
  let made: OpenApiDocument | null = null;
  const document = async () => {
    const { openApiDocument } = await import('./openapi.ts');
    return (made ??= openApiDocument(ROUTES, version, examples()));
  };
  const text = preparedText(async () => JSON.stringify(await document()));
  api.get('/openapi.json', (c) => text(c, { 'Content-Type': 'application/json' }));
  addReferenceRoutes(api, document);
  addLlmsTextRoute(api);
  const facts = { title: 'openshelf', version, shops, isSimulated };
  addConsoleRoutes(api, { facts, files: consoleFiles });
}
