// Recognizes the heads of a client that puts a different annotation into each, such as a request id or a trace. Values of
// unread fields may differ between heads. So may the request id, which is passed on. All other bytes are compared.

import type { IncomingMessage } from 'node:http';

import { isPlainHost } from '../asked.ts';

export type HeadShape = {
  /** The bytes before, between and after the values that may change. */
  readonly fixed: readonly Buffer[];
  /** Index of the request id's value; -1 if there is none. */
  readonly idAt: number;
};

const REQUEST_ID = 'x-request-id';

/**
 * Headers that are read from a repeated head. One with any other header is parsed each time: a body, a condition, an
 * Idempotency-Key, an origin.
 */
const READ: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'cache-control',
  'connection',
  'host',
  'x-forwarded-for',
  REQUEST_ID,
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
 * Families of such headers: those that are not part of HTTP (`X-Amzn-Trace-Id`, `X-B3-TraceId`), those of browsers, and
 * those of networks (`CF-Ray`).
 */
const UNREAD_KIND = /^(?:x|cf|fastly|fly|sec-ch|sec-fetch)-/;

/** Checks whether no answer depends on the header of this name. The name is in lowercase. */
function isUnread(name: string): boolean {
  return UNREAD.has(name) || (UNREAD_KIND.test(name) && !READ.has(name));
}

/** Returns the read fields of a head that may be repeated; null if it may request something other than bytes. */
export function plainFields(request: IncomingMessage): ReadonlyMap<string, string> | null {
  if (request.method !== 'GET' || request.httpVersion !== '1.1') return null;
  const { rawHeaders } = request;
  const fields = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (isUnread(name)) continue;
    if (!READ.has(name) || fields.has(name)) return null;
    fields.set(name, rawHeaders[at + 1] ?? '');
  }
  const isPlain =
    isPlainHost(fields.get('host') ?? '') &&
    /^(?:keep-alive|close)?$/i.test(fields.get('connection') ?? '');
  return isPlain ? fields : null;
}

const LINE_END = '\r\n';
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*/;
const CARRIAGE_RETURN = 0x0d;
const [FIRST_PRINTED, LAST_PRINTED] = [0x20, 0x7e];

/**
 * Returns the shape of the part after the path of a head that node:http has read. Null if nothing in it may change, or one
 * of its lines is not a plain field.
 */
export function headShapeOf(rest: Buffer): HeadShape | null {
  const text = rest.toString('latin1');
  const fixed: Buffer[] = [];
  let idAt = -1;
  let from = 0;
  let at = text.indexOf(LINE_END) + LINE_END.length;
  while (text.indexOf(LINE_END, at) !== at) {
    const end = text.indexOf(LINE_END, at);
    const [start = '', written = ''] = FIELD.exec(text.slice(at, end)) ?? [];
    if (start === '') return null;
    const name = written.toLowerCase();
    if (name === REQUEST_ID) idAt = fixed.length;
    if (name === REQUEST_ID || isUnread(name)) {
      fixed.push(rest.subarray(from, at + start.length));
      from = end;
    }
    at = end + LINE_END.length;
  }
  return fixed.length === 0 ? null : { fixed: [...fixed, rest.subarray(from)], idAt };
}

/**
 * Reads the request id from a head of this shape that begins at `from`; undefined if the shape has none. Null if the head
 * has another shape.
 */
export function readShaped(
  { fixed, idAt }: HeadShape,
  bytes: Buffer,
  from: number,
): { readonly requestId: string | undefined } | null {
  let requestId: string | undefined;
  let at = from;
  for (const [index, piece] of fixed.entries()) {
    const after = at + piece.length;
    if (after > bytes.length || piece.compare(bytes, at, after) !== 0) return null;
    if (index === fixed.length - 1) return after === bytes.length ? { requestId } : null;
    // Spaces around a value are not part of it.
    at = valueEnd(bytes, after, index === idAt ? FIRST_PRINTED + 1 : FIRST_PRINTED);
    if (index === idAt) requestId = bytes.toString('latin1', after, at);
  }
  return null;
}

/** Returns the index where a value's printable characters end. */
function valueEnd(bytes: Buffer, from: number, first: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte !== CARRIAGE_RETURN; byte = bytes[at]) {
    if (byte < first || byte > LAST_PRINTED) break;
    at += 1;
  }
  return at;
}
