// GET /metrics: the service's numbers for Prometheus, without a key (D14), to whoever may have them (D4).

import { getConnInfo } from '@hono/node-server/conninfo';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';

import { FaultError } from '../../core/fault.ts';
import type { Api, HttpEnv } from '../context.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** With or without a port. */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
/** What proxies add to a request that they pass on. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

export type MetricsText = () => Promise<string>;

/** Beside the API: to callers on this machine; to everybody else it is a route that does not exist. */
export function addLocalMetricsRoute(api: Api, text: MetricsText): void {
  api.get('/metrics', async (c) => {
    if (isLocalCaller(c)) return await answer(c, text);
    throw new FaultError({
      code: 'unknown_route',
      detail: 'Metrics are for callers on the machine itself, or where OPENSHELF_METRICS says.',
    });
  });
}

/** Alone, where OPENSHELF_METRICS says: to everybody who can reach that address. */
export function createMetricsApi(text: MetricsText): Api {
  const api: Api = new OpenAPIHono<HttpEnv>();
  api.get('/metrics', (c) => answer(c, text));
  return api;
}

async function answer(c: Context<HttpEnv>, text: MetricsText): Promise<Response> {
  return c.body(await text(), 200, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' });
}

/**
 * The socket comes from this machine, and no proxy says that it passes the request on: behind one on the same machine
 * every caller's socket would. A page in a browser here that calls the service by a name of its own is no local
 * caller either.
 */
function isLocalCaller(c: Context<HttpEnv>): boolean {
  if (PASSED_ON.some((name) => c.req.header(name) !== undefined)) return false;
  if (!OWN_NAME.test(c.req.header('host') ?? '')) return false;
  return LOOPBACK.test(remoteAddress(c) ?? '');
}

/** Undefined where the request did not come through a socket of ours. */
function remoteAddress(c: Context<HttpEnv>): string | undefined {
  try {
    return getConnInfo(c).remote.address;
  } catch {
    return undefined;
  }
}
