// The HTTP API: this file alone joins routes, middleware and errors with what each of them uses. It makes the OpenAPI
// document from the route definitions that requests are validated with.

import { OpenAPIHono } from '@hono/zod-openapi';
import { compress } from 'hono/compress';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import { cors } from 'hono/cors';

import type { Clock } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
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
import { METHODS, openApiDocument } from './document/document.ts';
import type { Example } from './document/examples.ts';
import {
  countRequests,
  createKeyCheck,
  limitRequests,
  nameRequests,
  stateLimits,
} from './middleware.ts';
import { preparedText } from './prepared-text.ts';
import { namesOf } from './problems/known-names.ts';
import { answerError, answerFault, PROBLEM_TYPE } from './problems/problems.ts';
import type { RefusedCallParts } from './refused-call.ts';
import {
  addRetailersRoute,
  addRouteListRoute,
  addUsageRoute,
  type ListedRoute,
} from './routes/installation/installation.ts';
import { addCompareRoutes } from './routes/products/compare.ts';
import { addConsoleRoutes, type ConsoleFile } from './routes/pages/console.ts';
import { addHistoryRoutes } from './routes/products/history.ts';
import type { ProductPictures } from '../answer/lookup/product-pictures.ts';
import type { SignedAddresses } from '../data/metering/signed-address.ts';
import { addOperatorRoutes, type Operator } from './routes/installation/operator.ts';
import { addPictureRoutes } from './routes/products/pictures.ts';
import { addLocalMetricsRoute } from './routes/installation/metrics.ts';
import { addLlmsTextRoute } from './routes/pages/llms-text.ts';
import { addMcpRoute, MCP_HEADERS } from './routes/mcp.ts';
import { addProductRoutes } from './routes/products/products.ts';
import { addProductBatchRoute } from './routes/products/products-batch.ts';
import { addReferenceRoutes } from './routes/pages/reference.ts';
import { addRateCardRoutes } from './routes/installation/rate-cards.ts';
import { addRefreshRoutes } from './routes/products/refresh.ts';
import { addReviewRoutes } from './routes/products/reviews.ts';
import { addSellerRoutes } from './routes/products/sellers.ts';
import { addServiceRoutes } from './routes/installation/service.ts';
import { addSheetRoute } from './routes/pages/sheet.ts';
import type { ReadSheet } from './sheet-reading.ts';
import { addSparklineRoutes } from './routes/watches/sparklines.ts';
import { addChangeRoutes, STREAM_HEADERS } from './routes/watches/changes.ts';
import { addChannelRoutes } from './routes/watches/channels.ts';
import { addDeliveryRoutes } from './routes/watches/deliveries.ts';
import { addWatchRoutes } from './routes/watches/watches.ts';
import { createUnknownRoute } from './problems/unknown-route.ts';
import { faultOfBody, faultOfHeader, faultOfIssues } from './problems/validation.ts';

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
  readonly metering: RefusedCallParts['metering'];
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

/** Every documented route, as `GET /v1` lists them. */
function routesOf({ paths }: ReturnType<typeof openApiDocument>): readonly ListedRoute[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const route = item[method];
      if (route === undefined) return [];
      const needsKey = (route.security ?? []).length > 0;
      const { summary = '' } = route;
      return [{ method: method.toUpperCase(), path, summary, needs_key: needsKey }];
    }),
  );
}

