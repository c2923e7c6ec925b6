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

export type SendPlain = {
  asResponse(response: ServerResponse, answer: PlainAnswer): void;
  /** The lines of its head, each with its end; those that node:http adds by itself are to follow. */
  asLines(answer: PlainAnswer): string;
};

/** `corsOrigins`: origins whose pages may read answers. */
export function createSendPlain(corsOrigins: readonly string[]): SendPlain {
  const crossOrigin = crossOriginOf(corsOrigins);
  const vary = ['Authorization', 'Accept-Encoding', ...crossOrigin.varyBy].join(', ');
  const fieldsOf = (answer: PlainAnswer) => fields(answer, { vary, more: crossOrigin.headers });
  return {
    asResponse: (response, answer) => {
      const { body } = answer;
      response.writeHead(200, fieldsOf(answer));
      if (typeof body === 'string') response.end(body, 'latin1');
      else response.end(body);
    },
    asLines: (answer) => {
      const names = fieldsOf(answer);
      let lines = 'HTTP/1.1 200 OK\r\n';
      for (let at = 0; at < names.length; at += 2) lines += `${names[at]}: ${names[at + 1]}\r\n`;
      return lines;
    },
  };
}

/** Names and values by turns. */
function fields(
  { body, isGzip, charged, requestId }: PlainAnswer,
  { vary, more }: { readonly vary: string; readonly more: readonly string[] },
): string[] {
  const { rateLimit } = charged;
  return [
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
  ];
}
