// GET /v1, /v1/usage and /v1/retailers: the routes, the tokens spent, and the retailers that this installation can ask.
// Free with any key (D14).

import { createRoute } from '@hono/zod-openapi';

import {
  presentRetailers,
  presentUsage,
  RetailerList,
  RouteList,
  UsageReport,
} from '../../../answer/wire/installation/installation.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import type { ListRetailers } from '../../../answer/lookup/list-retailers.ts';
import type { Metering } from '../../../data/metering/metering.ts';
import { answerFree, type FreeParts } from '../answer-route.ts';
import type { Api } from '../../context.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses } from '../../document/responses.ts';
import { FREE_FAULTS } from '../route-faults.ts';

export type ListedRoute = {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly needs_key: boolean;
};

type KeyedParts = FreeParts & { readonly requireKey: RequireKey };

export type RouteListParts = KeyedParts & {
  readonly version: string;
  /** Called with the first request, when all routes have been added. */
  readonly routes: () => readonly ListedRoute[];
};

export type UsageParts = {
  readonly requireKey: RequireKey;
  readonly metering: Pick<Metering, 'charge' | 'usage'>;
};

export type RetailersParts = KeyedParts & { readonly listRetailers: ListRetailers };

const FAULT_RESPONSES = faultResponses(FREE_FAULTS);

/** What the free routes have in common. */
function free(requireKey: RequireKey) {
  return {
    method: 'get' as const,
    security: [{ bearer: [] }],
    middleware: requireKey(null),
    request: { query: NoQuery },
  };
}

/** GET /v1. */
export function addRouteListRoute(api: Api, parts: RouteListParts): void {
  const list = createRoute({
    ...free(parts.requireKey),
    path: '/v1',
    operationId: 'getRoutes',
    summary: 'List the routes of this service',
    description: 'Free. Every route with its method, its path and whether it needs a key.',
    responses: {
      200: { description: 'The routes.', content: { 'application/json': { schema: RouteList } } },
      ...FAULT_RESPONSES,
    },
  });
  api.openapi(list, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1',
      body: async () => ({
        service: 'openshelf' as const,
        version: parts.version,
        documentation: '/openapi.json',
        routes: [...parts.routes()],
      }),
    }),
  );
}

/** GET /v1/usage. */
export function addUsageRoute(api: Api, parts: UsageParts): void {
  const usage = createRoute({
    ...free(parts.requireKey),
    path: '/v1/usage',
    operationId: 'getUsage',
    summary: 'Get the token balance of the month, by day, endpoint and key',
    description: 'Free. Counts the billed calls of the whole organization.',
    responses: {
      200: { description: 'The usage.', content: { 'application/json': { schema: UsageReport } } },
      ...FAULT_RESPONSES,
    },
  });
  api.openapi(usage, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/usage',
      body: async () => {
        const caller = callerOf(c);
        const spending = await parts.metering.usage(caller);
        return presentUsage({ ...spending, organization: caller.organization });
      },
    }),
  );
}

/** GET /v1/retailers. */
export function addRetailersRoute(api: Api, parts: RetailersParts): void {
  const retailers = createRoute({
    ...free(parts.requireKey),
    path: '/v1/retailers',
    operationId: 'getRetailers',
    summary: 'List the retailers, their hosts and sources, and what each can be asked here',
    description:
      'Free. Fetches nothing. `answers` says of each kind of question which source answers it in this installation and, where ' +
      'none does, why: ask here before you pay for `include_seller_context`, which is certain to be null without a source ' +
      'for `restriction` or `fulfillment_eligibility`. Products of any other shop are looked up by the address of their page.',
    responses: {
      200: {
        description: 'The retailers.',
        content: { 'application/json': { schema: RetailerList } },
      },
      ...FAULT_RESPONSES,
    },
  });
  api.openapi(retailers, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/retailers',
      body: async () => presentRetailers(await parts.listRetailers()),
    }),
  );
}
