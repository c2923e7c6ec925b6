// What happens around every request: its names, its key, the limits on what it may send, its headers.

import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';

import { SECOND_MS } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';
import type { Caller } from '../metering/metering.ts';
import type { HttpEnv, HttpParts } from './context.ts';

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;
/** security 6: paths are at most 8 KiB; a product address is part of the path. */
const MAX_TARGET = 8_192;

const COUNTED_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Counts the answer under its route's pattern: a path is the caller's, and there is no end of them. */
export function countRequest({ clock, metrics }: HttpParts) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedMs = clock.now();
    await next();
    const { method } = c.req;
    metrics.requestAnswered({
      route: routeOf(c),
      method: COUNTED_METHODS.includes(method) ? method : 'other',
      status: c.res.status,
      seconds: (clock.now() - startedMs) / SECOND_MS,
    });
  });
}

/** As the document writes it; `unknown` where no route was met. */
function routeOf(c: Context<HttpEnv>): string {
  const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL');
  return route === undefined ? 'unknown' : route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** D55: `X-Request-Id` is echoed or made; the ledger's own id is always ours. */
export function nameRequest(parts: HttpParts) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header('x-request-id');
    const callId = parts.newId();
    c.set('callId', callId);
    c.set('requestId', given !== undefined && REQUEST_ID.test(given) ? given : callId);
    c.set('caller', null);
    c.set('rateLimit', null);
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('X-Content-Type-Options', 'nosniff');
  });
}

/** No route takes a body, and no address is longer than a product address may be. */
export const limitRequest = createMiddleware<HttpEnv>(async (c, next) => {
  const target = c.req.raw.url.length - new URL(c.req.raw.url).origin.length;
  if (target > MAX_TARGET) {
    throw new FaultError({
      code: 'uri_too_long',
      detail: `The path and query are ${target} characters; at most ${MAX_TARGET} are taken.`,
    });
  }
  const length = c.req.header('content-length');
  const hasBody =
    (length !== undefined && length !== '0') || c.req.header('transfer-encoding') !== undefined;
  if (hasBody) {
    throw new FaultError({
      code: 'body_not_accepted',
      detail: 'All inputs are path and query parameters: send the request without a body.',
    });
  }
  await next();
});

type Scope = 'products:read' | 'products:refresh' | 'admin';

/**
 * D14, D15, D20: the key is checked before anything else, and every answer to a known key says where it
 * stands with its limits. Null: any key will do.
 */
export function requireKey(parts: HttpParts, scope: Scope | null) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const caller = await parts.metering.authenticate(c.req.header('authorization'));
    c.set('caller', caller);
    try {
      if (scope !== null) parts.metering.requireScope(caller, scope);
      await next();
    } finally {
      const limit = c.get('rateLimit') ?? (await parts.metering.rateLimit(caller));
      c.header('RateLimit-Policy', limit.policy);
      c.header('RateLimit', limit.state);
      c.header('Cache-Control', 'private, no-store');
      c.header('Vary', 'Authorization', { append: true });
    }
  });
}

/** The caller of a route that runs behind `requireKey`. */
export function callerOf(c: Context<HttpEnv>): Caller {
  const caller = c.get('caller');
  if (caller === null) throw new Error('a metered route runs behind requireKey');
  return caller;
}
