// What the headers of a request say, where they say nothing that only the framework answers. The rule is a list of what is let
// by: whatever is not on it, and everything that is sent twice, is the framework's.

import type { IncomingMessage } from 'node:http';

/** What a plain request asks for. */
export type PlainRequest = {
  readonly isGzip: boolean;
  readonly authorization: string | undefined;
  /** The caller's own name for the request, as it was sent. */
  readonly requestId: string | undefined;
  /** It has an `X-` header that is on no list, a note among clients and proxies: it is not answered from what is kept. */
  readonly hasUnknownExtension: boolean;
};

/**
 * Headers that change nothing of an answer, and those that are read here. `X-Forwarded-For` was counted before. Any other is for
 * the framework: a body, a condition, an Idempotency-Key, an origin.
 */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'dnt',
  'forwarded',
  'host',
  'pragma',
  'priority',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/** By their names no part of HTTP: `X-Amzn-Trace-Id`, `X-Requested-With`. Of them the service reads those above alone. */
const EXTENSION = 'x-';

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
  let hasUnknownExtension = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (found.has(name)) return null;
    if (!KNOWN_HEADERS.has(name)) {
      if (!name.startsWith(EXTENSION)) return null;
      hasUnknownExtension = true;
    }
    found.set(name, rawHeaders[at + 1] ?? '');
  }
  const host = found.get('host') ?? '';
  if (!IPV4.test(host) && !isPlainName(host)) return null;
  if (!/^(?:keep-alive|close)?$/i.test(found.get('connection') ?? '')) return null;
  const isGzip = takesGzip(found.get('accept-encoding'));
  if (isGzip === null) return null;
  const authorization = found.get('authorization');
  return { isGzip, authorization, requestId: found.get('x-request-id'), hasUnknownExtension };
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
