// What an installation answers with each set of official credentials, while the retailers' pages answer, refuse or are switched
// off: the service asks the simulated market, and every request is counted. `npm run docs -- credentials` writes the table of
// docs/run/retailers.md from it.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openApp, type App } from '../src/edge/app.ts';
import { withSandbox } from '../src/edge/cli/sandbox-config.ts';
import { readConfig } from '../src/edge/config.ts';
import type { Env } from '../src/edge/settings/read-settings.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../src/base/retailer.ts';
import { issueKey } from '../src/data/metering/keys.ts';
import { publicOrigins } from '../src/read/retailers/addresses/public-origins.ts';
import { printedCode } from '../sandbox/market/codes.ts';
import { listingViewAt } from '../sandbox/market/listing-view.ts';
import type { Market, MarketListing } from '../sandbox/market/market.ts';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { SIMULATED_RETAILERS } from '../sandbox/simulated-retailers.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../sandbox/tokens.ts';
import { startReusedThread } from '../tests/support/reused-threads.ts';
import { untilQueueIdle } from '../tests/support/service.ts';
import { stillClock, type ShiftedClock } from '../tests/support/shifted-clock.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';

/** The official sources by the prefix of their settings. */
const SETTINGS = {
  selling_partner: 'OPENSHELF_RETAILER_A_SP_',
  creators: /^OPENSHELF_RETAILER_A_(?:CREATORS_|PARTNER_)/,
  affiliate: /^OPENSHELF_RETAILER_W_(?:CONSUMER_ID|KEY_VERSION|PRIVATE_KEY)/,
  marketplace: 'OPENSHELF_RETAILER_W_CLIENT_',
  browse: 'OPENSHELF_RETAILER_E_',
  products: 'OPENSHELF_RETAILER_B_',
} as const;
export type OfficialSource = keyof typeof SETTINGS;
const SOURCES = Object.keys(SETTINGS) as OfficialSource[];

/** None, each alone, the pairs that people have, all. */
const MIXES: readonly (readonly OfficialSource[])[] = [
  [],
  ...SOURCES.map((source) => [source]),
  ['selling_partner', 'affiliate'],
  ['selling_partner', 'marketplace'],
  ['creators', 'affiliate'],
  SOURCES,
];

const PAGES = ['answering', 'refusing', 'off'] as const;
type PagesState = (typeof PAGES)[number];

export const QUESTIONS = [
  'barcode',
  'ASIN',
  'item id',
  'SKU',
  'retailer_e address',
  'offers',
  'reviews',
  'seller context',
  'refresh',
  'batch',
  'watch',
] as const;
export type Question = (typeof QUESTIONS)[number];

/** Where a request went: an official source, a token service, a page. */
type Asked = OfficialSource | 'token' | 'page';

export type Cell = {
  readonly mix: readonly OfficialSource[];
  readonly pages: PagesState;
  readonly question: Question;
  /** The status; of a batch the worst of its lines, of a watch that of its creation. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Requests until the answer and the work after it were done; of a watch with its first check. */
  readonly requests: Readonly<Partial<Record<Asked, number>>>;
};

const STARTS_AT_MS = Date.UTC(2026, 10, 20, 12);

/** Answers every question with every set of credentials, in every state of the pages. */
export async function credentialCells(
  mixes: readonly (readonly OfficialSource[])[] = MIXES,
): Promise<readonly Cell[]> {
  const clock = stillClock(STARTS_AT_MS);
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' });
  const { consumerId, keyVersion } = SANDBOX_ACCESS;
  await using sandbox = await startSandbox({
    seed: 5,
    products: 800,
    now: clock.now,
    retailers: publicOrigins(),
    signedCaller: { consumerId, keyVersion, publicKey },
  });
  await using wall = await openWall();
  const goods = goodsIn(sandbox.market(), clock.now());
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const credentials = { ...SANDBOX_CREDENTIALS, OPENSHELF_RETAILER_W_PRIVATE_KEY: privateKey };
  const cells: Cell[] = [];
  for (const pages of PAGES) {
    const market = pages === 'refusing' ? behindWall(sandbox, wall.url) : sandbox;
    for (const mix of mixes) {
      const env = { ...settingsOf(mix, credentials), ...(pages === 'off' ? PAGES_OFF : {}) };
      using folder = temporaryFolder();
      const config = withSandbox(readConfig(env, { dataDir: folder.path, port: 0 }), market, {
        hasTerms: true,
      });
      const reading = { start: startReusedThread, startMs: 600_000, deadlineMs: 5_000 };
      await using app = await openApp(config, { clock, reading, lookupMs: 600_000 });
      const { url } = await app.listen();
      const issued = await issueKey(
        app.store.accounts,
        { organization: 'table', note: null },
        clock.now(),
      );
      const call = callerOf(url, issued.text);
      const stage = { app, call, clock, sandbox, wall };
      for (const [at, question] of QUESTIONS.entries()) {
        const own = goods[at];
        if (own === undefined) throw new Error('the market has too few goods for the table');
        cells.push({ mix, pages, question, ...(await cellOf(stage, question, own)) });
      }
      await app.stop(1_000);
    }
  }
  return cells;
}

