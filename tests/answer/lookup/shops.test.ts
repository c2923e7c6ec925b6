import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../../support/service.ts';

type Page = { readonly status?: number; readonly type?: string; readonly body: string };

/** Two shops of the same name, a hosted store that states no currency, and whatever a test adds. */
const PAGES: Record<string, Record<string, Page>> = {};
const seen: string[] = [];
let server: Server;
let service: Service;

const HOSTS = [
  'www.acorn.com',
  'www.acorn.net',
  'store.euro.com',
  'store.dollar.com',
  'shop.plain.com',
];

function productPage(facts: Record<string, unknown>): Page {
  const product = { '@context': 'https://schema.org', '@type': 'Product', ...facts };
  return {
    body: `<!doctype html><title>x</title><script type="application/ld+json">${JSON.stringify(product)}</script>`,
  };
}

function storePage(currency: string): Page {
  return {
    body:
      `<!doctype html><html lang="en"><head><title>Stool</title><meta property="og:type" content="product">` +
      `<meta property="og:title" content="Oak Stool"><meta property="og:price:currency" content="${currency}">` +
      `<meta property="og:price:amount" content="80.00"><link href="https://cdn.shopify.com/s/a.css">` +
      `<script>Shopify = {}; Shopify.shop = "x.myshopify.com"; Shopify.currency = {"active":"${currency}","rate":"1.0"};</script></head></html>`,
  };
}

const STORE_JSON: Page = {
  type: 'application/json',
  body: JSON.stringify({
    product: {
      id: 77,
      title: 'Oak Stool',
      vendor: 'Oakly',
      handle: 'stool',
      variants: [
        { id: 1, title: 'Small', price: '80.00', sku: 'S', grams: 2000 },
        {
          id: 2,
          title: 'Large',
          price: '95.50',
          sku: 'L',
          compare_at_price: '110.00',
          grams: 3000,
        },
      ],
      images: [{ src: 'https://cdn.shopify.com/stool.jpg' }],
    },
  }),
};

const STORE_JS: Page = {
  type: 'application/javascript',
  body: JSON.stringify({
    id: 77,
    title: 'Oak Stool',
    vendor: 'Oakly',
    handle: 'stool',
    price: 8000,
    available: true,
    variants: [
      { id: 1, title: 'Small', price: 8000, sku: 'S', available: true, barcode: '4006381333931' },
      { id: 2, title: 'Large', price: 9550, compare_at_price: 11000, sku: 'L', available: false },
    ],
    images: ['//cdn.shopify.com/stool.jpg'],
  }),
};

before(async () => {
  server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const path = request.url ?? '';
    if (path !== '/robots.txt') seen.push(`${host}${path}`);
    const page = PAGES[host]?.[path];
    response.writeHead(page === undefined ? 404 : (page.status ?? 200), {
      'content-type': page?.type ?? 'text/html; charset=utf-8',
    });
    response.end(page?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pairs = HOSTS.map((host) => `https://${host}=${origin}`);
  service = await startService({ env: { OPENSHELF_ORIGINS: pairs.join(',') } });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  server.close();
});

const meta = (body: Record<string, unknown>) => body['_meta'] as Record<string, unknown>;

test('a slug belongs to the first domain seen with it; the next one gets the label with its suffix', async () => {
  const page = productPage({ name: 'Nut', sku: '1', offers: { price: 2, priceCurrency: 'USD' } });
  PAGES['www.acorn.com'] = { '/nut': page };
  PAGES['www.acorn.net'] = { '/nut': page };
  const first = await service.lookup('https://www.acorn.com/nut');
  const second = await service.lookup('https://www.acorn.net/nut');
  assert.equal(meta(first.body)['price_source'], 'acorn');
  assert.equal(meta(second.body)['price_source'], 'acornnet');
  const wrong = await service.lookup('https://www.acorn.com/nut', '?retailer=acornnet');
  assert.equal(wrong.body['code'], 'retailer_mismatch');
});

test('the message about a mistyped retailer suggests the name meant, for another shop only what to send', async () => {
  for (const [typed, said] of [
    ['wallmart', /searched by identifier\. Did you mean "walmart"\? Send the URL/],
    ['retailerw', /Did you mean "retailer_w"\?/],
    ['acorn', /searched by identifier\. Send the URL/],
  ] as const) {
    const { status, body } = await service.lookup('614141000005', `?retailer=${typed}`);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(String(body['detail']), said);
  }
});

test('a hosted store whose page states EUR has no dollar price, and its price is the native price', async () => {
  PAGES['store.euro.com'] = {
    '/products/stool': storePage('EUR'),
    '/products/stool.json': STORE_JSON,
    '/products/stool.js': STORE_JS,
  };
  const { status, body } = await service.lookup('https://store.euro.com/products/stool');
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['current_price'], null);
  assert.deepEqual(meta(body)['native_price'], { amount: 80, currency: 'EUR' });
  assert.equal(body['in_stock'], true);
});

