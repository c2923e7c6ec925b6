// What happens around every request: it is counted and named, its size is limited, and its API key is checked.

import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';

import { SECOND_MS, type Clock } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import type { Scope } from '../base/scopes.ts';
import type { RequestLog } from '../base/log.ts';
import type { Caller, Metering } from '../data/metering/metering.ts';
import type { AnsweredRequest } from '../answer/metrics/service-metrics.ts';
import { whenReceived } from './door/body-arrival.ts';
import type { HttpEnv, Refused } from './context.ts';
import { MAX_TARGET } from './path-text.ts';
import { countedMethod, patternOf, requestIdOf } from './request-names.ts';

export type CountParts = {
  readonly clock: Clock;
  readonly metrics: { readonly requestAnswered: (request: AnsweredRequest) => void };
  readonly requestLog: RequestLog;
};

/**
 * Counts and logs each answer under its route's pattern. Callers choose paths, so that the number of paths has no
 * bound.
 */
export function countRequests({ clock, metrics, requestLog }: CountParts) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedMs = refusedOf(c)?.startedMs ?? clock.now();
    await next();
    const ms = clock.now() - startedMs;
    const route = routeOf(c);
    const method = countedMethod(c.req.method);
    const { status } = c.res;
    metrics.requestAnswered({ route, method, status, seconds: ms / SECOND_MS });
    requestLog.answered({
      requestId: c.get('requestId'),
      callId: c.get('callId'),
      method,
      route,
      status,
      tokens: c.get('tokens'),
      ms,
      organization: c.get('caller')?.organization ?? null,
    });
  });
}

/** Null without a listener, as in a test that calls the API directly. */
function refusedOf(c: Context<HttpEnv>): Refused | null {
  return (c.env as HttpEnv['Bindings'] | undefined)?.refused ?? null;
}

/** The route's pattern as the OpenAPI document writes it; `unknown` when no route matched. */
function routeOf(c: Context<HttpEnv>): string {
  return patternOf(matchedRoutes(c));
}

/** D55: echoes `X-Request-Id` or makes one. The id in the ledger is always made here, with `newId`. */
export function nameRequests(newId: () => string) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const callId = refusedOf(c)?.callId ?? newId();
    c.set('callId', callId);
    c.set('requestId', requestIdOf(c.req.header('x-request-id'), callId));
    c.set('caller', null);
    c.set('tokens', 0);
    c.set('isCounted', false);
    c.set('rateLimit', null);
    await next();
    const headers = headersOf(c);
    headers.set('X-Request-Id', c.get('requestId'));
    headers.set('X-Content-Type-Options', 'nosniff');
    // The listener decides whether the connection is kept: an answer that decided it itself kept one open that was to
    // close.
    headers.delete('Connection');
  });
}

/**
 * The headers of the answer, or of the answer that will be made. Once there is an answer, `c.header` would make another
 * one with its body as a stream, for each header: a third of what an answer of a few KB cost.
 */
function headersOf(c: Context<HttpEnv>): Pick<Headers, 'set' | 'append' | 'delete'> {
  if (c.finalized) return c.res.headers;
  return {
    set: (name, value) => c.header(name, value),
    append: (name, value) => c.header(name, value, { append: true }),
    delete: (name) => c.header(name),
  };
}

/** Routes that take a JSON body. */
const TAKES_BODY = /^\/(?:v1\/(?:watches|channels)(?:\/[^/]+)?|mcp)$/;
const MAX_BODY = 65_536;
/** These routes read their bodies themselves, once the key is checked. */
const READS_ITS_BODY = new Set(['/v1/products/batch', '/console/sheet']);

/**
 * Refuses a path that is too long, a body where the route takes none, and a body that is too large. Clients that always
 * send a body send `{}` (D66).
 */
export const limitRequests = createMiddleware<HttpEnv>(async (c, next) => {
  const address = URL.parse(c.req.raw.url);
  if (address === null) {
    throw new FaultError({
      code: 'invalid_parameter',
      detail:
        'The Host field and the path make no address, so the request was not processed. Send the name of this service in Host.',
    });
  }
  const target = c.req.raw.url.length - address.origin.length;
  if (target > MAX_TARGET) {
    throw new FaultError({
      code: 'uri_too_long',
      detail:
        `Path and query have ${target} characters; the limit is ${MAX_TARGET}. Send a shorter address, without ` +
        'tracking parameters.',
    });
  }
  const { method, path } = c.req;
  if (method === 'POST' && READS_ITS_BODY.has(path)) {
    await next();
    return;
  }
  if ((method === 'POST' || method === 'PATCH') && TAKES_BODY.test(path)) {
    await readBodyFirst(c, () => limitBody(c), next);
    return;
  }
  await readBodyFirst(c, () => refuseBody(c.req.raw), next);
});