type Stage = {
  readonly app: App;
  readonly call: Caller;
  readonly clock: ShiftedClock;
  readonly sandbox: Sandbox;
  readonly wall: Wall;
};

async function cellOf(
  { app, call, clock, sandbox, wall }: Stage,
  question: Question,
  goods: Goods,
): Promise<Pick<Cell, 'status' | 'body' | 'requests'>> {
  if (question === 'refresh') {
    // What was found before is asked for again.
    await answerTo(call, 'barcode', goods, sandbox.market());
    await untilQueueIdle(app, clock);
    clock.advance(1_000);
  }
  const from = { market: sandbox.requestCount(), wall: wall.count() };
  const answer = await answerTo(call, question, goods, sandbox.market());
  if (question === 'watch') await app.checkWatches();
  await untilQueueIdle(app, clock);
  const made = sandbox.requestCount() - from.market;
  const requests = made === 0 ? [] : sandbox.requests().slice(-made);
  return { ...answer, requests: counted(requests, wall.count() - from.wall) };
}

const PAGES_OFF: Env = Object.fromEntries(
  KNOWN_SLUGS.map((slug) => [`OPENSHELF_${slug.toUpperCase()}_PAGES`, 'off']),
);

function settingsOf(mix: readonly OfficialSource[], credentials: Env): Env {
  const isOf = (name: string) =>
    mix.some((source) => {
      const own = SETTINGS[source];
      return typeof own === 'string' ? name.startsWith(own) : own.test(name);
    });
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => isOf(name)));
}

type Goods = Readonly<
  Record<'retailer_w' | 'retailer_a' | 'retailer_e' | 'retailer_b', MarketListing>
>;

/** Returns goods that all four retailers with official APIs sell now, each under its own UPC. */
function goodsIn(market: Market, atMs: number): readonly Goods[] {
  return market.catalog.flatMap((product) => {
    if (product.trouble !== null || !product.gtin14.startsWith('00') || product.isBook) return [];
    const sold = (slug: KnownSlug) =>
      market.listingsOf(slug, product).find((listing) => {
        const view = listingViewAt(market, listing, atMs);
        const isPriced = view.cents !== null && view.inStock && view.currency === 'USD';
        return isPriced && listing.publishedGtin === product.gtin14;
      });
    const [retailer_w, retailer_a] = [sold('retailer_w'), sold('retailer_a')];
    const [retailer_e, retailer_b] = [sold('retailer_e'), sold('retailer_b')];
    return retailer_w && retailer_a && retailer_e && retailer_b
      ? [{ retailer_w, retailer_a, retailer_e, retailer_b }]
      : [];
  });
}

type Caller = (
  path: string,
  body?: { readonly type: string; readonly text: string },
) => Promise<{
  readonly status: number;
  readonly text: string;
}>;

function callerOf(url: string, key: string): Caller {
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined || body.type === '' ? {} : { 'content-type': body.type }),
      },
      ...(body === undefined || body.type === '' ? {} : { body: body.text }),
    });
    return { status: response.status, text: await response.text() };
  };
}

type Answer = Pick<Cell, 'status' | 'body'>;

