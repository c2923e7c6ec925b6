// The fetcher: from an address a caller or a page gave to a page or a named failure. Each hop is guarded,
// resolved once, allowed by robots.txt, paced, connected to the checked addresses and capped (security
// 1, 2, 7). Nothing else in the service opens a socket to a shop.

import type { Clock } from '../core/clock.ts';
import type { FetchContext } from '../core/fetch-context.ts';
import type { FetchFailure, FetchOutcome, Fetcher, PageRequest } from '../listing/page.ts';
import type { AddressPermit } from './guard/address-guard.ts';
import { Declined, followChain } from './chain.ts';
import type { OwnParts, Egress } from './chain.ts';
import { isReadableType } from './content-type.ts';
import { failureOf } from './fetch-error.ts';
import { isRedirect, ownAddresses } from './hop.ts';
import type { HopOptions } from './hop.ts';
import { createHostLimiter } from './pacing/host-limiter.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { FetchLimits } from './limits.ts';
import { NO_ORIGINS } from './origins.ts';
import type { OriginMap } from './origins.ts';
import { createResolver } from './guard/resolver.ts';
import type { Resolve } from './guard/resolver.ts';
import { createRobotsGate } from './robots/robots-gate.ts';
import type { TakeSlot } from './pacing/shared-pace.ts';
import { PRODUCT_TOKEN, userAgent } from './user-agent.ts';

/** One line for the operator: callers never learn why an address was refused (D50). */
export type FetchLogLine = {
  readonly event: 'fetch_refused' | 'fetch_failed';
  /** Host as asked, at most 253 characters; no path or query. */
  readonly host: string;
  readonly kind: FetchFailure['kind'];
  readonly why: string;
};

export type FetcherOptions = {
  readonly clock: Clock;
  /** `openshelf/<version>` is sent. */
  readonly version: string;
  readonly contact?: string | null;
  readonly origins?: OriginMap;
  /** `address` or `address:port`; empty: the system's resolver. */
  readonly dnsServers?: readonly string[];
  readonly egressProxy?: string | null;
  readonly allowIpLiterals?: boolean;
  readonly permits?: readonly AddressPermit[];
  /** Pause between two requests to one registrable host; mapped origins are not paced. */
  readonly hostIntervalMs?: number;
  readonly maxConcurrent?: number;
  /** Where other processes ask the same hosts. */
  readonly takeSlot?: TakeSlot | null;
  /** PEM certificates trusted beside the built-in ones. */
  readonly extraCertificates?: readonly string[];
  readonly log?: (line: FetchLogLine) => void;
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
  readonly localAddresses?: () => readonly string[];
  readonly random?: () => number;
};

/** Requests that one organization's calls have in flight, so that nobody takes every place (security 6). */
const MAX_OF_ONE_ORGANIZATION = 8;

/** Builds the guarded egress. Throws when a DNS server or the proxy is no address. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const { clock } = options;
  const hops: HopOptions = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    origins: options.origins ?? NO_ORIGINS,
    resolve: options.resolve ?? createResolver(options.dnsServers ?? []),
    allowIpLiterals: options.allowIpLiterals ?? false,
    permits: options.permits ?? [],
    localAddresses: options.localAddresses ?? ownAddresses,
    egressProxy: options.egressProxy ? new URL(options.egressProxy) : null,
    extraCertificates: options.extraCertificates ?? [],
  };
  const intervalMs = options.hostIntervalMs ?? 1_000;
  const limiter = createHostLimiter({
    clock,
    intervalMs,
    maxConcurrent: options.maxConcurrent ?? 32,
    maxOfOneOrganization: MAX_OF_ONE_ORGANIZATION,
    random: options.random ?? Math.random,
  });
  const agent = userAgent(options.version, options.contact ?? null);
  const robots = createRobotsGate(clock, PRODUCT_TOKEN);
  const takeSlot = options.takeSlot ?? null;
  const egress: Egress = { clock, hops, limiter, robots, agent, intervalMs, takeSlot };
  return async (request, context) => {
    const outcome = await fetchPage(egress, request, context);
    if (!outcome.ok && options.log !== undefined) options.log(logLine(request, outcome.failure));
    return outcome;
  };
}

function logLine(request: PageRequest, failure: FetchFailure): FetchLogLine {
  const host = (URL.parse(request.url)?.hostname ?? '').slice(0, 253);
  const event = failure.kind === 'refused' ? 'fetch_refused' : 'fetch_failed';
  return { event, host, kind: failure.kind, why: failure.detail };
}

async function fetchPage(
  egress: Egress,
  request: PageRequest,
  context: FetchContext,
): Promise<FetchOutcome> {
  try {
    const wantsBody = (status: number, type: string) =>
      !isRedirect(status) && isReadableType(type, request.accept);
    const headers = pageHeaders(egress.agent, request.accept);
    const obeyRobots = request.isOfficial !== true;
    const chain = { url: request.url, headers, own: ownParts(request), wantsBody, obeyRobots };
    const { target, answer } = await followChain(egress, chain, context);
    const page = {
      requestedUrl: request.url,
      url: target.url.href,
      status: answer.status,
      headers: answer.headers,
      body: new Uint8Array(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength),
      fetchedAtMs: egress.clock.now(),
    };
    return { ok: true, page };
  } catch (error) {
    if (error instanceof Declined) return { ok: false, failure: error.failure };
    if (context.signal.aborted) {
      return { ok: false, failure: { kind: 'timeout', detail: "the caller's deadline passed" } };
    }
    return { ok: false, failure: failureOf(error) };
  }
}

/** Names that the fetcher itself decides on, whatever a request brings. */
const KEPT = new Set(['host', 'user-agent', 'accept-encoding', 'connection', 'content-length']);

function ownParts({ method, headers, body }: PageRequest): OwnParts {
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method: method ?? 'GET',
    headers: Object.fromEntries(
      own.filter(([name = '']) => !KEPT.has(name)),
    ) as OwnParts['headers'],
    body: body ?? null,
  };
}

function pageHeaders(agent: string, accept: 'html' | 'json'): Readonly<Record<string, string>> {
  return {
    'user-agent': agent,
    accept:
      accept === 'html'
        ? 'text/html,application/xhtml+xml;q=0.9,application/json;q=0.5'
        : 'application/json,text/javascript;q=0.5',
    'accept-language': 'en-US,en;q=0.9',
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
}
