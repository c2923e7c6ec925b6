// The answers to calls that the pipeline never sees: the 503 of a call that is not admitted, the 400 of one that cannot be
// read. All bytes but the id and the seconds are generated once. A 503 must cost next to nothing while the service is
// overloaded.

import { OVERLOADED, type Fault } from '../base/fault.ts';
import { presentProblem } from '../answer/wire/present-problem.ts';
import type { Exchange } from './listen/connection-book.ts';
import { requestIdOf } from './call.ts';
import { createHeads, headLines, type WriteHead } from './headers.ts';
import { FAULT_STATUS } from './problems/fault-status.ts';

/** The fault of a request whose head does not form exactly one address. */
export const UNREADABLE: Fault = {
  code: 'invalid_parameter',
  detail:
    'The request line and the Host header do not form an address of this service, so the request was not ' +
    'processed and is not billed. Send a path that begins with /, with backslashes as %5C, and one Host ' +
    'header.',
};

/** Marks the position of the id; JSON escapes none of its characters. */
const ID_MARK = '{request_id}';

/** Returns the two parts of the body's text around the id. */
function aroundId(fault: Fault): readonly [string, string] {
  const status = FAULT_STATUS[fault.code];
  const problem = presentProblem(fault, { status, requestId: ID_MARK, tokensRemaining: null });
  const [before = '', after = ''] = JSON.stringify(problem).split(ID_MARK);
  return [before, after];
}

export type Refusal = {
  readonly status: number;
  readonly requestId: string;
};

export type RefuseParts = { readonly newId: () => string; readonly writeHead: WriteHead };

/**
 * Returns the function that answers with this fault, without any work of the pipeline. `retryAfterSeconds` is null if the same
 * request would fail again.
 */
export function createRefuse(fault: Fault, { newId, writeHead }: RefuseParts) {
  const status = FAULT_STATUS[fault.code];
  const [before, after] = aroundId(fault);
  const nextId = countedIds(newId());
  return ({ request, response }: Exchange, retryAfterSeconds: number | null): Refusal => {
    const { origin, 'x-request-id': given } = request.headers;
    const requestId = requestIdOf(typeof given === 'string' ? given : undefined, nextId());
    // The id has none of the characters that JSON escapes, and is ASCII.
    const body = `${before}${requestId}${after}`;
    const own =
      retryAfterSeconds === null ? OWN : { ...OWN, 'retry-after': String(retryAfterSeconds) };
    const facts = { own, requestId, limits: null, isCoded: false, length: body.length, origin };
    response.writeHead(status, writeHead(facts));
    response.end(body, 'latin1');
    return { status, requestId };
  };
}

const OWN = {
  'content-type': 'application/problem+json',
  'cache-control': 'private, no-store',
} as const;

/**
 * Generates one process's ids by counting, without a random number for each. A refused call is in no ledger, so guessing
 * its id gains nothing. Random numbers were a tenth of a refusal's cost.
 */
function countedIds(first: string): () => string {
  const start = first.slice(0, -8);
  let count = 0;
  return () => {
    count = (count + 1) % 0x1_0000_0000;
    return `${start}${count.toString(16).padStart(8, '0')}`;
  };
}

/** Returns the answer on a connection that cannot be kept; no request was read from it. */
export function refusedConnection(requestId: string): string {
  const [before, after] = aroundId(OVERLOADED);
  const body = `${before}${requestId}${after}`;
  const own = { ...OWN, 'retry-after': '1', connection: 'close' };
  const facts = { own, requestId, limits: null, isCoded: false, length: body.length };
  const head = createHeads([])({ ...facts, origin: undefined });
  return `${headLines(FAULT_STATUS.overloaded, head)}\r\n${body}`;
}
