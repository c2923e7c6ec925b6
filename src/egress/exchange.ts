// One request over one connection, and its answer within the caps of limits.ts. There is no pool: a connection serves one
// request, so that no answer can arrive over a socket that was checked for another host. Redirects, pacing and robots.txt are
// handled elsewhere.

import type { Client, Dispatcher } from 'undici';

import type { HeldBytes } from '../base/byte-budget.ts';
import { codingsOf } from '../base/content-codings.ts';
import type { ParsedAddress } from './guard/address-guard.ts';
import { decompressBody } from './body-decoder.ts';
import { openConnection } from './guard/connector.ts';
import { FetchError } from './fetch-error.ts';
import type { FetchLimits } from './limits.ts';
import { unlessAborted } from './socket-wait.ts';
import type { CheckedUrl } from './guard/url-guard.ts';
import { watchWire } from './wire-watch.ts';

export type ExchangeRequest = {
  readonly target: CheckedUrl;
  readonly addresses: readonly ParsedAddress[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; null for a GET. */
  readonly body: string | null;
  /** Whether the body is read; if false, the connection is closed after the headers. */
  readonly wantsBody: (status: number, contentType: string) => boolean;
  /** Cuts the body here instead of failing; for robots.txt. */
  readonly truncateAtBytes?: number;
  /** If true, an answer whose body fails or is late counts as headers without a body. */
  readonly bodyMayFail?: boolean;
  /** Counts the bytes of the body while in memory; absent if they are not counted. */
  readonly held?: HeldBytes;
  readonly egressProxy: URL | null;
  readonly extraCertificates: readonly string[];
};

export type ExchangeAnswer = {
  readonly status: number;
  /** Lower-case names, repeated fields joined with ", "; without cookies, which are never stored. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of the `Set-Cookie` fields, for the rest of the chain of redirects. */
  readonly setCookies: readonly string[];
  readonly body: Buffer;
};

/** Sends the request once. Rejects with `FetchError` or an error of the network layers. */
export async function exchange(
  request: ExchangeRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { target } = request;
  const end = target.mappedTo ?? target.url;
  const port = Number(end.port) || (end.protocol === 'https:' ? 443 : 80);
  const connectTarget = {
    addresses: request.addresses,
    port,
    tlsName: end.protocol === 'https:' ? tlsName(target) : null,
    extraCertificates: request.extraCertificates,
    tunnel:
      request.egressProxy === null || target.mappedTo !== null
        ? null
        : { proxy: request.egressProxy, host: target.host },
  };
  // undici's hundred files are loaded on the first fetch, so that a newly started service does not wait for them.
  const undici = await import('undici');
  const socket = await openConnection(connectTarget, limits, signal);
  const guard = new AbortController();
  watchWire(socket, limits, (error) => guard.abort(error));
  const client = new undici.Client(end.origin, {
    // Called in a later turn of the event loop: undici 8.13.1 would otherwise wait forever for this connection.
    connect: (_options, callback) => void setImmediate(() => callback(null, socket)),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
    allowH2: false,
  });
  try {
    const both = AbortSignal.any([signal, guard.signal]);
    return await converse(client, { request, limits, guard, signal: both });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw guard.signal.aborted ? guard.signal.reason : error;
  } finally {
    client.destroy().catch(() => {});
    socket.destroy();
  }
}

/** Returns the name that the certificate must have: the shop's, or the mirror's if it has its own name. */
function tlsName(target: CheckedUrl): string {
  const mirror = target.mappedTo?.hostname ?? '';
  return mirror === '' || /^[\d.]+$|^\[|^localhost$/.test(mirror) ? target.host : mirror;
}

async function converse(client: Client, context: Conversation): Promise<ExchangeAnswer> {
  const { request, limits, guard, signal } = context;
  const { url, host } = request.target;
  const slow = new FetchError('timeout', `no answer headers within ${limits.firstByteMs} ms`);
  const timer = setTimeout(() => guard.abort(slow), limits.firstByteMs);
  let response: Dispatcher.ResponseData;
  try {
    const sent = client.request({
      method: request.method,
      body: request.body,
      path: `${url.pathname}${url.search}`,
      headers: { host: hostHeader(url, host), ...request.headers },
      responseHeaders: 'raw',
      signal,
    });
    // undici before 8.13 ignores the signal of a request that it has not begun to write.
    response = await unlessAborted(signal, sent);
  } finally {
    clearTimeout(timer);
  }
  response.body.on('error', () => {});
  const fields = checkedFields(response.headers, limits);
  const headers = joined(fields);
  const contentType = headers['content-type'] ?? '';
  const answered = {
    status: response.statusCode,
    headers,
    setCookies: valuesOf(fields, 'set-cookie'),
  };
  if (!request.wantsBody(response.statusCode, contentType)) {
    response.body.destroy();
    return { ...answered, body: Buffer.alloc(0) };
  }
  const reading = readBody(response, headers, context);
  const body = await (request.bodyMayFail === true
    ? reading.catch(() => Buffer.alloc(0))
    : reading);
  return { ...answered, body };
}

/** Returns the host for the `Host` header. A trailing dot is for DNS only, and shops do not recognize it. */
export function hostHeader(url: URL, host: string): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return url.port === '' ? name : `${name}:${url.port}`;
}

type Field = readonly [name: string, value: string];

/** Refuses framing that two parsers could understand differently, because response splitting depends on that. */
function checkedFields(raw: unknown, limits: FetchLimits): readonly Field[] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  const fields: Field[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    fields.push([(flat[index] ?? '').toLowerCase(), flat[index + 1] ?? '']);
  }
  if (fields.length > limits.headerFields) {
    throw new FetchError('bad_response', `${fields.length} header fields`);
  }
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length > 1 || lengths.some((value) => !/^\d{1,15}$/.test(value))) {
    throw new FetchError('bad_response', 'conflicting Content-Length');
  }
  if (codings.length > 0 && lengths.length > 0) {
    throw new FetchError('bad_response', 'Content-Length together with Transfer-Encoding');
  }
  if (codings.length > 1 || codings.some((value) => value.toLowerCase() !== 'chunked')) {
    throw new FetchError('bad_response', 'a Transfer-Encoding other than chunked');
  }
  if (new Set(valuesOf(fields, 'location')).size > 1) {
    throw new FetchError('bad_response', 'several Location fields');
  }
  return fields;
}

