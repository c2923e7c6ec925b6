// What a process answers that works in the background only: health, and metrics where they have no address of
// their own.

import { OpenAPIHono } from '@hono/zod-openapi';

import type { Api, HttpEnv, HttpParts } from './context.ts';
import { countRequest, limitRequest, nameRequest } from './middleware.ts';
import { answerError, answerFault } from './problems.ts';
import { addLocalMetricsRoute } from './routes/metrics.ts';
import { addServiceRoutes } from './routes/service.ts';

export function createHealthApi(parts: HttpParts): Api {
  const api: Api = new OpenAPIHono<HttpEnv>();
  api.use(countRequest(parts));
  api.use(nameRequest(parts));
  api.use(limitRequest);
  addServiceRoutes(api, parts);
  if (parts.answersMetrics) addLocalMetricsRoute(api, parts.metrics.text);
  api.onError((error, c) => answerError(error, c, parts));
  api.notFound(async (c) => answerFault({ code: 'unknown_route', detail: ELSEWHERE }, c, parts));
  return api;
}

const ELSEWHERE =
  'This process works in the background (OPENSHELF_ROLE=indexer) and answers /livez and /readyz. Ask one with the ' +
  'role api.';
