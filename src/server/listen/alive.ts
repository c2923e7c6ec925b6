// Answers GET /livez before the routes are loaded, so that a process can report that it is alive before the whole service is
// loaded. A request with anything unusual waits for the routes.

import type { Clock } from '../../base/clock.ts';
import type { RequestEntry } from '../../base/log.ts';
import { requestIdOf } from '../call.ts';
import type { WriteHead } from '../headers.ts';
import type { Exchange } from './connection-book.ts';
import { plainFields } from './head-shape.ts';

type AliveParts = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly writeHead: WriteHead;
  readonly answered: (entry: RequestEntry) => void;
};

/** Returns false when the request is not answered here; nothing was done then. */
export type AnswerAlive = (exchange: Exchange) => boolean;

const ROUTE = '/livez';
const BODY = '{"status":"ok"}';
const OWN = { 'content-type': 'application/json' };

export function createAnswerAlive({ clock, newId, writeHead, answered }: AliveParts): AnswerAlive {
  return ({ request, response }) => {
    const fields = request.url === ROUTE ? plainFields(request) : null;
    if (fields === null) return false;
    const startedMs = clock.now();
    const callId = newId();
    const requestId = requestIdOf(fields.get('x-request-id'), callId);
    const facts = { own: OWN, requestId, limits: null, isCoded: true, length: BODY.length };
    response.writeHead(200, writeHead({ ...facts, origin: undefined }));
    response.end(BODY, 'latin1');
    const ms = clock.now() - startedMs;
    const entry = { route: ROUTE, method: 'GET', status: 200, tokens: 0, organization: null };
    answered({ ...entry, requestId, callId, ms });
    return true;
  };
}