test('the variant of the address is the one that is read, and out of stock shows no price', async () => {
  PAGES['store.dollar.com'] = {
    '/products/stool': storePage('USD'),
    '/products/stool.json?variant=2': STORE_JSON,
    '/products/stool.js?variant=2': STORE_JS,
    '/products/stool.json': STORE_JSON,
    '/products/stool.js': STORE_JS,
    '/products/stool?variant=2': storePage('USD'),
  };
  const small = await service.lookup('https://store.dollar.com/products/stool');
  assert.equal(small.body['current_price'], 80);
  const before = seen.length;
  const large = await service.lookup('https://store.dollar.com/products/stool?variant=2');
  assert.equal(large.body['in_stock'], false);
  assert.equal(large.body['current_price'], null);
  assert.equal(large.body['msrp'], null);
  assert.equal(large.body['gtin'], null);
  assert.deepEqual(
    seen.slice(before).map((each) => each.replace(/^[^/]+/, '')),
    ['/products/stool.js?variant=2'],
    'the currency is known: neither the page nor the .json is asked again',
  );
});

test('a shop that only looks like a hosted store costs one request', async () => {
  PAGES['shop.plain.com'] = {
    '/products/mug': productPage({
      name: 'Mug',
      sku: '5',
      offers: { price: '7.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    }),
  };
  const before = seen.length;
  const { body } = await service.lookup('https://shop.plain.com/products/mug');
  assert.equal(body['current_price'], 7);
  assert.deepEqual(seen.slice(before), ['shop.plain.com/products/mug']);
});

test('callers of the same page at the same time share one fetch, and each pays its own call', async () => {
  PAGES['shop.plain.com'] = {
    ...PAGES['shop.plain.com'],
    '/p/cup': productPage({ name: 'Cup', sku: '6', offers: { price: 3, priceCurrency: 'USD' } }),
  };
  const before = seen.length;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.lookup('https://shop.plain.com/p/cup')),
  );
  assert.deepEqual(
    answers.map((each) => each.status),
    answers.map(() => 200),
  );
  assert.deepEqual(seen.slice(before), ['shop.plain.com/p/cup']);
  const paid = answers.map((each) => Number(each.body['tokens_consumed']));
  assert.deepEqual(
    paid,
    answers.map(() => 1),
  );
  const [row] = await service.app.store.sql.all('select used from balances');
  const rows = await service.app.store.sql.all("select * from ledger where kind = 'charge'");
  assert.equal(rows.length, row?.['used']);
});

test('a page that does not end is given up with the time of the lookup, and costs nothing', async () => {
  await using hurried = await startService({ lookupMs: 200 });
  const { status, body } = await hurried.lookup(hurried.sandbox.describe().trouble.slow);
  assert.equal(status, 503);
  // On a slow machine the time may expire before the page is requested.
  assert.match(String(body['code']), /^upstream_(?:timeout|unavailable)$/);
  assert.equal(body['tokens_consumed'], 0);
});
