// The fetcher: takes an address from a caller or a page and returns a page or a named failure. Each hop is guarded, resolved
// once, allowed by robots.txt, paced, connected to the checked addresses, and limited in size. Nothing else in the service
// opens a socket to a shop.

import type { ByteBudget, HeldBytes } from '../base/byte-budget.ts';
import type { Clock } from '../base/clock.ts';
import type { PausedHost } from '../base/failed-for.ts';
import type { FetchContext } from '../base/fetch-context.ts';
import type {
  Accepted,
  FetchFailure,
  FetchOutcome,
  Fetcher,
  PageRequest,
} from '../base/listing/page.ts';
import type { AddressPermit } from './guard/address-guard.ts';
import { Declined, followChain } from './chain.ts';
import type { ChainRequest, Egress, RequestContent } from './chain.ts';
import { failureOf } from './fetch-error.ts';
import { isRedirect, ownAddresses } from './hop.ts';
import type { HopOptions } from './hop.ts';
import { NO_DENIALS, type Denials } from './guard/denials.ts';
import { createHostLimiter } from './pacing/host-limiter.ts';
import { createNameTurns } from './pacing/name-turns.ts';
import { DEFAULT_LIMITS, PICTURE_BYTES } from './limits.ts';
import type { FetchLimits } from './limits.ts';
import { NO_ORIGINS } from './origins.ts';
import type { OriginMap } from './origins.ts';
import { createOperatorsResolver, createResolver } from './guard/resolver.ts';
import type { Resolve } from './guard/resolver.ts';
import { createRobotsGate } from './robots/robots-gate.ts';
import { signalsField, unlessUnlicensed } from './robots/page-signals.ts';
import type { RequestSigner } from './signing/request-signer.ts';
import type { SharedPauses, TakeSlot } from './pacing/shared-pace.ts';

/** One log line for the operator: callers never learn why an address was refused (D50). */
type FetchLogLine = {
  readonly event: 'fetch_refused' | 'fetch_failed';
  /** Host of the request, at most 253 characters; no path or query. */
  readonly host: string;
  readonly kind: FetchFailure['kind'];
  readonly why: string;
};

export type FetcherOptions = {
  readonly clock: Clock;
  /** The clock for the fetcher's waits and the deadlines of contexts. It is never set. Defaults to `clock`. */
  readonly steady?: Clock;
  /** The version to send, as `openshelf/<version>`. */
  readonly version: string;
  readonly contact?: string | null;
  readonly origins?: OriginMap;
  /** `address` or `address:port`; if empty, the machine's own servers are used. */
  readonly dnsServers?: readonly string[];
  readonly egressProxy?: string | null;
  readonly allowIpLiterals?: boolean;
  readonly permits?: readonly AddressPermit[];
  /** Hosts and networks to deny, including mapped origins. */
  readonly denials?: Denials;
  /** The pause between two requests to one registrable host. Mapped origins are not paced. */
  readonly hostIntervalMs?: number;
  readonly maxConcurrent?: number;
  /** Keeps one pace per host over several processes; null if this is the only one. */
  readonly takeSlot?: TakeSlot | null;
  /** The shared state of hosts that refuse requests; null if this is the only process. */
  readonly sharedPauses?: SharedPauses | null;
  /** Signs requests to shops; null if this installation has no identity. */
  readonly signer?: RequestSigner | null;
  /** Whether the operator has the licence of the shop on this host. */
  readonly isLicensed?: (host: string) => boolean;
  /** Limits the bytes of pages in memory at once; null without a limit. */
  readonly budget?: ByteBudget | null;
  /** PEM certificates that are trusted in addition to the built-in ones. */
  readonly extraCertificates?: readonly string[];
  readonly log?: (line: FetchLogLine) => void;
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
  readonly localAddresses?: () => readonly string[];
  readonly random?: () => number;
};

/** The product token for groups in robots.txt. */
const PRODUCT_TOKEN = 'openshelf';

/** Maximum requests, and name lookups, in flight per organization, so that none can take all slots. */
const MAX_OF_ONE_ORGANIZATION = 8;

