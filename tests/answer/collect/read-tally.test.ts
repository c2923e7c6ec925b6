// Answers are counted in the transaction that stores them: every kind, and only those that were read.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { DAY_MS, dayOf, daysBefore } from '../../../src/base/clock.ts';
import { fillChanges } from '../../../src/base/listing/fill-rate.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const clock = shiftedClock();
const PRODUCTS = 12;
const page = { hasPrice: true };
let server: Server;
let service: Service;

/** A shop's product page, with its price, or redesigned so that the price cannot be read. */
function productPage(path: string): string {
  const offers = page.hasPrice ? { '@type': 'Offer', price: '5.00', priceCurrency: 'USD' } : [];
  const product = { '@context': 'https://schema.org', '@type': 'Product', name: `Nut ${path}` };
  const data = JSON.stringify({ ...product, sku: path.slice(1), brand: 'Oakly', offers });
  return `<!doctype html><title>Nut ${path}</title><h1>Nut ${path}</h1>
    <script type="application/ld+json">${data}</script>`;
}

before(async () => {
  server = createServer(({ url: path = '' }, response) => {
    const isProduct = /^\/nut-\d+$/.test(path);
    response.writeHead(isProduct ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isProduct ? productPage(path) : '<title>Nothing here</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hosts = ['www.acorn.com', 'www.hazel.com'].map((host) => `https://${host}=${origin}`);
  const env = { OPENSHELF_ORIGINS: hosts.join(',') };
  service = await startService({ clock, env, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  server.close();
});

const totals = (retailer?: string) => {
  const to = dayOf(clock.now());
  return service.app.store.readingCounts.findTotals({ from: daysBefore(to, 1), to }, retailer);
};

test('product pages, searches, offers, reviews and sellers are counted under their readers', async () => {
  const { item_id: id, asin, gtin } = service.sandbox.describe();
  const query = '?include_offers=true&include_offers_reviews=true';
  const { status, body } = await service.lookup(id, query);
  assert.equal(status, 200, JSON.stringify(body));
  const offers = body['offers'] as readonly { seller_id: string; seller_type: string }[];
  for (const { seller_id: seller, seller_type: type } of offers) {
    if (type === '3p') await service.get(`/v1/sellers/${seller}`);
  }
  await service.lookup(asin, '?include_offers=true');
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const { outcomes, fields } = await totals();
  const read = new Set(
    outcomes
      .filter(({ outcome }) => outcome === 'read')
      .map(({ retailer, pageKind }) => `${retailer} ${pageKind}`),
  );
  const wanted = ['product', 'offers', 'reviews', 'seller'].map((kind) => `retailer_w ${kind}`);
  for (const kind of [...wanted, 'retailer_a product', 'retailer_a offers', 'retailer_b search']) {
    assert.ok(read.has(kind), `${kind}: ${[...read].join(', ')}`);
  }
  // The simulated pages always state these fields.
  for (const { retailer, pageKind, field, expected, missing } of fields) {
    if (field === 'title') assert.equal(missing, 0, `${retailer} ${pageKind} of ${expected}`);
  }
});

test('a shop that was never read is not counted, because a caller can name any number of shops', async () => {
  assert.equal((await service.lookup('https://www.hazel.com/gone')).status, 404);
  assert.deepEqual(await totals('hazel'), { outcomes: [], fields: [] });
});

test('a redesigned page is noticed the same day', async () => {
  const lookUpAll = async () => {
    for (let number = 1; number <= PRODUCTS; number += 1) {
      const address = `https://www.acorn.com/nut-${number}`;
      const { status } = await service.lookup(address, '?retailer=acorn&force_refresh=true');
      assert.equal(status, 200);
    }
  };
  await lookUpAll();
  const before = await totals('acorn');
  assert.equal((await service.lookup('https://www.acorn.com/gone')).status, 404);
  clock.advance(2 * DAY_MS);
  page.hasPrice = false;
  await lookUpAll();
  const now = await totals('acorn');
  const lost = fillChanges(now, before).filter(({ isLost }) => isLost);
  assert.deepEqual(
    lost.map(({ field, change }) => [field, change]),
    [
      ['currency', 1],
      ['price', 1],
    ],
  );
});

test('a page that a known shop no longer has is counted as not found', async () => {
  const countOf = async () => {
    const { outcomes } = await totals('acorn');
    return outcomes.find(({ outcome }) => outcome === 'not_found')?.answers ?? 0;
  };
  const before = await countOf();
  assert.equal((await service.lookup('https://www.acorn.com/never')).status, 404);
  assert.equal(await countOf(), before + 1);
});
