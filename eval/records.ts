// eval:records -- --manifest PATH: serves every recorded product page of an unknown shop on loopback, looks
// it up through the whole service, and compares the record field by field with the one that composing the
// reader's own listing gives. Proves that nothing between bytes and record changes a fact.

import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';

import { openApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { dayOf } from '../src/core/clock.ts';
import { composeProduct } from '../src/product/compose.ts';
import type { Page } from '../src/listing/page.ts';
import { parseInput } from '../src/lookup/steps/parse-input.ts';
import { savedPage } from '../src/cli/products/saved-page.ts';
import { listingKeyOf } from '../src/collect/listing-key.ts';
import { issueKey } from '../src/metering/keys.ts';
import { readProductPage } from '../src/retailers/registry.ts';
import { listingIdOf } from '../src/store/answers/listings.ts';
import { presentProduct } from '../src/wire/record/present.ts';
import type { StoredListing } from '../src/listing/stored-listing.ts';

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

/** One loopback server a shop: every path of its pages, 404 for anything else. */
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

/** The record that composing the reader's listing of this page gives, as of now. */
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
    isTrustedAnchor: false,
    guesses: [],
    agreement: { disagreements: [], score: null },
    gtin: listing.gtin,
    history: {
      observations: [{ observedAtMs: nowMs, priceCents, inStock: listing.inStock }],
      span: { firstDay: today, lastDay: today, daysCovered: priceCents === null ? 0 : 1 },
    },
    today,
    isOnlyRetailer: false,
    withLinks: true,
    voters: [anchor],
    askedAsin: null,
    asinMatch: null,
    resolvedByRetailerB: false,
  });
  // Of a known barcode nobody who is trusted confirms a price here.
  const whole = listing.gtin === null ? product : { ...product, bestPrice: null };
  return { ...presentProduct(whole, { includeHistory: true, includeStats: true }) };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { manifest: { type: 'string' }, json: { type: 'boolean' } },
  });
  if (values.manifest === undefined) {
    console.error('usage: npm run eval:records -- --manifest PATH [--json]');
    return 2;
  }
  const folder = dirname(values.manifest);
  const all = (await readFile(values.manifest, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => SHOPS.includes(row.slug));
  const rows = all.filter(
    (row) => row.reader === 'product' && row.url_made !== true && row.feed === undefined,
  );
  const bodies = new Map<Row, Buffer>();
  const shops = new Map<string, Map<string, Buffer>>();
  for (const row of rows) {
    const body = await readFile(join(folder, row.file));
    bodies.set(row, body);
    const url = new URL(row.url);
    const pages = shops.get(url.origin) ?? new Map<string, Buffer>();
    pages.set(url.pathname, body);
    shops.set(url.origin, pages);
  }
  const servers: Server[] = [];
  const pairs: string[] = [];
  for (const [origin, pages] of shops) {
    const server = await serveShop(pages);
    servers.push(server);
    pairs.push(`${origin}=${originAt(server)}`);
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'openshelf-records-'));
  const differences: Difference[] = [];
  let equal = 0;
  let noProduct = 0;
  try {
    const config = readConfig({ OPENSHELF_ORIGINS: pairs.join(',') }, { dataDir, port: 0 });
    await using app = await openApp(config);
    const { url: base } = await app.listen();
    const key = await issueKey(
      app.store.accounts,
      { organization: 'eval', note: null },
      Date.now(),
    );
    for (const row of rows) {
      const page = savedPage(bodies.get(row) ?? Buffer.alloc(0), { url: row.url });
      const expected = expectedRecord(row, page);
      const response = await fetch(`${base}/v1/products/${encodeURIComponent(row.url)}`, {
        headers: { authorization: `Bearer ${key.text}` },
      });
      const got = (await response.json()) as Record<string, unknown>;
      const before = differences.length;
      if (expected === null) {
        noProduct += 1;
        if (response.status === 200) {
          differences.push({ file: row.file, field: '(status)', expected: 'no record', got: 200 });
        }
        continue;
      }
      if (response.status !== 200) {
        differences.push({ file: row.file, field: '(status)', expected: 200, got });
        continue;
      }
      for (const field of Object.keys(expected)) {
        if (field === '_freshness') continue;
        if (!isDeepStrictEqual(JSON.parse(JSON.stringify(expected[field])), got[field])) {
          differences.push({ file: row.file, field, expected: expected[field], got: got[field] });
        }
      }
      for (const field of Object.keys(got)) {
        if (Object.hasOwn(expected, field) || field.startsWith('tokens_')) continue;
        differences.push({ file: row.file, field, expected: '(absent)', got: got[field] });
      }
      if (differences.length === before) equal += 1;
    }
    await app.stop(1_000);
  } finally {
    servers.forEach((server) => server.close());
    await rm(dataDir, { recursive: true, force: true });
  }
  for (const each of differences) {
    console.error(
      `${each.file}: ${each.field}: expected ${JSON.stringify(each.expected)}, got ${JSON.stringify(each.got)}`,
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
