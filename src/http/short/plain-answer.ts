// What is sent without the framework: an answer of 200 with the headers of the ordinary way, in its order.

import type { ServerResponse } from 'node:http';

import type { Charged } from '../../metering/metering.ts';
import { crossOriginOf } from '../cross-origin.ts';

export type PlainAnswer = {
  /** Bytes, or a text of one character each, to be sent as `latin1`. */
  readonly body: Buffer | string;
  readonly isGzip: boolean;
  readonly charged: Charged;
  readonly requestId: string;
};

export type SendPlain = (response: ServerResponse, answer: PlainAnswer) => void;

/** `corsOrigins`: origins whose pages may read answers. */
export function createSendPlain(corsOrigins: readonly string[]): SendPlain {
  const crossOrigin = crossOriginOf(corsOrigins);
  const vary = ['Authorization', 'Accept-Encoding', ...crossOrigin.varyBy].join(', ');
  return (response, answer) => send(response, answer, { vary, more: crossOrigin.headers });
}

function send(
  response: ServerResponse,
  { body, isGzip, charged, requestId }: PlainAnswer,
  { vary, more }: { readonly vary: string; readonly more: readonly string[] },
): void {
  const { rateLimit } = charged;
  response.writeHead(200, [
    ...more,
    'cache-control',
    'private, no-store',
    ...(isGzip ? ['content-encoding', 'gzip'] : []),
    'content-length',
    String(body.length),
    'content-type',
    'application/json',
    'ratelimit',
    rateLimit.state,
    'ratelimit-policy',
    rateLimit.policy,
    'vary',
    vary,
    'x-content-type-options',
    'nosniff',
    'x-request-id',
    requestId,
  ]);
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}
