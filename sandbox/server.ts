// The simulated shops and retailers as HTTP servers on loopback, one port for each origin. The last requests are kept,
// for tests that count them.

import { picturePng } from './picture.ts';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { SimulatedAnswer } from './answer.ts';
import type { ApiFailure, OfficialApi } from './api-errors.ts';
import { describeWorld } from './shops/description.ts';
import type { WorldDescription } from './shops/description.ts';
import type { UcpTrap } from './shops/ucp-catalog.ts';
import type { Disturbance } from './simulated-retailer.ts';
import { SIMULATED_RETAILERS } from './simulated-retailers.ts';
import { describeMarket } from './market/description.ts';
import type { MarketDescription } from './market/description.ts';
import { createMarket } from './market/market.ts';
import type { Market } from './market/market.ts';
import { retailerOrigins, SEARCH_ORIGINS } from './origins.ts';
import type { OriginsOfRetailers } from './origins.ts';
import { sitesOf } from './sites.ts';
import type { Site } from './sites.ts';
import type { SignedCaller } from './retailer-w/signature.ts';
import { createTokens } from './tokens.ts';
import { createWorld, interleaved } from './world.ts';
import type { World } from './world.ts';
import { once } from '../src/base/once.ts';
import type { KnownSlug } from '../src/base/retailer.ts';

export type SandboxOptions = {
  readonly seed: number;
  /** The instant at which prices and stock are quoted, in milliseconds since 1970. */
  readonly now: () => number;
  readonly host?: string;
  /** The first port; the others follow. 0 or absent: free ports. */
  readonly portBase?: number;
  readonly productsPerShop?: number;
  /** Products of the market that the retailers sell from (default 1,000). */
  readonly products?: number;
  /** Public origins of the retailers; invented ones if absent. */
  readonly retailers?: Partial<OriginsOfRetailers>;
  /** Public origins of the search engines, by any name. */
  readonly search?: Readonly<Record<string, string>>;
  /** The caller whose signature retailer_w's affiliate API accepts. */
  readonly signedCaller?: SignedCaller;
  /** Only the official APIs of the retailers answer, and their pages refuse. */
  readonly isApisOnly?: boolean;
};

type SandboxRequest = {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly atMs: number;
};

/** `url` has one page of each kind of shop, and of each retailer whose origins the caller gave. */
export type SandboxDescription = Omit<WorldDescription, 'url'> &
  MarketDescription & {
    readonly url: WorldDescription['url'] & Readonly<Partial<Record<KnownSlug, string>>>;
  };

export type Sandbox = AsyncDisposable & {
  /** Public origin → loopback origin, in the form of OPENSHELF_ORIGINS (D5). */
  readonly origins: Readonly<Record<string, string>>;
  readonly world: World;
  /** The retailers' products and listings; created on first use. */
  readonly market: () => Market;
  readonly describe: () => SandboxDescription;
  /** Makes all pages and APIs of a retailer fail in this way; null stops it. */
  readonly disturb: (slug: KnownSlug, kind: Disturbance | null) => void;
  /** Makes an official API fail in this way; null stops it. */
  readonly fail: (api: OfficialApi, kind: ApiFailure | null) => void;
  /** Makes the catalogue of the hosted store do this; null stops it. */
  readonly trap: (of: 'ucp', kind: UcpTrap | null) => void;
  /** Every access token issued so far counts as expired from now on. */
  readonly expireTokens: () => void;
  /** The number of access tokens issued. */
  readonly tokenCount: () => number;
  /** The last requests, at most 10,000, oldest first; without those to /__truth/ and /__failures. */
  readonly requests: () => readonly SandboxRequest[];
  readonly requestCount: () => number;
  readonly close: () => Promise<void>;
};

const DEFAULT_PRODUCTS = 1_000;
const KEPT_REQUESTS = 10_000;
/** Requests to the APIs are far smaller; a larger body is read as empty. */
const MOST_BODY_BYTES = 1_000_000;
const PADDING = Buffer.alloc(65_536, ' ');

