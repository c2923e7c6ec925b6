// npm run lab -- records --manifest PATH [--json]: serves every recorded product page of an unknown shop on loopback, looks
// it up through the whole service, and compares the record field by field with the one composed from the reader's own
// listing. Proves that nothing between bytes and record changes a fact.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';

import { openApp } from '../../src/edge/app.ts';
import { readConfig } from '../../src/edge/config.ts';
import { dayOf } from '../../src/base/clock.ts';
import { composeProduct } from '../../src/rules/product/compose.ts';
import type { Page } from '../../src/base/listing/page.ts';
import { parseInput } from '../../src/answer/lookup/steps/parse-input.ts';
import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import { listingKeyOf } from '../../src/answer/collect/listing-key.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { readProductPage } from '../../src/read/retailers/registry.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { presentProduct } from '../../src/answer/wire/record/present.ts';
import type { StoredListing } from '../../src/base/listing/stored-listing.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

type Row = {
  readonly file: string;
  readonly slug: string;
  readonly url: string;
  readonly reader: string;
  readonly url_made?: boolean;
  readonly feed?: unknown;
  readonly expect?: { readonly verdict?: string };
};

type Difference = {
  readonly file: string;
  readonly field: string;
  expected: unknown;
  got: unknown;
};

const SHOPS = ['generic', 'shopify'];