/** Asks one question about goods that nobody asked about before. */
async function answerTo(
  call: Caller,
  question: Question,
  goods: Goods,
  market: Market,
): Promise<Answer> {
  const { retailer_w: w, retailer_a: a, retailer_e: e, retailer_b: b } = goods;
  const at = (id: string, rest = '') => `/v1/products/${encodeURIComponent(id)}${rest}`;
  const barcode = printedCode(w.product.gtin14);
  switch (question) {
    case 'barcode':
      return answerOf(await call(at(barcode)));
    case 'ASIN':
      return answerOf(await call(at(a.id)));
    case 'item id':
      return answerOf(await call(at(w.id)));
    case 'SKU':
      return answerOf(await call(at(b.id)));
    case 'retailer_e address':
      return answerOf(await call(at(SIMULATED_RETAILERS.retailer_e.address(market, e))));
    case 'offers':
      return answerOf(await call(at(a.id, '?include_offers=true')));
    case 'reviews':
      return answerOf(await call(at(w.id, '/reviews')));
    case 'seller context':
      return answerOf(await call(at(a.id, '?include_seller_context=true')));
    case 'refresh':
      return answerOf(
        await call(at(barcode, '/refresh?include_offers_reviews=false'), { type: '', text: '' }),
      );
    case 'batch': {
      const lines = [{ id: barcode }, { id: a.id }].map((line) => JSON.stringify(line)).join('\n');
      const { text } = await call('/v1/products/batch', {
        type: 'application/x-ndjson',
        text: lines,
      });
      const bodies = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const worst = bodies.toSorted((one, other) => statusOf(other) - statusOf(one))[0] ?? {};
      return { status: statusOf(worst), body: worst };
    }
    case 'watch': {
      const text = JSON.stringify({ identifier: a.id, retailer: 'retailer_a', below: 1 });
      return answerOf(await call('/v1/watches', { type: 'application/json', text }));
    }
  }
}

function answerOf({ status, text }: Awaited<ReturnType<Caller>>): Answer {
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

/** The status of a batch's line: that of its problem, else 200. */
function statusOf(line: Readonly<Record<string, unknown>>): number {
  return typeof line['status'] === 'number' ? line['status'] : 200;
}

type Wall = AsyncDisposable & { readonly url: string; readonly count: () => number };

/** A server that refuses every page as the network before some retailers does; it has no robots.txt. */
async function openWall(): Promise<Wall> {
  let count = 0;
  const server: Server = createServer((request, response) => {
    const isRobots = request.url === '/robots.txt';
    if (!isRobots) count += 1;
    response.writeHead(isRobots ? 404 : 403, { 'content-type': 'text/html' });
    response.end(
      '<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>' +
        "You don't have permission to access this page.<p>Reference #18.5a0db0c5</body></html>",
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The market with its retailers' pages behind the wall; other origins are untouched. */
function behindWall(sandbox: Sandbox, wall: string): Sandbox {
  const pages = Object.values(publicOrigins()).map(({ page }) => [page, wall] as const);
  return { ...sandbox, origins: { ...sandbox.origins, ...Object.fromEntries(pages) } };
}

const TOKEN_PATH = /\/(?:oauth2\/)?token$/;

/** Counts requests by where they went. Other public JSON counts as pages. */
function counted(
  requests: ReturnType<Sandbox['requests']>,
  refused: number,
): Readonly<Partial<Record<Asked, number>>> {
  const origins = publicOrigins();
  const names: Readonly<Record<string, OfficialSource>> = {
    [origins.retailer_a.api['selling-partner'] ?? '']: 'selling_partner',
    [origins.retailer_a.api['creators'] ?? '']: 'creators',
    [origins.retailer_w.api['affiliate'] ?? '']: 'affiliate',
    [origins.retailer_w.api['marketplace'] ?? '']: 'marketplace',
    [origins.retailer_e.api['browse'] ?? '']: 'browse',
    [origins.retailer_b.api['products'] ?? '']: 'products',
  };
  const counts: Partial<Record<Asked, number>> = refused === 0 ? {} : { page: refused };
  for (const { origin, path } of requests) {
    if (path === '/robots.txt') continue;
    const isToken = TOKEN_PATH.test(path.split('?')[0] ?? '');
    const asked: Asked = isToken ? 'token' : (names[origin] ?? 'page');
    counts[asked] = (counts[asked] ?? 0) + 1;
  }
  return counts;
}