/**
 * Goes on once the body has been read. A body that the head does not announce is read in place, because there is
 * nothing to wait for.
 */
async function readBodyFirst(
  c: Context<HttpEnv>,
  read: () => Promise<void>,
  next: () => Promise<void>,
): Promise<void> {
  if (!hasBody(c.req.raw)) {
    await read();
    await next();
    return;
  }
  const work = await whenReceived(c.env, read);
  try {
    await next();
  } finally {
    work?.ends();
  }
}

function hasBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0';
}

/** Reads the body up to its limit, for whoever parses it. */
async function limitBody(c: Context<HttpEnv>): Promise<void> {
  const { raw } = c.req;
  let bytes = Number(raw.headers.get('content-length') ?? 0);
  if (bytes <= MAX_BODY && raw.body !== null) {
    let text = '';
    bytes = 0;
    const decoder = new TextDecoder();
    for await (const piece of raw.body) {
      bytes += piece.byteLength;
      if (bytes > MAX_BODY) break;
      text += decoder.decode(piece, { stream: true });
    }
    // `c.req.json()` looks here first.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text + decoder.decode()) });
  }
  if (bytes <= MAX_BODY) return;
  throw new FaultError({
    code: 'body_too_large',
    detail: `The body has more than ${MAX_BODY / 1_024} KB. Send less at a time, such as fewer addresses.`,
  });
}

/** Room for `{}` with some white space. */
const MAX_EMPTY_BODY = 16;

/** Throws FaultError body_not_accepted where there is a body. */
async function refuseBody(request: Request): Promise<void> {
  if (!hasBody(request) || (await isBodyEmpty(request))) return;
  throw new FaultError({
    code: 'body_not_accepted',
    detail:
      'The request has a body, and this route takes none. Send all inputs as path and query parameters.',
  });
}

/** Whether the body is empty. It reads no more than an empty one could have. */
async function isBodyEmpty(request: Request): Promise<boolean> {
  const length = request.headers.get('content-length');
  if (request.method !== 'POST' || Number(length ?? 0) > MAX_EMPTY_BODY) return false;
  if (request.body === null) return true;
  let text = '';
  for await (const piece of request.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > MAX_EMPTY_BODY) return false;
  }
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}

/** Makes the middleware of a route with a key. `scope` null: any valid key will do. */
export type RequireKey = ReturnType<typeof createKeyCheck>;

/**
 * D14, D15: the key is checked before anything else. FaultError missing_api_key, invalid_api_key, insufficient_scope.
 */
export function createKeyCheck(
  metering: Pick<Metering, 'authenticate' | 'knownCaller' | 'requireScope'>,
) {
  return (scope: Scope | null) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      const authorization = c.req.header('authorization');
      const known = metering.knownCaller(authorization);
      const caller = known ?? (await metering.authenticate(authorization));
      c.set('caller', caller);
      if (scope !== null) metering.requireScope(caller, scope);
      await next();
    });
}

/** D20: every answer to a known key has the state of its limits. */
export function stateLimits(metering: Pick<Metering, 'rateLimit'>) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const caller = c.get('caller');
    if (caller === null) return;
    const limit = c.get('rateLimit') ?? (await metering.rateLimit(caller));
    const headers = headersOf(c);
    headers.set('RateLimit-Policy', limit.policy);
    headers.set('RateLimit', limit.state);
    headers.set('Cache-Control', 'private, no-store');
    headers.append('Vary', isJson(c) ? 'Authorization, Accept-Encoding' : 'Authorization');
  });
}

/** Whether `compress` may compress the answer. Its own check would use `c.header`. */
function isJson(c: Context<HttpEnv>): boolean {
  return c.finalized && c.res.headers.get('Content-Type')?.startsWith('application/json') === true;
}

/** The caller of a route that runs behind `requireKey`. */
export function callerOf(c: Context<HttpEnv>): Caller {
  const caller = c.get('caller');
  if (caller === null) throw new Error('a metered route runs behind requireKey');
  return caller;
}
