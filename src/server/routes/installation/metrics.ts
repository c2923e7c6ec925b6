// GET /metrics: metrics for Prometheus, without a key (D14). They are served to callers on the same machine, or on a
// separate address (D4).

import { FaultError } from '../../../base/fault.ts';
import type { Answer } from '../../answer.ts';
import type { Asked } from '../../call.ts';
import type { RouteRow } from '../../route.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** A local host name, with or without a port. */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
/**
 * Headers that scrapers, browsers and command-line clients send by themselves. Any other header may have been added in
 * transit. The header names used by proxies cannot be listed; those that clients send can.
 */
const OF_CLIENTS: ReadonlySet<string> = new Set(
  `host user-agent accept accept-charset accept-encoding accept-language authorization baggage
   cache-control connection cookie dnt if-modified-since if-none-match keep-alive pragma priority
   referer te traceparent tracestate upgrade-insecure-requests
   x-prometheus-scrape-timeout-seconds`.split(/\s+/),
);
/** Headers that only browsers can set: no script and no proxy may. */
const OF_BROWSERS = /^sec-/;

export type MetricsParts = { readonly metrics: { readonly text: () => Promise<string> } };

const FREE_ROW = { method: 'get', path: '/metrics', scope: 'no key', request: null } as const;

/** Serves callers on this machine on the API's address. For all others the route does not exist. */
export const LOCAL_METRICS_ROWS: readonly RouteRow<MetricsParts>[] = [
  {
    ...FREE_ROW,
    call:
      ({ metrics }) =>
      async ({ call }) => {
        if (isLocalCaller(call.asked)) return answerOf(await metrics.text());
        throw new FaultError({
          code: 'unknown_route',
          detail:
            'Metrics are served only to callers on the same machine. Set OPENSHELF_METRICS to an address where ' +
            'others may read them.',
        });
      },
  },
];

/** Serves everyone who can reach the address of OPENSHELF_METRICS. */
export const OPEN_METRICS_ROWS: readonly RouteRow<MetricsParts>[] = [
  {
    ...FREE_ROW,
    call:
      ({ metrics }) =>
      async () =>
        answerOf(await metrics.text()),
  },
];

function answerOf(text: string): Answer {
  const headers = { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' };
  return { status: 200, headers, body: text };
}

/**
 * Checks whether the socket comes from this machine, and nothing indicates that a proxy forwarded the request: behind a
 * proxy on this machine every socket is local. A proxy is recognized by a header that no client sends, by HTTP/1.0, or by a
 * host that is not a local name. The last also excludes a web page that points its own domain at this machine.
 */
function isLocalCaller({ headers, peer }: Asked): boolean {
  const names = [...headers.keys()];
  if (!names.every((name) => OF_CLIENTS.has(name) || OF_BROWSERS.test(name))) return false;
  if (peer === null || peer.httpVersion === '1.0') return false;
  return OWN_NAME.test(headers.get('host') ?? '') && LOOPBACK.test(peer.address);
}
