// The only code that writes heads: of answers that go through node:http, of those that do not, and of refusals.

import { SECOND_MS } from '../base/clock.ts';
import { IDEMPOTENCY_KEY } from '../base/idempotency-key.ts';
import type { RateLimit } from '../data/metering/metering.ts';
import type { Headers } from './answer.ts';
import { HEADERS } from './document/document-headers.ts';

/** The values in a head. */
type HeadFacts = {
  /** The answer's own, in lower case. */
  readonly own: Headers;
  readonly requestId: string;
  /** The limits of a known key; null without one. */
  readonly limits: RateLimit | null;
  /** Whether a client that accepts other codings gets other bytes. */
  readonly isCoded: boolean;
  /** Bytes of the body; null if not stated. */
  readonly length: number | null;
  /** The origin of the requesting page; undefined if the request is not from a page. */
  readonly origin: string | undefined;
};

/** Returns a head's names and values, alternating. */
export type WriteHead = (facts: HeadFacts) => string[];

/** `origins` are those whose pages may read answers. */
export function createHeads(origins: readonly string[]): WriteHead {
  const isCrossOrigin = origins.length > 0;
  const exposed = Object.keys(HEADERS).join(',');
  return ({ own, requestId, limits, isCoded, length, origin }) => {
    const head: string[] = [];
    if (isCrossOrigin) {
      if (origin !== undefined && origins.includes(origin)) {
        head.push('access-control-allow-origin', origin);
      }
      head.push('access-control-expose-headers', exposed);
    }
    for (const name in own) {
      if (name === 'vary' || (limits !== null && name === 'cache-control')) continue;
      head.push(name, own[name] ?? '');
    }
    if (limits !== null) {
      head.push('cache-control', 'private, no-store');
      head.push('ratelimit', limits.state, 'ratelimit-policy', limits.policy);
    }
    if (length !== null) head.push('content-length', String(length));
    let vary = own['vary'] ?? '';
    if (limits !== null) vary += ', Authorization';
    if (isCoded) vary += ', Accept-Encoding';
    if (isCrossOrigin) vary += ', Origin';
    if (vary !== '') head.push('vary', vary.startsWith(', ') ? vary.slice(2) : vary);
    head.push('x-content-type-options', 'nosniff', 'x-request-id', requestId);
    return head;
  };
}

/** Headers that a browser client may send with any call, if its origin is allowed. */
const CALL_HEADERS = [
  'Authorization',
  IDEMPOTENCY_KEY,
  'X-Request-Id',
  'Last-Event-ID',
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'X-Token-Budget',
];

/** The answer to a browser that asks, before a call, whether a page of another origin may make it. */
export const PREFLIGHT: Headers = {
  'access-control-allow-headers': CALL_HEADERS.join(','),
  'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
  'access-control-max-age': '600',
  vary: 'Access-Control-Request-Headers',
};

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Returns the lines of a head, each with its line end, for an answer that does not pass through node:http. */
export function headLines(status: number, head: readonly string[]): string {
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let at = 0; at < head.length; at += 2) lines += `${head[at]}: ${head[at + 1]}\r\n`;
  return lines;
}

type ConnectionFacts = {
  /** Milliseconds for which a connection remains open without a request. */
  readonly keepAliveMs: number;
  readonly maxRequestsPerConnection: number;
  /** The machine's time in milliseconds since 1970. */
  readonly dateMs: () => number;
};

/**
 * Creates the last lines of a head, which node:http writes by itself, and its end: the date, and whether the connection is
 * kept. `isLast` means that it is closed with this answer.
 */
export function createConnectionLines(facts: ConnectionFacts): (isLast: boolean) => string {
  const { keepAliveMs, maxRequestsPerConnection, dateMs } = facts;
  const seconds = Math.floor(keepAliveMs / SECOND_MS);
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}, max=${maxRequestsPerConnection}\r\n\r\n`;
  const closed = 'Connection: close\r\n\r\n';
  let second = NaN;
  let date = '';
  let withKeepAlive = '';
  return (isLast) => {
    const now = Math.floor(dateMs() / SECOND_MS);
    if (now !== second) {
      second = now;
      date = `Date: ${new Date(now * SECOND_MS).toUTCString()}\r\n`;
      withKeepAlive = date + keepAlive;
    }
    return isLast ? date + closed : withKeepAlive;
  };
}