/** Starts one loopback server per shop: every path of its pages, 404 for anything else. */
async function serveShop(pages: ReadonlyMap<string, Buffer>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop.example.com').pathname;
    const body = pages.get(path);
    if (body === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const originAt = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Returns the record composed from the reader's listing of this page, as of now. */
function expectedRecord(row: Row, page: Page): Record<string, unknown> | null {
  const verdict = readProductPage(page);
  if (verdict.kind !== 'read') return null;
  const identified = parseInput(row.url);
  const identifier = identified.ok ? identified.identifiers[0] : undefined;
  const target = identifier === undefined ? null : listingKeyOf(identifier);
  if (target === null || target.kind !== 'shop') return null;
  const listing = verdict.value;
  const nowMs = Date.now();
  const anchor: StoredListing = {
    id: listingIdOf(target.shop.slug, target.key),
    retailer: target.shop.slug,
    key: target.key,
    url: target.url,
    foundVia: 'submitted_url',
    fetchedAtMs: nowMs,
    listing,
  };
  const usd = listing.price?.currency === 'USD' && listing.inStock !== false;
  const priceCents = usd ? (listing.price?.cents ?? null) : null;
  const today = dayOf(nowMs);
  const product = composeProduct({
    anchor,
    peers: [],
    others: [],
    disputed: [],
    isTrusted: () => false,
    guesses: [],
    apart: [],
    agreement: { disagreements: [], score: null },
    gtin: listing.gtin,
    history: {
      observations: [{ observedAtMs: nowMs, priceCents, inStock: listing.inStock }],
      span: { firstDay: today, lastDay: today, daysCovered: priceCents === null ? 0 : 1 },
    },
    fees: null,
    currency: 'USD',
    today,
    isOnlyRetailer: false,
    withLinks: true,
    voters: [anchor],
    askedAsin: null,
    asinMatch: null,
    resolvedByRetailerB: false,
  });
  // If the barcode is known, no trusted source confirms a price here.
  const whole = listing.gtin === null ? product : { ...product, bestPrice: null };
  return { ...presentProduct(whole, { includeHistory: true, includeStats: true }) };
}

/** Returns the recorded product pages of unknown shops, by each row's file. */
async function readPages(folder: string, rows: readonly Row[]): Promise<ReadonlyMap<Row, Buffer>> {
  const bodies = new Map<Row, Buffer>();
  for (const row of rows) bodies.set(row, await readFile(join(folder, row.file)));
  return bodies;
}

/** Starts a server for each origin of the pages, and returns where it stands in for it. */
async function serveShops(bodies: ReadonlyMap<Row, Buffer>, stack: DisposableStack) {
  const shops = new Map<string, Map<string, Buffer>>();
  for (const [{ url }, body] of bodies) {
    const { origin, pathname } = new URL(url);
    const pages = shops.get(origin) ?? new Map<string, Buffer>();
    shops.set(origin, pages.set(pathname, body));
  }
  const pairs: string[] = [];
  for (const [origin, pages] of shops) {
    const server = stack.adopt(await serveShop(pages), (each) => each.close());
    pairs.push(`${origin}=${originAt(server)}`);
  }
  return pairs.join(',');
}

type Answered = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Returns where the answer to a lookup differs from the expected record; null: no record is expected. */
function differencesOf(
  file: string,
  expected: Readonly<Record<string, unknown>> | null,
  { status, body: got }: Answered,
): readonly Difference[] {
  const wrongStatus = (wanted: unknown, given: unknown) => [
    { file, field: '(status)', expected: wanted, got: given },
  ];
  if (expected === null) return status === 200 ? wrongStatus('no record', 200) : [];
  if (status !== 200) return wrongStatus(200, got);
  const changed = Object.keys(expected)
    .filter((field) => field !== '_freshness')
    .filter((field) => !isDeepStrictEqual(JSON.parse(JSON.stringify(expected[field])), got[field]))
    .map((field) => ({ file, field, expected: expected[field], got: got[field] }));
  const added = Object.keys(got)
    .filter((field) => !Object.hasOwn(expected, field) && !field.startsWith('tokens_'))
    .map((field) => ({ file, field, expected: '(absent)', got: got[field] }));
  return [...changed, ...added];
}

type Compared = { readonly equal: number; readonly noProduct: number } & {
  readonly differences: readonly Difference[];
};

async function comparePages(bodies: ReadonlyMap<Row, Buffer>): Promise<Compared> {
  using folder = temporaryFolder();
  using servers = new DisposableStack();
  const origins = await serveShops(bodies, servers);
  const settings = { OPENSHELF_ORIGINS: origins };
  await using app = await openApp(readConfig(settings, { dataDir: folder.path, port: 0 }));
  const { url: base } = await app.listen();
  const request = { organization: 'eval', note: null };
  const key = await issueKey(app.store.accounts, request, Date.now());
  const differences: Difference[] = [];
  let equal = 0;
  let noProduct = 0;
  for (const [row, body] of bodies) {
    const expected = expectedRecord(row, savedPage(body, { url: row.url }));
    const response = await fetch(`${base}/v1/products/${encodeURIComponent(row.url)}`, {
      headers: { authorization: `Bearer ${key.text}` },
    });
    const answered = { status: response.status, body: (await response.json()) as Answered['body'] };
    const found = differencesOf(row.file, expected, answered);
    differences.push(...found);
    if (expected === null) noProduct += 1;
    else if (found.length === 0) equal += 1;
  }
  await app.stop(1_000);
  return { equal, noProduct, differences };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { manifest: { type: 'string' }, json: { type: 'boolean' } },
  });
  if (values.manifest === undefined) {
    console.error('usage: npm run lab -- records --manifest PATH [--json]');
    return 2;
  }
  const all = (await readFile(values.manifest, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => SHOPS.includes(row.slug));
  const rows = all.filter(
    (row) => row.reader === 'product' && row.url_made !== true && row.feed === undefined,
  );
  const pages = await readPages(dirname(values.manifest), rows);
  const { equal, noProduct, differences } = await comparePages(pages);
  for (const { file, field, expected, got } of differences) {
    console.error(
      `${file}: ${field}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
    );
  }
  const summary = {
    rows: all.length,
    looked_up: rows.length,
    left_out: all.length - rows.length,
    equal,
    no_product: noProduct,
    differences: differences.length,
  };
  console.error(
    `${rows.length} pages looked up, ${equal} records equal, ${noProduct} no product by the reader, ` +
      `${differences.length} differences; ${summary.left_out} rows left out (made address, feed or other reader)`,
  );
  if (values.json === true) console.log(JSON.stringify(summary));
  return differences.length === 0 ? 0 : 1;
}

process.exitCode = await main();
