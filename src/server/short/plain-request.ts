// Reads the headers of a request, if they ask for nothing that only the framework answers. The rule is a list of what
// is let through. Any header that is not on it, and any that is sent twice, is left to the framework.

import type { IncomingMessage } from 'node:http';

/** What a plain request asks for. */
export type PlainRequest = {
  readonly isGzip: boolean;
  readonly authorization: string | undefined;
  /** The caller's own id of the request, as it was sent. */
  readonly requestId: string | undefined;
  /** `Cache-Control: no-cache`: no kept answer may be given. */
  readonly isAnew: boolean;
};

/**
 * Headers of a plain request that are read, here or before. Any other one is left to the framework: a body, a
 * condition, an Idempotency-Key, an origin.
 */
const READ: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'cache-control',
  'connection',
  'host',
  'x-forwarded-for',
  'x-request-id',
]);

/** Headers that clients, proxies and tracing add; no answer depends on them. */
const UNREAD: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'b3',
  'baggage',
  'cdn-loop',
  // Many programs send it with every request, even without a body.
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
/**
 * Families of such headers: those that are no part of HTTP (`X-Amzn-Trace-Id`, `X-B3-TraceId`), those of browsers, and
 * those of networks (`CF-Ray`).
 */
const UNREAD_KIND = /^(?:x|cf|fastly|fly|sec-ch|sec-fetch)-/;

/** Whether no answer of the short way depends on the header of this name. The name is in lower case. */
export function isUnread(name: string): boolean {
  return UNREAD.has(name) || (UNREAD_KIND.test(name) && !READ.has(name));
}

/** Host names that can always stand in an address: the framework refuses some of the others. */
const NAME = /^(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::[1-5]?\d{1,4})?$/i;
const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::[1-5]?\d{1,4})?$/;
const ENCODED_NAME = 'xn--';

/** What a plain request asks for; null when the framework has to answer it. */
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

/** Whether the answer is sent as gzip; null when the framework has to decide. */
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
