// What is sent without the framework: an answer of 200 with the headers of the ordinary way, in its order.

import type { ServerResponse } from 'node:http';

import type { Charged } from '../metering/metering.ts';

export type PlainAnswer = {
  /** Bytes, or a text of one character each, to be sent as `latin1`. */
  readonly body: Buffer | string;
  readonly isGzip: boolean;
  readonly charged: Charged;
  readonly requestId: string;
};

export function sendPlain(
  response: ServerResponse,
  { body, isGzip, charged, requestId }: PlainAnswer,
): void {
  const { rateLimit } = charged;
  response.writeHead(200, [
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
    'Authorization, Accept-Encoding',
    'x-content-type-options',
    'nosniff',
    'x-request-id',
    requestId,
  ]);
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}
