import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../src/core/clock.ts';
import { KNOWN_SLUGS } from '../../src/core/retailer.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

type Cells = NonNullable<ProductRecord['cross_retailer']>;

async function cellsOf(id: string, query = ''): Promise<Cells> {
  const { status, body } = await service.lookup(id, `?include_cross_retailer=true${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['tokens_consumed'], 3);
  const { cross_retailer: cells } = ProductRecord.parse(body);
  assert.ok(cells !== undefined);
  return cells;
}

async function askEach(upc: string): Promise<void> {
  for (const slug of KNOWN_SLUGS) await service.lookup(upc, `?retailer=${slug}`);
}

const CONFIRMABLE = ['retailer_w', 'retailer_e', 'retailer_l', 'retailer_b', 'retailer_h'];

test('cells stand in the record only when they are asked for', async () => {
  const { upc } = service.sandbox.describe();
  for (const query of ['', '?identifier_match=any', '?include_cross_retailer=false']) {
    const { body } = await service.lookup(upc, query);
    assert.equal(body['tokens_consumed'], 1);
    assert.ok(!('cross_retailer' in body));
  }
});

test('by default only confirmed cells are shown; any shows all seven, each with how it is tied', async () => {
  const { upc } = service.sandbox.describe();
  await askEach(upc);
  const confirmed = await cellsOf(upc);
  assert.deepEqual(Object.keys(confirmed).toSorted(), CONFIRMABLE.toSorted());
  const all = await cellsOf(upc, '&identifier_match=any');
  assert.deepEqual(Object.keys(all), [...KNOWN_SLUGS]);
  for (const slug of KNOWN_SLUGS) {
    const cell = all[slug];
    assert.equal(cell?.retailer, slug);
    assert.equal(cell.identity?.state === 'confirmed', CONFIRMABLE.includes(slug), slug);
    assert.equal(cell.identity?.method === null, !CONFIRMABLE.includes(slug), slug);
  }
  assert.equal(all['retailer_t']?.status, 'error', 'no search engine: nobody can be asked');
  const rest = Object.values(all).filter((each) => each.retailer !== 'retailer_t');
  assert.ok(rest.every((each) => each.status === 'ok' && each.price !== null && each.url !== null));
});

test('the cells of an item id, an ASIN and an address are those of the product’s own barcode', async () => {
  const { upc, item_id, asin, retailers } = service.sandbox.describe();
  await askEach(upc);
  const byCode = await cellsOf(upc);
  for (const id of [item_id, asin, retailers.retailer_h.url]) {
    assert.deepEqual(await cellsOf(id), byCode, id);
  }
  assert.deepEqual(await cellsOf(upc, '&retailer=retailer_b'), byCode);
});

test('asking for cells fetches nothing', async () => {
  const { upc } = service.sandbox.describe();
  await askEach(upc);
  await service.worked();
  const asked = service.sandbox.requestCount();
  await cellsOf(upc, '&identifier_match=any');
  await cellsOf(upc);
  assert.equal(service.sandbox.requestCount(), asked);
});

test('a product without a barcode has the row of its anchor, and none that is confirmed', async () => {
  const { item_without_barcode: id } = await withoutBarcode();
  assert.deepEqual(await cellsOf(id), {});
  const { retailer_w: cell, ...others } = await cellsOf(id, '&identifier_match=any');
  assert.deepEqual(others, {});
  assert.equal(cell?.identity?.state, 'unconfirmed');
  assert.ok(cell.price !== null || cell.in_stock === false);
});

async function withoutBarcode() {
  for (const listing of service.sandbox.market().listings('retailer_w')) {
    if (listing.publishedGtin !== null || listing.product.trouble !== null) continue;
    const { status, body } = await service.lookup(listing.id);
    if (status === 200 && body['gtin'] === null) return { item_without_barcode: listing.id };
  }
  throw new Error('this market has no listing without a barcode');
}

test('a listing that carries another barcode has no fact in the cell of the one searched', async () => {
  const market = service.sandbox.market();
  let met = 0;
  for (const slug of ['retailer_b', 'retailer_h', 'retailer_l', 'retailer_e'] as const) {
    for (const listing of market.listings(slug).filter((each) => each.hasWrongBarcode)) {
      if (met >= 3) return;
      const { gtin14 } = listing.product;
      await service.lookup(gtin14, `?retailer=${slug}`);
      const { status } = await service.lookup(gtin14);
      if (status !== 200) continue;
      const cell = (await cellsOf(gtin14, '&identifier_match=any'))[slug];
      if (cell?.identity?.state !== 'mismatch') continue;
      met += 1;
      assert.equal(cell.status, 'ok');
      const { retailer: _, status: __, identity, _source, _freshness, ...facts } = cell;
      assert.ok(
        Object.values(facts).every((value) => value === null),
        JSON.stringify(facts),
      );
      assert.notEqual(identity.page_barcode, gtin14);
      assert.ok(_source !== null && _freshness.refreshed_at !== null);
      assert.ok(!(slug in (await cellsOf(gtin14))));
      const { body } = await service.lookup(gtin14);
      const { retailer_links: links = [] } = ProductRecord.parse(body);
      assert.ok(
        links.every((link) => link.retailer !== slug),
        'a mismatch is linked to by nobody',
      );
    }
  }
  assert.ok(met > 0, 'the market has a mismatch');
});

test('a cell is stale a day after it was read', async () => {
  await using other = await startService({ clock, withRetailers: true });
  const { upc } = other.sandbox.describe();
  await other.lookup(upc);
  await other.worked();
  clock.advance(DAY_MS + 1_000);
  await other.sandbox.close();
  const { body } = await other.lookup(upc, '?include_cross_retailer=true');
  const cells = ProductRecord.parse(body).cross_retailer ?? {};
  assert.deepEqual(
    new Map(Object.values(cells).map((cell) => [cell.retailer, cell.status])),
    new Map(CONFIRMABLE.map((slug) => [slug, 'stale'])),
  );
});

test('another value of identifier_match is 400 and says which there are', async () => {
  const { upc } = service.sandbox.describe();
  for (const value of ['all', 'CONFIRMED', '']) {
    const { status, body } = await service.lookup(upc, `?identifier_match=${value}`);
    assert.deepEqual([status, body['code']], [400, 'invalid_parameter']);
    assert.deepEqual(body['allowed'], ['any', 'confirmed']);
  }
});
