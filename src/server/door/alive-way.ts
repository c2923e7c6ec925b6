// Answers GET /livez without the framework, so that a process that has not loaded all of the service can already say
// that it is alive. Any request that is less plain is left to the framework.

import type { Clock } from '../../base/clock.ts';
import type { RequestEntry } from '../../base/log.ts';
import type { Exchange } from './connection-book.ts';
import { crossOriginOf } from '../cross-origin.ts';
import { plainRequest } from '../short/plain-request.ts';
import { requestIdOf } from '../request-names.ts';

export type AliveWayParts = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly corsOrigins: readonly string[];
  readonly answered: (entry: RequestEntry) => void;
};

/** Returns false when the request is not for this way; nothing was done then. */
export type AliveWay = (exchange: Exchange) => boolean;

const ROUTE = '/livez';
const BODY = '{"status":"ok"}';

export function createAliveWay(parts: AliveWayParts): AliveWay {
  const { clock, newId, answered } = parts;
  const crossOrigin = crossOriginOf(parts.corsOrigins);
  const vary = [...crossOrigin.varyBy, 'Accept-Encoding'].join(', ');
  return ({ request, response }) => {
    const asked = request.url === ROUTE ? plainRequest(request) : null;
    if (asked === null) return false;
    const startedMs = clock.now();
    const callId = newId();
    const requestId = requestIdOf(asked.requestId, callId);
    response.writeHead(200, [
      ...crossOrigin.headers,
      'content-type',
      'application/json',
      'vary',
      vary,
      'x-content-type-options',
      'nosniff',
      'x-request-id',
      requestId,
      'content-length',
      String(BODY.length),
    ]);
    response.end(BODY, 'latin1');
    const ms = clock.now() - startedMs;
    const entry = { route: ROUTE, method: 'GET', status: 200, tokens: 0, organization: null };
    answered({ ...entry, requestId, callId, ms });
    return true;
  };
}
