// The 503 of a call that is not admitted: its bytes are made once but for the id and the seconds, because it must cost
// next to nothing while the service has more work than it can do.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { FaultError, type Fault } from '../core/fault.ts';
import { presentProblem } from '../wire/present-problem.ts';
import type { Work, WorkKind } from './admission.ts';
import { crossOriginOf } from './cross-origin.ts';
import { FAULT_STATUS } from './fault-status.ts';
import { requestIdOf } from './request-names.ts';

/** What every 503 `overloaded` for want of room says. */
export const OVERLOADED: Fault = {
  code: 'overloaded',
  detail:
    'The service has more calls than it can serve at the moment. This one was not served and is not billed. ' +
    'Try again after the seconds of Retry-After.',
};

/** The call goes on as work of this kind. FaultError overloaded where there is no room. `work` null: nothing is counted. */
export function enterAs(work: Work | null, kind: WorkKind): void {
  const room = work?.becomes(kind) ?? true;
  if (room !== true) throw new FaultError({ ...OVERLOADED, ...room });
}

const STATUS = FAULT_STATUS.overloaded;
/** Stands where the id comes; no JSON text escapes it. */
const ID_MARK = '{request_id}';

const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(
  presentProblem(OVERLOADED, { status: STATUS, requestId: ID_MARK, tokensRemaining: null }),
).split(ID_MARK);

export type Refusal = { readonly status: number; readonly requestId: string };

export type RefuseParts = {
  readonly newId: () => string;
  /** Origins whose pages may read the answer. */
  readonly corsOrigins: readonly string[];
};

/** Answers 503 `overloaded` without any work of the API. */
export function createRefuse({ newId, corsOrigins }: RefuseParts) {
  const nextId = countedIds(newId());
  const { varyBy, headers: exposed } = crossOriginOf(corsOrigins);
  const ofAll = [...exposed, ...varyBy.flatMap((name) => ['Vary', name])];
  return (
    { headers }: IncomingMessage,
    response: ServerResponse,
    retryAfterSeconds: number,
  ): Refusal => {
    const given = headers['x-request-id'];
    const requestId = requestIdOf(typeof given === 'string' ? given : undefined, nextId());
    // The id has none of the characters that JSON escapes, and is ASCII.
    const body = `${BEFORE_ID}${requestId}${AFTER_ID}`;
    const { origin } = headers;
    const allowed =
      origin !== undefined && corsOrigins.includes(origin)
        ? ['Access-Control-Allow-Origin', origin]
        : [];
    response.writeHead(STATUS, [
      ...allowed,
      ...ofAll,
      'Content-Type',
      'application/problem+json',
      'Retry-After',
      String(retryAfterSeconds),
      'Cache-Control',
      'private, no-store',
      'X-Request-Id',
      requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Content-Length',
      String(body.length),
    ]);
    response.end(body, 'latin1');
    return { status: STATUS, requestId };
  };
}

/**
 * Ids of one process without chance for each: a refused call is in no ledger, so nobody gains by guessing its id. Chance
 * was a tenth of what a refusal costs.
 */
function countedIds(first: string): () => string {
  const start = first.slice(0, -8);
  let count = 0;
  return () => {
    count = (count + 1) % 0x1_0000_0000;
    return `${start}${count.toString(16).padStart(8, '0')}`;
  };
}

/** For a connection that cannot be kept, before any request of it was read. */
export function refusedConnection(requestId: string): string {
  const body = `${BEFORE_ID}${requestId}${AFTER_ID}`;
  const lines = [
    `HTTP/1.1 ${STATUS} Service Unavailable`,
    'Content-Type: application/problem+json',
    'Retry-After: 1',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