function valuesOf(fields: readonly Field[], name: string): string[] {
  return fields.filter((field) => field[0] === name).map((field) => field[1].trim());
}

function joined(fields: readonly Field[]): Readonly<Record<string, string>> {
  const all = new Map<string, string>();
  for (const [name, value] of fields) {
    if (name === 'set-cookie' || name === 'set-cookie2') continue;
    // Two equal Location fields are one; everything else is a list (RFC 9110 5.3).
    const before = name === 'location' ? undefined : all.get(name);
    all.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(all);
}

type Conversation = {
  readonly request: ExchangeRequest;
  readonly limits: FetchLimits;
  readonly guard: AbortController;
  readonly signal: AbortSignal;
};

async function readBody(
  response: Dispatcher.ResponseData,
  headers: Readonly<Record<string, string>>,
  context: Conversation,
): Promise<Buffer> {
  const { limits, request } = context;
  const codings = codingsOf(headers['content-encoding'] ?? '');
  if (codings === null) {
    throw new FetchError('bad_encoding', `content coding ${headers['content-encoding']}`);
  }
  const isPlain = codings.length === 0;
  const truncateAt = request.truncateAtBytes;
  const maxBytes = truncateAt ?? limits.decodedBytes;
  // A body without a coding is already decoded, so the cap for decoded bytes applies.
  const wireCap = isPlain ? maxBytes : limits.wireBytes;
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > wireCap && truncateAt === undefined) {
    throw new FetchError('too_large', `Content-Length ${announced}`);
  }
  const { wireBytes } = limits;
  const bounds = { maxBytes, wireBytes, truncate: truncateAt !== undefined };
  const { wire, complete } = await readWire(response.body, wireCap, context);
  if (!complete && (truncateAt === undefined || !isPlain)) {
    throw new FetchError('too_large', `more than ${wireCap} bytes on the wire`);
  }
  if (isPlain) return decompressBody(wire, codings, bounds);
  // The decoded size is only known afterwards, so the maximum is reserved first, with a body between two codings.
  const room = codings.length > 1 ? maxBytes + wireBytes : maxBytes;
  await takeRoom(context, room);
  const body = await decompressBody(wire, codings, bounds);
  request.held?.give(wire.length + room - body.length);
  return body;
}

/** How long an arriving body may wait until others have been read. It is shorter than the pause allowed to the shop. */
const MAX_ROOM_WAIT_MS = 4_000;

/** Throws `busy` if the pages of other calls use all the memory. */
async function takeRoom({ request, signal }: Conversation, bytes: number): Promise<void> {
  // Taken at once if there is room, without setting up a wait: there are thousands of small pieces.
  if (request.held === undefined || request.held.tryTake(bytes)) return;
  const late = AbortSignal.timeout(MAX_ROOM_WAIT_MS);
  try {
    await unlessAborted(AbortSignal.any([signal, late]), request.held.take(bytes));
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new FetchError('busy', 'other pages use all the memory for pages that are being read');
  }
}

type Wire = { readonly wire: Buffer; readonly complete: boolean };

/** Collects at most `cap` bytes, within the limits for the gap between pieces and the rate. */
async function readWire(
  body: Dispatcher.ResponseData['body'],
  cap: number,
  context: Conversation,
): Promise<Wire> {
  const { limits, guard } = context;
  const watch = { size: 0, inWindow: 0 };
  const gap = setTimeout(() => {
    guard.abort(new FetchError('timeout', `no byte for ${limits.betweenBytesMs} ms`));
  }, limits.betweenBytesMs);
  const rate = setInterval(() => {
    const slow = `under ${limits.minRateBytes} bytes in ${limits.minRateWindowMs} ms`;
    if (watch.inWindow < limits.minRateBytes) guard.abort(new FetchError('timeout', slow));
    watch.inWindow = 0;
  }, limits.minRateWindowMs);
  const pieces: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Wire>();
  // Events and not iteration: a piece may be a chunk of a few bytes, and there may be tens of thousands.
  const take = (piece: Buffer): void => {
    gap.refresh();
    watch.size += piece.length;
    watch.inWindow += piece.length;
    pieces.push(piece);
    if (watch.size > cap) {
      resolve({ wire: Buffer.concat(pieces).subarray(0, cap), complete: false });
      body.off('data', take).destroy();
    } else if (context.request.held?.tryTake(piece.length) === false) {
      body.pause();
      takeRoom(context, piece.length).then(() => {
        gap.refresh();
        watch.inWindow = limits.minRateBytes;
        body.resume();
      }, reject);
    }
  };
  body
    .on('data', take)
    .once('error', reject)
    .once('end', () => resolve({ wire: Buffer.concat(pieces, watch.size), complete: true }))
    .once('close', () => reject(new FetchError('reset', 'closed during the body')));
  try {
    return await promise;
  } finally {
    clearTimeout(gap);
    clearInterval(rate);
    body.off('data', take);
  }
}
