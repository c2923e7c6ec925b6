// GET /livez and /readyz: the health of the process. Free, without a key (D14).

import { z } from 'zod';

import { NoQuery } from '../../../answer/wire/query.ts';
import { json } from '../../answer.ts';
import { route, type Route } from '../../route.ts';

const Health = z
  .strictObject({
    status: z
      .enum(['ok', 'unavailable'])
      .meta({ description: 'The status: `ok` or `unavailable`.' }),
  })
  .meta({ id: 'Health' });

const faults = ['unknown_parameter', 'body_not_accepted', 'uri_too_long'] as const;

export type HealthRouteParts = {
  /** Whether the store commits within a second and the process is not stopping. */
  readonly isReady: () => Promise<boolean>;
};

const livez = route({
  method: 'get',
  path: '/livez',
  operationId: 'getLiveness',
  summary: 'Check that the process is alive',
  description: 'Uses neither the store nor the network.',
  scope: 'no key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The process is alive.', schema: Health },
  faults,
  call: () => () => json({ status: 'ok' }),
});

const readyz = route({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check that the process can accept calls',
  description: 'Returns 503 while the process is stopping or its store does not commit.',
  scope: 'no key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The process can accept calls.', schema: Health },
  otherAnswers: {
    503: {
      description: 'The process cannot accept calls now; send them to another one.',
      schema: Health,
    },
  },
  faults,
  call:
    ({ isReady }: HealthRouteParts) =>
    async () =>
      (await isReady()) ? json({ status: 'ok' }) : json({ status: 'unavailable' }, 503),
});

export const HEALTH_ROUTES: readonly Route<HealthRouteParts>[] = [livez, readyz];