/** A fetcher, and its pacing's state of failing hosts. */
type PacedFetcher = Fetcher & { readonly troubledHosts: () => readonly PausedHost[] };

/** Builds the guarded egress. Throws when a DNS server or the proxy is not an address. */
export function createFetcher(options: FetcherOptions): PacedFetcher {
  const { clock } = options;
  const hops: HopOptions = {
    ...(options.denials ?? NO_DENIALS),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    origins: options.origins ?? NO_ORIGINS,
    resolve: options.resolve ?? createResolver(options.dnsServers ?? []),
    resolveOperators: options.resolve ?? createOperatorsResolver(options.dnsServers ?? []),
    allowIpLiterals: options.allowIpLiterals ?? false,
    permits: options.permits ?? [],
    localAddresses: options.localAddresses ?? ownAddresses,
    egressProxy: options.egressProxy ? new URL(options.egressProxy) : null,
    extraCertificates: options.extraCertificates ?? [],
  };
  const intervalMs = options.hostIntervalMs ?? 1_000;
  const steady = options.steady ?? clock;
  const pacing = { clock: steady, intervalMs, random: options.random ?? Math.random };
  const limiter = createHostLimiter({
    ...pacing,
    maxConcurrent: options.maxConcurrent ?? 32,
    maxOfOneOrganization: MAX_OF_ONE_ORGANIZATION,
  });
  // Enforces crawl delays only: the request slot is taken for the host.
  const crawlDelays = createHostLimiter({
    ...pacing,
    maxConcurrent: Number.POSITIVE_INFINITY,
    maxOfOneOrganization: Number.POSITIVE_INFINITY,
  });
  const agent = userAgent(options.version, options.contact ?? null);
  const isLicensed = options.isLicensed ?? (() => false);
  const robots = createRobotsGate(steady, PRODUCT_TOKEN, isLicensed);
  const takeSlot = options.takeSlot ?? null;
  const sharedPauses = options.sharedPauses ?? null;
  const egress: Egress = {
    clock,
    steady,
    hops,
    limiter,
    crawlDelays,
    inNameTurn: createNameTurns(MAX_OF_ONE_ORGANIZATION, hops.limits.dnsMs),
    robots,
    signer: options.signer ?? null,
    agent,
    intervalMs,
    takeSlot,
    sharedPauses,
  };
  const budget = options.budget ?? null;
  const fetcher: Fetcher = async (request, context) => {
    if ((await request.countCall?.()) === false) return SPENT;
    const held = budget?.open(context);
    const fetched = await fetchPage(egress, { request, held }, context);
    held?.release();
    const outcome = request.isOfficial === true ? fetched : unlessUnlicensed(fetched, isLicensed);
    if (!outcome.ok && options.log !== undefined) options.log(logLine(request, outcome.failure));
    return outcome;
  };
  return Object.assign(fetcher, { troubledHosts: () => limiter.troubled() });
}

const SPENT: FetchOutcome = {
  ok: false,
  failure: { kind: 'throttled', detail: 'the daily limit of the source is spent' },
};

function logLine(request: PageRequest, failure: FetchFailure): FetchLogLine {
  const host = (URL.parse(request.url)?.hostname ?? '').slice(0, 253);
  const event = failure.kind === 'refused' ? 'fetch_refused' : 'fetch_failed';
  return { event, host, kind: failure.kind, why: failure.detail };
}

async function fetchPage(
  egress: Egress,
  { request, held }: { readonly request: PageRequest; readonly held: HeldBytes | undefined },
  context: FetchContext,
): Promise<FetchOutcome> {
  try {
    const wantsBody = (status: number, type: string) =>
      !isRedirect(status) && isReadableType(type, request.accept);
    const headers = pageHeaders(egress.agent, request.accept);
    const isOfficial = request.isOfficial === true;
    const chain: ChainRequest = {
      url: request.url,
      headers,
      content: contentOf(request),
      wantsBody,
      ...(held === undefined ? {} : { held }),
      obeyRobots: !isOfficial,
      ...(request.insteadOf === undefined ? {} : { insteadOf: request.insteadOf }),
      isSigned: !isOfficial,
      isRedirectAnswer: isOfficial,
      isPaced: request.isPaced === true,
    };
    const { target, answer, found, signals } = await followChain(
      cappedFor(egress, request.accept),
      chain,
      context,
    );
    const page = {
      requestedUrl: request.url,
      url: target.url.href,
      status: answer.status,
      headers: answer.headers,
      body: new Uint8Array(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength),
      fetchedAtMs: egress.clock.now(),
      ...signalsField(signals, answer.headers),
    };
    return { ok: true, page, ...(found === null ? {} : { found }) };
  } catch (error) {
    if (error instanceof Declined) return { ok: false, failure: error.failure };
    if (context.signal.aborted) {
      return { ok: false, failure: { kind: 'timeout', detail: "the caller's deadline passed" } };
    }
    return { ok: false, failure: failureOf(error) };
  }
}

