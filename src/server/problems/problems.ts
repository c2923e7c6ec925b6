// The answer to a fault: status, problem body, and the headers that say what the client should do (D15, D48).

import { CONTENT_CODINGS } from '../../base/content-codings.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import { describeError, type Log } from '../../base/log.ts';
import { presentProblem } from '../../answer/wire/present-problem.ts';
import type { Answer, Headers } from '../answer.ts';
import type { Call } from '../call.ts';
import { countedFault, type RefusedCallParts } from '../refused-call.ts';
import { FAULT_STATUS } from './fault-status.ts';

export type ProblemParts = RefusedCallParts & { readonly log: Pick<Log, 'error'> };

const PROBLEM_TYPE = 'application/problem+json';

const REALM = 'Bearer realm="openshelf"';

function authenticateHeader(fault: Fault): string | null {
  switch (fault.code) {
    case 'missing_api_key':
      return REALM;
    case 'invalid_api_key':
      return `${REALM}, error="invalid_token"`;
    case 'insufficient_scope':
      return `${REALM}, error="insufficient_scope", scope="${fault.scope ?? ''}"`;
    default:
      return null;
  }
}

const DEFECT =
  'The caller received 500 and was not billed. This is a bug in openshelf: report this line. The service keeps running.';

/** Returns the fault that was thrown. Any other error is a bug: it is logged with `about`, and not shown to the caller. */
export function faultOf(
  error: unknown,
  log: Pick<Log, 'error'>,
  about: Readonly<Record<string, string>>,
): Fault {
  if (error instanceof FaultError) return error.fault;
  if (isBrokenOff(error)) return BROKEN_OFF;
  log.error('unexpected error', { ...about, error: describeError(error), advice: DEFECT });
  return {
    code: 'internal',
    detail:
      'The service failed unexpectedly; the call was not billed. Try again later, and quote request_id when you ' +
      'report it.',
  };
}

/** Shown only in metrics and log: the client that sent the call is gone. */
const BROKEN_OFF: Fault = {
  code: 'invalid_parameter',
  parameter: 'body',
  detail: 'The connection was closed before the whole body arrived. Send the request again.',
};

/** Checks for Node's error for a body whose client closes the connection before its end. */
function isBrokenOff(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ECONNRESET' &&
    error.message === 'aborted'
  );
}

/** Answers anything that was thrown. The call counts as refused if it was not counted yet. */
export async function answerError(
  error: unknown,
  call: Call,
  parts: ProblemParts,
): Promise<Answer> {
  const about = { request_id: call.requestId, method: call.asked.method };
  const found = faultOf(error, parts.log, about);
  const { fault, tokensRemaining } = await countedFault(found, call, parts);
  const status = FAULT_STATUS[fault.code];
  const { requestId } = call;
  const body = presentProblem(fault, { status, requestId, tokensRemaining });
  return { status, headers: headersOf(fault), body: JSON.stringify(body) };
}

function headersOf(fault: Fault): Headers {
  const { code, retryAfterSeconds, allow } = fault;
  const authenticate = authenticateHeader(fault);
  return {
    'content-type': PROBLEM_TYPE,
    ...(authenticate === null ? {} : { 'www-authenticate': authenticate }),
    ...(retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
    ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    // RFC 9110 15.5.16.
    ...(code === 'encoding_not_accepted' ? { 'accept-encoding': CONTENT_CODINGS.join(', ') } : {}),
  };
}
