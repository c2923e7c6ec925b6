// What the headers of a request say, where they say nothing that only the framework answers. The rule is a list of what is let
// by: whatever is not on it, and everything that is sent twice, is the framework's.

import type { IncomingMessage } from 'node:http';

/** What a plain request asks for. */
export type PlainRequest = {
  readonly isGzip: boolean;
  readonly authorization: string | undefined;
  /** The caller's own name for the request, as it was sent. */
  readonly requestId: string | undefined;
  /** `Cache-Control: no-cache`: it is not answered from what is kept. */
  readonly isAnew: boolean;
};

/** What is read of a plain request, here and before. Any other field is for the framework: a body, a condition, an Idempotency-Key, an origin. */
const READ: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'cache-control',
  'connection',
  'host',
  'x-forwarded-for',
  'x-request-id',
]);

/** What clients, proxies and those who follow requests through them note: no answer depends on it. */
const UNREAD: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'b3',
  'baggage',
  'cdn-loop',
  // Of no body, as many programs send it with every request.
  'content-type',
  'dnt',
  'forwarded',
  'newrelic',
  'pragma',
  'priority',
  'referer',
  'save-data',
  'sec-gpc',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'true-client-ip',
  'uber-trace-id',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
]);
/** The same of names that are no part of HTTP (`X-Amzn-Trace-Id`, `X-B3-TraceId`), of browsers, and of networks (`CF-Ray`). */
const UNREAD_KIND = /^(?:x|cf|fastly|fly|sec-ch|sec-fetch)-/;

/** Whether no answer of the short way depends on what a field of this name says; in lower case. */
export function isUnread(name: string): boolean {
  return UNREAD.has(name) || (UNREAD_KIND.test(name) && !READ.has(name));
}

/** Hosts of which every one can stand in an address: the framework refuses some of the others. */
const NAME = /^(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::[1-5]?\d{1,4})?$/i;
const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::[1-5]?\d{1,4})?$/;
const ENCODED_NAME = 'xn--';

/** Null: the framework answers it. */
export function plainRequest(request: IncomingMessage): PlainRequest | null {
  if (request.method !== 'GET' || request.httpVersion !== '1.1') return null;
  const { rawHeaders } = request;
  const found = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (found.has(name)) return null;
    if (!READ.has(name) && !isUnread(name)) return null;
    found.set(name, rawHeaders[at + 1] ?? '');
  }
  const host = found.get('host') ?? '';
  if (!IPV4.test(host) && !isPlainName(host)) return null;
  if (!/^(?:keep-alive|close)?$/i.test(found.get('connection') ?? '')) return null;
  const isGzip = takesGzip(found.get('accept-encoding'));
  if (isGzip === null) return null;
  const authorization = found.get('authorization');
  const isAnew = /\bno-cache\b/i.test(found.get('cache-control') ?? '');
  return { isGzip, authorization, requestId: found.get('x-request-id'), isAnew };
}

function isPlainName(host: string): boolean {
  return NAME.test(host) && !host.toLowerCase().includes(ENCODED_NAME);
}

/** Null: the framework says what is sent. */
function takesGzip(accepted: string | undefined): boolean | null {
  if (accepted === undefined || accepted === '') return false;
  const encodings = accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  if (encodings.some((each) => !/^[a-z]+$/.test(each))) return null;
  if (encodings.includes('gzip')) return true;
  return encodings.includes('deflate') ? null : false;
}