/** Starts every shop and retailer on a port of its own. Resolves when all of them answer. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { seed, now, host = '127.0.0.1' } = options;
  const world = createWorld(seed, options.productsPerShop);
  const market = once(() =>
    createMarket({
      seed,
      products: options.products ?? DEFAULT_PRODUCTS,
      shopProducts: interleaved(world),
      origins: retailerOrigins(options.retailers),
    }),
  );
  const tokens = createTokens();
  const signedCaller = options.signedCaller ?? null;
  const disturbed = new Map<KnownSlug, Disturbance>();
  const failing = new Map<OfficialApi, ApiFailure>();
  const traps = new Map<'ucp', UcpTrap>();
  const isApisOnly = options.isApisOnly === true;
  const sites = sitesOf({
    world,
    retailers: retailerOrigins(options.retailers),
    search: options.search ?? SEARCH_ORIGINS,
    failing,
    traps,
    isApisOnly,
    state: once(() => ({
      market: market(),
      tokens,
      signedCaller,
      throttledSince: new Map(),
      disturbed,
      failing,
      isApisOnly,
    })),
  });
  const log = requestLog();
  const { origins, close } = await listenAll(
    sites,
    options,
    async (site, request, response) => {
      const atMs = now();
      log.note(site.origin, request, atMs);
      const url = addressOn(site.origin, request.url ?? '/');
      if (url.pathname.startsWith('/media/')) {
        send({ kind: 'file', type: 'image/png', bytes: picturePng(url.href) }, request, response);
        return;
      }
      const method = request.method ?? 'GET';
      const asked = { method, url, headers: headersOf(request), body: await bodyOf(request), atMs };
      send(site.answer(asked), request, response);
    },
    host,
  );
  return {
    origins,
    world,
    market,
    describe: () => description(world, market(), options.retailers ?? {}, now()),
    disturb: switchOf(disturbed),
    fail: switchOf(failing),
    trap: switchOf(traps),
    expireTokens: tokens.expireAll,
    tokenCount: tokens.issuedCount,
    requests: log.kept,
    requestCount: log.count,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a function that sets an entry of the map, and with null removes it. */
function switchOf<K, V>(map: Map<K, V>): (key: K, value: V | null) => void {
  return (key, value) => {
    if (value === null) map.delete(key);
    else map.set(key, value);
  };
}

function description(
  world: World,
  market: Market,
  given: Partial<OriginsOfRetailers>,
  atMs: number,
): SandboxDescription {
  const shops = describeWorld(world, atMs);
  const retailers = describeMarket(market, atMs);
  const slugs = Object.keys(SIMULATED_RETAILERS) as KnownSlug[];
  const pages = slugs
    .filter((slug) => given[slug] !== undefined)
    .map((slug) => [slug, retailers.retailers[slug].url] as const);
  return { ...shops, ...retailers, url: { ...shops.url, ...Object.fromEntries(pages) } };
}

type RequestLog = {
  readonly note: (origin: string, request: IncomingMessage, atMs: number) => void;
  readonly kept: () => readonly SandboxRequest[];
  readonly count: () => number;
};

function requestLog(): RequestLog {
  const kept: SandboxRequest[] = [];
  let count = 0;
  return {
    note: (origin, request, atMs) => {
      if (/^\/__(?:truth|failures)\b/.test(request.url ?? '')) return;
      count += 1;
      if (kept.length === KEPT_REQUESTS) kept.shift();
      kept.push({
        origin,
        method: request.method ?? '',
        path: request.url ?? '',
        headers: headersOf(request),
        atMs,
      });
    },
    kept: () => [...kept],
    count: () => count,
  };
}

/** Returns the address of a request; for an invalid request line, one that no site answers. */
function addressOn(origin: string, path: string): URL {
  return URL.canParse(path, origin) ? new URL(path, origin) : new URL('/%00', origin);
}

function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET' || request.method === 'HEAD') return '';
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.byteLength;
    if (size > MOST_BODY_BYTES) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function send(answer: SimulatedAnswer, request: IncomingMessage, response: ServerResponse): void {
  switch (answer.kind) {
    case 'reset':
      request.socket.destroy();
      return;
    case 'stalled':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.write(answer.head);
      return;
    case 'padded':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      if (request.method === 'HEAD') response.end();
      else Readable.from(padded(answer.body, answer.bytes)).pipe(response);
      return;
    case 'file':
      response.writeHead(200, {
        'content-type': answer.type,
        'content-length': answer.bytes.byteLength,
      });
      response.end(request.method === 'HEAD' ? undefined : answer.bytes);
      return;
    case 'page': {
      const body = Buffer.from(answer.body);
      response.writeHead(answer.status, {
        'content-type': answer.type,
        'content-length': body.byteLength,
        ...answer.headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    }
  }
}

/** Yields the page, then blanks up to `bytes` bytes, in chunks: it is never in memory as a whole. */
function* padded(body: string, bytes: number): Generator<Buffer> {
  const head = Buffer.from(body);
  yield head;
  for (let left = bytes - head.byteLength; left > 0; left -= PADDING.byteLength) {
    yield PADDING.subarray(0, Math.min(left, PADDING.byteLength));
  }
}

type Listening = {
  readonly origins: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

async function listenAll(
  sites: readonly Site[],
  { portBase = 0 }: SandboxOptions,
  answer: (site: Site, request: IncomingMessage, response: ServerResponse) => Promise<void>,
  host: string,
): Promise<Listening> {
  const servers: Server[] = [];
  const origins: Record<string, string> = {};
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(stop));
  };
  try {
    for (const [at, site] of sites.entries()) {
      const server = createServer((request, response) => {
        answer(site, request, response).catch(() => request.socket.destroy());
      });
      servers.push(server);
      origins[site.origin] = await listen(server, host, portBase === 0 ? 0 : portBase + at);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { origins, close };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
