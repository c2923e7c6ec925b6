// GET /metrics: metrics for Prometheus, without a key (D14). They are answered to callers on the same machine, or at an
// address of their own (D4).

import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context } from 'hono';

import { FaultError } from '../../../base/fault.ts';
import type { Api, HttpEnv } from '../../context.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** A local host name, with or without a port. */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
/**
 * Headers that scrapers, browsers and command-line clients send by themselves. Any other header may have been added on
 * the way. What proxies call their headers cannot be listed; what clients send can.
 */
const OF_CLIENTS: ReadonlySet<string> = new Set(
  `host user-agent accept accept-charset accept-encoding accept-language authorization baggage
   cache-control connection cookie dnt if-modified-since if-none-match keep-alive pragma priority
   referer te traceparent tracestate upgrade-insecure-requests
   x-prometheus-scrape-timeout-seconds`.split(/\s+/),
);
/** Headers that only browsers can set: no script and no proxy may. */
const OF_BROWSERS = /^sec-/;

export type MetricsText = () => Promise<string>;

/** Answers callers on this machine at the address of the API. For all others the route does not exist. */
export function addLocalMetricsRoute(api: Api, text: MetricsText): void {
  api.get('/metrics', async (c) => {
    if (isLocalCaller(c)) return await answer(c, text);
    throw new FaultError({
      code: 'unknown_route',
      detail:
        'Metrics are answered only to callers on the same machine. Set OPENSHELF_METRICS to an address at which ' +
        'others may read them.',
    });
  });
}

/** Answers everyone who can reach the address of OPENSHELF_METRICS. */
export function createMetricsApi(text: MetricsText): Api {
  const api: Api = new Hono<HttpEnv>();
  api.get('/metrics', (c) => answer(c, text));
  return api;
}

async function answer(c: Context<HttpEnv>, text: MetricsText): Promise<Response> {
  return c.body(await text(), 200, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' });
}

/**
 * Whether the socket comes from this machine, and nothing says that a proxy forwarded the request: behind a proxy on
 * this machine every socket is local. A proxy shows itself by a header that no client sends, by HTTP/1.0, or by a host
 * that is no local name. The last also keeps out a web page that points a domain of its own at this machine.
 */
function isLocalCaller(c: Context<HttpEnv>): boolean {
  const names = [...c.req.raw.headers.keys()];
  if (!names.every((name) => OF_CLIENTS.has(name) || OF_BROWSERS.test(name))) return false;
  if (httpVersion(c) === '1.0') return false;
  if (!OWN_NAME.test(c.req.header('host') ?? '')) return false;
  return LOOPBACK.test(remoteAddress(c) ?? '');
}

function httpVersion(c: Context<HttpEnv>): string | undefined {
  const { incoming } = c.env as { readonly incoming?: { readonly httpVersion?: string } };
  return incoming?.httpVersion;
}

/** The peer's address; undefined when the request did not come through a socket of this server. */
function remoteAddress(c: Context<HttpEnv>): string | undefined {
  try {
    return getConnInfo(c).remote.address;
  } catch {
    return undefined;
  }
}
