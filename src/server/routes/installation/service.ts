// GET /livez and /readyz: the health of the process. Free, without a key (D14).

import { createRoute, z } from '@hono/zod-openapi';

import { NoQuery } from '../../../answer/wire/query.ts';
import type { Api } from '../../context.ts';
import { faultResponses } from '../../document/responses.ts';

const Health = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']).meta({ description: '`ok` or `unavailable`.' }),
  })
  .openapi('Health');
const health = (description: string) => ({
  description,
  content: { 'application/json': { schema: Health } },
});

const BAD_CALL = faultResponses(['unknown_parameter', 'body_not_accepted', 'uri_too_long']);

/** `isReady` says whether the store commits within a second and the process is not stopping. */
export function addServiceRoutes(api: Api, isReady: () => Promise<boolean>): void {
  const livez = createRoute({
    method: 'get',
    path: '/livez',
    operationId: 'getLiveness',
    security: [],
    summary: 'Check that the process is alive',
    description: 'Free, without a key. Uses neither the store nor the network.',
    request: { query: NoQuery },
    responses: { 200: health('The process is alive.'), ...BAD_CALL },
  });
  api.openapi(livez, (c) => c.json({ status: 'ok' as const }, 200));

  const readyz = createRoute({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    security: [],
    summary: 'Check that the process can take calls',
    description: 'Free, without a key. 503 while the process stops or its store does not commit.',
    request: { query: NoQuery },
    responses: {
      200: health('The process can take calls.'),
      ...BAD_CALL,
      503: health('The process cannot take calls now; send them to another one.'),
    },
  });
  api.openapi(readyz, async (c) => {
    if (await isReady()) return c.json({ status: 'ok' as const }, 200);
    return c.json({ status: 'unavailable' as const }, 503);
  });
}
