// The routes about the service itself: health and the API's own description. Free, without a key (D14).

import { createRoute, z } from '@hono/zod-openapi';

import { NoQuery } from '../../wire/query.ts';
import type { Api } from '../context.ts';

const Health = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']).meta({ description: 'Whether to send calls here.' }),
  })
  .openapi('Health');
const health = (description: string) => ({
  description,
  content: { 'application/json': { schema: Health } },
});

/** `isReady`: the store commits within a second, and the process is not stopping. */
export function addServiceRoutes(api: Api, isReady: () => Promise<boolean>): void {
  const livez = createRoute({
    method: 'get',
    path: '/livez',
    operationId: 'getLiveness',
    summary: 'Is the process alive?',
    description: 'Free, without a key. Touches neither store nor network.',
    request: { query: NoQuery },
    responses: { 200: health('It answers. Does no input or output.') },
  });
  api.openapi(livez, (c) => c.json({ status: 'ok' as const }, 200));

  const readyz = createRoute({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Can it take calls?',
    description: 'Free, without a key. 503 while it stops or its store does not commit.',
    request: { query: NoQuery },
    responses: {
      200: health('The store commits, and the process is not stopping.'),
      503: health('Send calls elsewhere.'),
    },
  });
  api.openapi(readyz, async (c) => {
    if (await isReady()) return c.json({ status: 'ok' as const }, 200);
    return c.json({ status: 'unavailable' as const }, 503);
  });
}
