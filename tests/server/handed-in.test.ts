// Pages that a stranger hands in change no answer of another organization (D84), and nothing about the person who hands a page in
// is kept: not in the database, not in the log, not in a dump of the data.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { listingChanges, storedListing } from '../../src/answer/collect/storing/store-listing.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { originOf } from '../../src/base/listing/origin.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { TABLES } from '../../src/data/maintenance/tables.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { runCommand } from '../support/command.ts';
import { pageOf, plantedPage, plantsOf } from '../support/planted-pages.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const PRODUCTS = 500;

const itemOf = (product: number): string => `${100_000_000 + product}`;
const SHOP = publicOrigins().retailer_w.page;
const addressOf = (product: number): string => `${SHOP}/ip/${itemOf(product)}`;

function gtinOf(product: number): Gtin14 {
  const body = `0061414${String(product).padStart(6, '0')}`;
  const sum = Array.from(body).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  return `${body}${(10 - (sum % 10)) % 10}` as Gtin14;
}

async function storeCommon({ app: { store } }: Service, product: number): Promise<void> {
  const gtin = gtinOf(product);
  const atMs = NOON - HOUR_MS;
  const reading = {
    retailer: 'retailer_w',
    key: itemOf(product),
    url: addressOf(product),
    foundVia: 'native_catalog',
    source: 'primary',
    origin: originOf('retailer_w', 'page', 'page'),
    fetchedAtMs: atMs,
    listing: {
      ...EMPTY_LISTING,
      title: `Desk lamp ${product}`,
      itemId: itemOf(product),
      gtin,
      price: { cents: 1_000 + product, currency: 'USD' },
      inStock: true,
    },
    notes: { missing: [], remarks: [] },
  } as const;
  const stored = storedListing(reading);
  const answer = {
    gtin,
    retailer: 'retailer_w',
    status: 'ok',
    listingId: stored.id,
    identity: tie(gtin, stored, true),
    source: 'primary',
    foundVia: 'native_catalog',
    checkedAtMs: atMs,
    askedAtMs: atMs,
    judgedBy: null,
  } as const;
  await writeChanges(store.sql, [...listingChanges(reading), { kind: 'barcode-answer', answer }]);
}

const AT_ONCE = 20;

/** Does the work for all products, some at once; the results are in the order of the products. */
async function inTurns<T>(work: (product: number) => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let from = 0; from < PRODUCTS; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => work(from + at));
    all.push(...(await Promise.all(some)));
  }
  return all;
}

async function post({ url }: Service, key: string, body: object): Promise<Response> {
  return await fetch(`${url}/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test("a stranger's pages change none of 500 answers of another organization, and all of its own", async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock });
  await inTurns((product) => storeCommon(service, product));
  const scopes = ['pages:submit', 'products:read'] as const;
  const generous = { note: null, throttlePerMinute: 60_000 };
  const stranger = await service.newKey({ organization: 'stranger', scopes, ...generous });
  const reader = await service.newKey({ organization: 'reader', ...generous });
  const ask = async (product: number, key: string) => {
    const id = product % 5 === 0 ? gtinOf(product) : itemOf(product);
    const { status, body } = await service.get(`/v1/products/${id}`, {
      authorization: `Bearer ${key}`,
    });
    const { tokens_remaining: _, ...answer } = body;
    return { status, ...answer } as Record<string, unknown>;
  };
  const askAll = (key: string) => inTurns((product) => ask(product, key));
  await askAll(reader);
  await service.untilQueueIdle();
  const before = await askAll(reader);
  await inTurns(async (product) => {
    // Fewer than 60 pages a minute.
    if (product % AT_ONCE === 0) clock.advance(MINUTE_MS);
    // Each page is of one item; every third prints the barcode of another.
    const gtin = gtinOf(product % 3 === 0 ? (product + 1) % PRODUCTS : product);
    const html = pageOf({ name: 'Not a lamp', gtin14: gtin, sku: 'X' }, '0.50');
    const fake = { url: `https://www.fakes.example/${product}`, html };
    const own = { url: addressOf(product), html };
    for (const page of product % 25 === 0 ? [own, fake] : [own]) {
      assert.equal((await post(service, stranger, page)).status, 200);
    }
  });
  await service.untilQueueIdle();
  const after = await askAll(reader);
  const changed = after.filter(
    (answer, at) => JSON.stringify(answer) !== JSON.stringify(before[at]),
  );
  assert.equal(changed.length, 0, JSON.stringify(changed[0]));
  const mine = await askAll(stranger);
  const same = mine.flatMap((answer, at) => {
    const isOwnItem = at % 5 !== 0;
    const isChanged = JSON.stringify(answer) !== JSON.stringify(before[at]);
    return isChanged && (!isOwnItem || answer['current_price'] === 0.5) ? [] : [at];
  });
  assert.deepEqual(same, []);
});

test('names, mail addresses, order numbers and tokens of 20 pages are kept nowhere', async () => {
  const lines: string[] = [];
  await using service = await startService({ logTo: (line) => lines.push(line) });
  const key = await service.newKey({ organization: 'me', note: null, scopes: ['pages:submit'] });
  const answers: string[] = [];
  for (let at = 10; at < 30; at += 1) {
    const response = await post(service, key, plantedPage(at));
    const text = await response.text();
    assert.equal(response.status, 200, text);
    answers.push(text);
    const cart = {
      ...plantedPage(at),
      url: `https://www.lamps.example/cart?email=${plantsOf(at).mail}`,
    };
    assert.equal((await post(service, key, cart)).status, 422);
  }
  const { sql } = service.app.store;
  const tables = await Promise.all(TABLES.map(({ name }) => sql.all(`select * from ${name}`)));
  const listings = tables.flat().filter((row) => String(row['listing_key'] ?? '').includes('@'));
  assert.equal(listings.length, 20, 'each page has a listing');
  const dump = join(service.dataDir, 'data.dump');
  const dumped = await runCommand(['dump', dump], { env: service.dataEnv });
  assert.equal(dumped.code, 0, dumped.err.join());
  const files = globSync('**/*', { cwd: service.dataDir, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1'));
  const places = {
    database: JSON.stringify(tables),
    log: lines.join('\n'),
    answers: answers.join('\n'),
    files: files.join('\n'),
  };
  for (let at = 10; at < 30; at += 1) {
    for (const planted of Object.values(plantsOf(at))) {
      for (const [place, text] of Object.entries(places)) {
        assert.ok(!text.includes(planted), `${planted} is in the ${place}`);
      }
    }
  }
});
