// GET /v1, /v1/usage and /v1/retailers: the routes, the tokens spent, and the retailers that this installation can ask.
// Free with any key (D14).

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
import { free, route, type Route } from '../../route.ts';
import { FREE_FAULTS } from '../route-faults.ts';

export type ListedRoute = {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly needs_key: boolean;
};

export type InstallationRouteParts = {
  readonly metering: Pick<Metering, 'usage'>;
  readonly version: string;
  readonly listedRoutes: () => readonly ListedRoute[];
  readonly outside: () => Promise<{ readonly listRetailers: ListRetailers }>;
};

const routes = route({
  method: 'get',
  path: '/v1',
  operationId: 'getRoutes',
  summary: 'List the routes of this service',
  description: 'Lists every route with its method, its path and whether it requires a key.',
  scope: 'any key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The routes.', schema: RouteList },
  faults: FREE_FAULTS,
  call:
    ({ version, listedRoutes }: InstallationRouteParts) =>
    () =>
      free(async () => ({
        service: 'openshelf' as const,
        version,
        documentation: '/openapi.json',
        routes: [...listedRoutes()],
      })),
});

const usage = route({
  method: 'get',
  path: '/v1/usage',
  operationId: 'getUsage',
  summary: "Get this month's token balance, by day, endpoint and key",
  description: 'Counts the billed calls of the whole organization.',
  scope: 'any key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The usage.', schema: UsageReport },
  faults: FREE_FAULTS,
  call:
    ({ metering }: InstallationRouteParts) =>
    ({ caller }) =>
      free(async () => {
        const spending = await metering.usage(caller);
        return presentUsage({ ...spending, organization: caller.organization });
      }),
});

const retailers = route({
  method: 'get',
  path: '/v1/retailers',
  operationId: 'getRetailers',
  summary: 'List the retailers, their hosts and sources, and the questions that each can answer',
  description:
    'Nothing is fetched. For each kind of question, `answers` names the sources that answer it in ' +
    'this installation, or the reason why none does: check it before you pay for ' +
    '`include_seller_context`, which is always `null` without a source for `restriction` or ' +
    '`fulfillment_eligibility`. Products of any other shop are looked up by the address of their ' +
    'page.',
  scope: 'any key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The retailers.', schema: RetailerList },
  faults: FREE_FAULTS,
  call:
    ({ outside }: InstallationRouteParts) =>
    () =>
      free(async () => presentRetailers(await (await outside()).listRetailers())),
});

export const INSTALLATION_ROUTES: readonly Route<InstallationRouteParts>[] = [
  routes,
  usage,
  retailers,
];
