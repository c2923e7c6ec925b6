// The answers to calls that the API never sees: the 503 of a call that is not admitted, the 400 of one that cannot be
// read. All bytes but the id and the seconds are made once. A 503 must cost next to nothing while the service has more
// work than it can do.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { FaultError, type Fault } from '../base/fault.ts';
import { presentProblem } from '../answer/wire/present-problem.ts';
import type { Work, WorkKind } from './admission/admission.ts';
import { crossOriginOf } from './cross-origin.ts';
import { FAULT_STATUS } from './problems/fault-status.ts';
import { requestIdOf } from './request-names.ts';

/** The fault of every call that is answered 503 `overloaded` for want of room. */
export const OVERLOADED: Fault = {
  code: 'overloaded',
  detail:
    'The service has more calls than it can serve at the moment. This one was not served and is not billed. ' +
    'Try again after as many seconds as Retry-After says.',
};

/**
 * Makes the call work of this kind. FaultError overloaded where there is no room. `work` is null where nothing is
 * counted. `organizationId` says whose call waits for shops.
 */
export function enterAs(
  work: Work | null,
  kind: WorkKind,
  organizationId: string | null = null,
): void {
  const room = work?.becomes(kind, organizationId) ?? true;
  if (room !== true) throw new FaultError({ ...OVERLOADED, ...room });
}

/** The fault of a request whose head makes no address, or two. */
export const UNREADABLE: Fault = {
  code: 'invalid_parameter',
  detail:
    'The request line and the Host field make no address of this service, so the request was not processed and is not ' +
    'billed. Send a path that begins with /, backslashes in it as %5C, and one Host field.',
};

/** Marks the place of the id; JSON escapes none of its characters. */
const ID_MARK = '{request_id}';

/** The two parts of the body's text around the id. */
function aroundId(fault: Fault): readonly [string, string] {
  const status = FAULT_STATUS[fault.code];
  const problem = presentProblem(fault, { status, requestId: ID_MARK, tokensRemaining: null });
  const [before = '', after = ''] = JSON.stringify(problem).split(ID_MARK);
  return [before, after];
}

export type Refusal = { readonly status: number; readonly requestId: string };

export type RefuseParts = {
  readonly newId: () => string;
  /** Origins whose pages may read the answer. */
  readonly corsOrigins: readonly string[];
};

/**
 * Makes the function that answers with this fault, without any work of the API. `retryAfterSeconds` is null where the
 * same request would fail again.
 */
export function createRefuse(fault: Fault, { newId, corsOrigins }: RefuseParts) {
  const status = FAULT_STATUS[fault.code];
  const [before, after] = aroundId(fault);
  const nextId = countedIds(newId());
  const { varyBy, headers: exposed } = crossOriginOf(corsOrigins);
  const ofAll = [...exposed, ...varyBy.flatMap((name) => ['Vary', name])];
  return (
    { headers }: IncomingMessage,
    response: ServerResponse,
    retryAfterSeconds: number | null,
  ): Refusal => {
    const given = headers['x-request-id'];
    const requestId = requestIdOf(typeof given === 'string' ? given : undefined, nextId());
    // The id has none of the characters that JSON escapes, and is ASCII.
    const body = `${before}${requestId}${after}`;
    const { origin } = headers;
    const allowed =
      origin !== undefined && corsOrigins.includes(origin)
        ? ['Access-Control-Allow-Origin', origin]
        : [];
    response.writeHead(status, [
      ...allowed,
      ...ofAll,
      'Content-Type',
      'application/problem+json',
      ...(retryAfterSeconds === null ? [] : ['Retry-After', String(retryAfterSeconds)]),
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
    return { status, requestId };
  };
}

/**
 * Makes ids of one process by counting, without a random number for each. A refused call is in no ledger, so that
 * nobody gains by guessing its id. Random numbers were a tenth of what a refusal costs.
 */
function countedIds(first: string): () => string {
  const start = first.slice(0, -8);
  let count = 0;
  return () => {
    count = (count + 1) % 0x1_0000_0000;
    return `${start}${count.toString(16).padStart(8, '0')}`;
  };
}

/** The answer on a connection that cannot be kept; no request of it was read. */
export function refusedConnection(requestId: string): string {
  const [before, after] = aroundId(OVERLOADED);
  const body = `${before}${requestId}${after}`;
  const lines = [
    `HTTP/1.1 ${FAULT_STATUS.overloaded} Service Unavailable`,
    'Content-Type: application/problem+json',
    'Retry-After: 1',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
