// A watch of an address that lists several variants follows one of them: that whose price counted at the first reading.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';
import { html, ld } from '../../read/retailers/page-fixtures.ts';

type Size = readonly [sku: string, price: string, stock: 'InStock' | 'OutOfStock'];

const NAME = 'Pine Stool';

function page(sizes: readonly Size[]): string {
  const hasVariant = sizes.map(([sku, price, availability]) => ({
    '@type': 'Product',
    name: `${NAME} ${sku}`,
    sku,
    offers: { '@type': 'Offer', price, priceCurrency: 'USD', availability },
  }));
  const data = {
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name: NAME,
    hasVariant,
  };
  return html(ld(data), `<h1>${NAME}</h1><button>Add to cart</button>`, NAME);
}

const SMALL: Size = ['S', '20.00', 'InStock'];
const LARGE: Size = ['L', '30.00', 'InStock'];

/** Returns the new prices of the notices, newest first, once the page has changed so from day to day, and what the record says then. */
async function after(running: WatchService, changes: readonly (readonly Size[])[]) {
  const path = '/p/pine-stool';
  const identifier = running.shows(path, page([LARGE, SMALL]));
  const id = await running.watch({ identifier, interval: '1d', any_change: true });
  await running.check(id);
  for (const sizes of changes) {
    running.shows(path, page(sizes));
    await running.checkNext(id);
    running.clock.advance(HOUR_MS);
  }
  const { notices } = await running.shown(id);
  const record = await running.call('GET', `/v1/products?url=${encodeURIComponent(identifier)}`);
  return {
    notices: notices.map(({ new_price: now }) => now),
    record: [record.body['title'], record.body['current_price'], record.body['in_stock']],
  };
}

test('a cheaper other size, and another one in stock, are not news of the size that is watched', async () => {
  await using running = await startWatchService();
  const cheaper: readonly Size[] = [['L', '12.00', 'InStock'], SMALL];
  const first = await after(running, [cheaper, [SMALL, ['XL', '9.00', 'InStock'], LARGE]]);
  assert.deepEqual(first, { notices: [], record: [NAME, 20, true] });
});

test('a size that is sold out is out of stock, whatever else there is, and back at its own price', async () => {
  await using running = await startWatchService();
  const sold: Size = ['S', '20.00', 'OutOfStock'];
  const { notices, record } = await after(running, [
    [sold, LARGE],
    [LARGE, ['S', '18.00', 'InStock']],
  ]);
  assert.deepEqual(record, [NAME, 18, true]);
  assert.deepEqual(notices, [18, null]);
});

test('where the size is no longer listed the cheapest in stock counts', async () => {
  await using running = await startWatchService();
  assert.deepEqual((await after(running, [[LARGE, ['XL', '35.00', 'InStock']]])).record, [
    NAME,
    30,
    true,
  ]);
});

test('the variant of a store is kept between its JSON, its page and its script', async () => {
  await using running = await startWatchService();
  const show = (sizes: readonly Size[]): string => {
    const variants = sizes.map(([sku, price, stock]) => ({
      id: sku.charCodeAt(0) * 10 + sku.length,
      sku,
      title: sku,
      price: Number(price) * 100,
      available: stock === 'InStock',
    }));
    const product = { id: 7, title: NAME, handle: 'pine-stool', price: 1, variants };
    const script = '<script>Shopify.shop = "s"; Shopify.currency = {"active":"USD","rate":"1.0"};';
    running.shows('/products/pine-stool.js', JSON.stringify(product));
    return running.shows(
      '/products/pine-stool',
      page(sizes).replace('</head>', `${script}</script></head>`),
    );
  };
  const identifier = show([LARGE, SMALL]);
  const id = await running.watch({ identifier, interval: '1d', any_change: true });
  await running.check(id);
  show([['LL', '12.00', 'InStock'], LARGE, SMALL]);
  await running.checkNext(id);
  running.shows('/products/pine-stool.js', 'not here');
  assert.deepEqual((await running.checkNext(id)).notices, []);
  const record = await running.call('GET', `/v1/products?url=${encodeURIComponent(identifier)}`);
  assert.equal(record.body['current_price'], 20);
});
