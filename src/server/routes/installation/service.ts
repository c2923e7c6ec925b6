// GET /livez and /readyz: the health of the process. Free, without a key (D14).

import { z } from 'zod';

import { NoQuery } from '../../../answer/wire/query.ts';
import { HEALTH_ROWS, type HealthParts } from '../../early-table.ts';
import { route, type Route } from '../../route.ts';

const Health = z
  .strictObject({
    status: z
      .enum(['ok', 'unavailable'])
      .meta({ description: 'The status: `ok` or `unavailable`.' }),
  })
  .meta({ id: 'Health' });

const faults = ['unknown_parameter', 'body_not_accepted', 'uri_too_long'] as const;

const livez = route({
  ...HEALTH_ROWS.livez,
  operationId: 'getLiveness',
  summary: 'Check that the process is alive',
  description: 'Uses neither the store nor the network.',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The process is alive.', schema: Health },
  faults,
});

const readyz = route({
  ...HEALTH_ROWS.readyz,
  operationId: 'getReadiness',
  summary: 'Check that the process can accept calls',
  description: 'Returns 503 while the process is stopping or its store does not commit.',
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
});

export const HEALTH_ROUTES: readonly Route<HealthParts>[] = [livez, readyz];