/** The whole API: the routes below /v1, health, documents and metrics. */
export function createApi(parts: ApiParts): Api {
  // Each is made with the first call that needs it, so that the start does not wait for it, and once: it takes 30 ms.
  const document = once(() => openApiDocument(api, '', []));
  const names = once(() => namesOf(document()));
  const api: Api = new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const { issues } = result.error;
      if (result.target === 'header') throw new FaultError(faultOfHeader(issues));
      const { parameters, fields } = names()(c.req.method, c.req.routePath);
      if (result.target === 'json') throw new FaultError(faultOfBody(issues, fields));
      throw new FaultError(faultOfIssues(issues, c.req.queries(), parameters));
    },
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `osk_...`, made with `openshelf keys create`.',
  });
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
  addHealthRoutes(api, parts);
  addKeyedRoutes(
    api,
    parts,
    once(() => routesOf(document())),
  );
  addMcpRoute(api, { ...parts, requireKey: createKeyCheck(parts.metering) });
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
  const api: Api = new OpenAPIHono<HttpEnv>();
  api.use(countRequests(parts));
  api.use(nameRequests(parts.newId));
  api.use(limitRequests);
  addHealthRoutes(api, parts);
  const elsewhere = { code: 'unknown_route', detail: INDEXER_ONLY } as const;
  api.onError((error, c) => answerError(error, c, parts));
  api.notFound(async (c) => answerFault(elsewhere, c, parts));
  return api;
}

function addHealthRoutes(api: Api, { isReady, metrics, answersMetrics }: HealthParts): void {
  addServiceRoutes(api, isReady);
  if (answersMetrics) addLocalMetricsRoute(api, metrics.text);
}

/** The routes that need an API key, each with what it uses. */
function addKeyedRoutes(api: Api, parts: ApiParts, routes: () => readonly ListedRoute[]): void {
  const { clock, lookupContext, lookupProduct, metering, version } = parts;
  const requireKey = createKeyCheck(metering);
  const billing = billingOf(parts);
  const { answers } = parts;
  const { listRetailers, lookupComparison, lookupReviews, lookupSeller } = parts;
  addRouteListRoute(api, { requireKey, metering, version, routes });
  addUsageRoute(api, { requireKey, metering });
  addRetailersRoute(api, { requireKey, metering, listRetailers });
  addRateCardRoutes(api, { requireKey, metering, clock });
  const product = { lookupProduct, answers, lookupContext };
  addProductRoutes(api, { requireKey, metering, billing, ...product });
  const { preparedAnswered } = parts.metrics;
  addProductBatchRoute(api, { ...parts, ...product, requireKey, billing, preparedAnswered });
  addRefreshRoutes(api, { requireKey, billing, lookupProduct, lookupContext });
  addReviewRoutes(api, { requireKey, billing, lookupReviews, lookupContext });
  addSellerRoutes(api, { requireKey, billing, lookupSeller, lookupContext });
  const { pictures, pictureAddresses } = parts;
  addPictureRoutes(api, {
    requireKey,
    metering,
    pictures,
    pictureAddresses,
    lookupContext,
    clock,
  });
  addHistoryRoutes(api, { requireKey, billing, answers });
  const { watchPrices, sparklineAddresses } = parts;
  addSparklineRoutes(api, { requireKey, metering, watchPrices, sparklineAddresses, clock });
  addSheetRoute(api, { requireKey, metering, readSheet: parts.readSheet });
  addWatchRoutes(api, { requireKey, billing, manageWatches: parts.manageWatches });
  addChangeRoutes(api, { ...parts, requireKey });
  const { manageChannels } = parts;
  addChannelRoutes(api, { requireKey, billing, manageChannels });
  addDeliveryRoutes(api, { requireKey, billing, manageChannels });
  addCompareRoutes(api, { requireKey, billing, lookupComparison, answers, lookupContext });
  addOperatorRoutes(api, { requireKey, metering, operator: parts.operator });
}

function addDocumentRoutes(api: Api, parts: ApiParts): void {
  const { version, examples, consoleFiles, shops, isSimulated } = parts;
  const document = once(() => openApiDocument(api, version, examples()));
  const text = preparedText(() => JSON.stringify(document()));
  api.get('/openapi.json', (c) => text(c, { 'Content-Type': 'application/json' }));
  addReferenceRoutes(api, document);
  addLlmsTextRoute(api);
  const facts = { title: 'openshelf', version, shops, isSimulated };
  addConsoleRoutes(api, { facts, files: consoleFiles });
}
