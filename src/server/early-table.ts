// The routes that are available before all others: health checks, and the lookup of a product without parameters. They need no
// schema, so that a process answers them while the rest is loaded, or before anyone needs the rest.

import { presentPlain as present } from '../answer/wire/record/present-record.ts';
import { json } from './answer.ts';
import { identifierIn, PRODUCTS } from './path-text.ts';
import { productCall, type ProductCallParts } from './product-call.ts';
import { billed, type RouteRow } from './route.ts';
import { createTable, type Table } from './table.ts';

export type HealthParts = {
  /** Whether the store commits within a second and the process is not stopping. */
  readonly isReady: () => Promise<boolean>;
};

const health = { method: 'get', scope: 'no key', request: null } as const;

export const HEALTH_ROWS = {
  livez: { ...health, path: '/livez', call: () => () => json({ status: 'ok' }) },
  readyz: {
    ...health,
    path: '/readyz',
    call:
      ({ isReady }: HealthParts) =>
      async () =>
        (await isReady()) ? json({ status: 'ok' }) : json({ status: 'unavailable' }, 503),
  },
} as const satisfies Readonly<Record<string, RouteRow<HealthParts>>>;

const lookup: RouteRow<ProductCallParts> = {
  method: 'get',
  path: `${PRODUCTS}{id}`,
  scope: 'products:read',
  request: null,
  call:
    (given) =>
    ({ call: { asked }, caller }) =>
      billed(productCall(given, { caller, text: identifierIn(asked.path), query: {}, present })),
};

/** `answersApi` false: health only. */
export function earlyTable(parts: ProductCallParts & HealthParts, answersApi: boolean): Table {
  return createTable([...Object.values(HEALTH_ROWS), ...(answersApi ? [lookup] : [])], parts);
}