/** Returns the egress with the limits for the accepted type: a picture may have fewer bytes than a page. */
function cappedFor(egress: Egress, accept: Accepted): Egress {
  if (accept !== 'picture') return egress;
  const { limits } = egress.hops;
  const wireBytes = Math.min(PICTURE_BYTES, limits.wireBytes);
  const decodedBytes = Math.min(PICTURE_BYTES, limits.decodedBytes);
  return { ...egress, hops: { ...egress.hops, limits: { ...limits, wireBytes, decodedBytes } } };
}

/** Headers that the fetcher sets itself; a request's own are dropped. */
const FETCHER_HEADERS = new Set([
  'host',
  'user-agent',
  'accept-encoding',
  'connection',
  'content-length',
]);

function contentOf({ method, headers, body }: PageRequest): RequestContent {
  const lowerCase = Object.entries(headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    method: method ?? 'GET',
    headers: Object.fromEntries(
      lowerCase.filter(([name = '']) => !FETCHER_HEADERS.has(name)),
    ) as RequestContent['headers'],
    body: body ?? null,
  };
}

const ACCEPT: Readonly<Record<Accepted, string>> = {
  html: 'text/html,application/xhtml+xml;q=0.9,application/json;q=0.5',
  json: 'application/json,text/javascript;q=0.5',
  picture: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
};

function pageHeaders(agent: string, accept: Accepted): Readonly<Record<string, string>> {
  return {
    'user-agent': agent,
    accept: ACCEPT[accept],
    'accept-language': 'en-US,en;q=0.9',
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
}

/**
 * Returns the User-Agent sent to shops, with an address for contacting the operator (D54): `openshelf/1.2.3
 * (+https://operator.example/contact)`. Characters not allowed in a header are dropped.
 */
export function userAgent(version: string, contact: string | null): string {
  const product = `${PRODUCT_TOKEN}/${version.replace(/[^\w.-]/g, '')}`;
  const address = (contact ?? '').replace(/[^\u0021-\u007e]|[()\\]/g, '');
  return address === '' ? product : `${product} (+${address})`;
}

const HTML_TYPES = ['text/html', 'application/xhtml+xml'];
const JSON_TYPES = ['application/json', 'application/ld+json', 'text/json'];
/** The types that hosted stores use for `/products/<handle>.js`. */
const SCRIPT_TYPES = ['text/javascript', 'application/javascript', 'application/x-javascript'];
/** The types in which APIs refuse that are asked for JSON. */
const REFUSAL_TYPES = ['text/plain', 'text/xml', 'application/xml'];

/**
 * Whether the readers can parse this type. A page of another type is returned with an empty body, so that a reader can report
 * "not a product" and no film or archive is downloaded. A page with a missing or malformed type is downloaded and judged by its
 * content.
 */
function isReadableType(header: string, accept: Accepted): boolean {
  const essence = (header.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  if (!/^[^/\s]+\/[^/\s]+$/.test(essence)) return true;
  if (accept === 'picture') {
    return essence.startsWith('image/') || essence === 'application/octet-stream';
  }
  if (HTML_TYPES.includes(essence) || JSON_TYPES.includes(essence)) return true;
  if (accept !== 'json') return false;
  return [...SCRIPT_TYPES, ...REFUSAL_TYPES].includes(essence) || /\+(?:json|xml)$/.test(essence);
}
