// The HTTP API as one object: middleware, routes, errors, and the OpenAPI document made from the same
// route definitions that the server validates with.

import { OpenAPIHono } from '@hono/zod-openapi';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';

import { FaultError, type Fault } from '../core/fault.ts';
import type { Api, HttpEnv, HttpParts } from './context.ts';
import { openApiDocument } from './document.ts';
import { HEADERS } from './document-headers.ts';
import { countRequest, limitRequest, nameRequest } from './middleware.ts';
import { answerError, answerFault } from './problems.ts';
import { addInstallationRoutes, type ListedRoute } from './routes/installation.ts';
import { addHistoryRoutes } from './routes/history.ts';
import { addLocalMetricsRoute } from './routes/metrics.ts';
import { addProductRoutes } from './routes/products.ts';
import { addReferenceRoutes } from './routes/reference.ts';
import { addRateCardRoutes } from './routes/rate-cards.ts';
import { addRefreshRoutes } from './routes/refresh.ts';
import { addReviewRoutes } from './routes/reviews.ts';
import { addSellerRoutes } from './routes/sellers.ts';
import { addServiceRoutes } from './routes/service.ts';
import { faultOfHeader, faultOfIssues } from './validation.ts';
import { nearestName } from '../core/nearest-name.ts';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** Every route with the query names it takes, for errors that say the right one. */
function queryNames(api: Api): ReadonlyMap<string, readonly string[]> {
  const document = openApiDocument(api, '', []);
  const names = new Map<string, readonly string[]>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const all = METHODS.flatMap((method) => item[method]?.parameters ?? []);
    const parameters = all as readonly { in?: string; name?: string }[];
    const query = parameters.filter((each) => each.in === 'query').map((each) => each.name ?? '');
    names.set(path.replaceAll(/\{(\w+)\}/g, ':$1'), query);
  }
  return names;
}

/** Every documented route, as `GET /v1` lists them. */
function routesOf(api: Api): readonly ListedRoute[] {
  return Object.entries(openApiDocument(api, '', []).paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const route = item[method];
      if (route === undefined) return [];
      const needsKey = (route.security ?? []).length > 0;
      const { summary = '' } = route;
      return [{ method: method.toUpperCase(), path, summary, needs_key: needsKey }];
    }),
  );
}

/** Made when first asked for, so that no start waits for it; it does not change while the process lives. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

export function createApi(parts: HttpParts): Api {
  let listed: readonly ListedRoute[] | null = null;
  let names: ReadonlyMap<string, readonly string[]> | null = null;
  const api: Api = new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      names ??= queryNames(api);
      const known = names.get(c.req.routePath) ?? [];
      const { issues } = result.error;
      if (result.target === 'header') throw new FaultError(faultOfHeader(issues));
      throw new FaultError(faultOfIssues(issues, c.req.queries(), known));
    },
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `osk_...`, made with `openshelf keys create`.',
  });

  api.use(countRequest(parts));
  api.use(nameRequest(parts));
  api.use(compress());
  if (parts.corsOrigins.length > 0) {
    const allowHeaders = ['Authorization', 'Idempotency-Key', 'X-Request-Id'];
    const exposeHeaders = Object.keys(HEADERS);
    api.use(cors({ origin: [...parts.corsOrigins], allowHeaders, exposeHeaders, maxAge: 600 }));
  }
  api.use(limitRequest);
  addServiceRoutes(api, parts);
  if (parts.answersMetrics) addLocalMetricsRoute(api, parts.metrics.text);
  addInstallationRoutes(api, parts, () => (listed ??= routesOf(api)));
  addRateCardRoutes(api, parts);
  addProductRoutes(api, parts);
  addRefreshRoutes(api, parts);
  addReviewRoutes(api, parts);
  addSellerRoutes(api, parts);
  addHistoryRoutes(api, parts);

  const document = once(() => openApiDocument(api, parts.version, parts.examples()));
  const text = once(() => JSON.stringify(document()));
  api.get('/openapi.json', (c) => c.body(text(), 200, { 'Content-Type': 'application/json' }));
  addReferenceRoutes(api, document);

  api.onError((error, c) => answerError(error, c, parts));
  api.notFound(async (c) => answerFault(unknownRoute(api, c.req.method, c.req.path), c, parts));
  return api;
}

function matches(pattern: string, path: string): boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}/?$`).test(path);
}

/** D49: 405 with `Allow` for a known path, else 404 naming the right route. */
function unknownRoute(api: Api, method: string, path: string): Fault {
  const routes = api.routes.filter((route) => route.method !== 'ALL');
  const allow = new Set(
    routes.filter((route) => matches(route.path, path)).map((route) => route.method),
  );
  if (allow.has('GET')) allow.add('HEAD');
  if (allow.size > 0 && !allow.has(method)) {
    return {
      code: 'method_not_allowed',
      allow: [...allow],
      detail: `This route takes ${[...allow].join(', ')}.`,
    };
  }
  const known = [...new Set(routes.map((route) => route.path))];
  return { code: 'unknown_route', detail: `No such route. ${rightRoute(path, known)}` };
}

function rightRoute(path: string, known: readonly string[]): string {
  const shown = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}');
  if (/^\/v1\/products\/https?:?\/\/?/.test(path)) {
    return 'Percent-encode the address once: /v1/products/{id}, or send it as /v1/products?url=.';
  }
  if (/look ?-?up|search|item|barcode|upc|gtin|asin|product/i.test(path)) {
    return 'Products are looked up at GET /v1/products/{id}.';
  }
  const near = nearestName(path, known);
  return near === null
    ? `The routes are ${known.map(shown).join(', ')}.`
    : `Did you mean ${shown(near)}?`;
}
