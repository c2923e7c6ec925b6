import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../src/base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../src/base/listing/page.ts';
import {
  hostedStoreRequests,
  mergeHostedStore,
  readShopFacts,
} from '../../../src/read/retailers/hosted-store.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { html, ld, metas, pageOf } from './page-fixtures.ts';

const JSON_PRODUCT = {
  id: 9007199254740,
  title: 'Blue Mug',
  body_html: '<p>A mug &amp; a lid.</p>',
  vendor: 'Acme',
  product_type: 'Mugs',
  handle: 'blue-mug',
  variants: [
    {
      id: 11,
      title: 'S',
      price: '12.00',
      sku: 'BM-S',
      compare_at_price: '',
      grams: 500,
      barcode: '4006381333931',
      available: false,
    },
    {
      id: 12,
      title: 'M',
      price: '14.00',
      sku: 'BM-M',
      compare_at_price: '20.00',
      grams: 0,
      weight: 2,
      weight_unit: 'lb',
      available: true,
    },
    { id: 13, title: 'L', price: '15.00', sku: 'BM-L', compare_at_price: '9.00' },
  ],
  images: [{ id: 1, src: 'https://cdn.example/mug.jpg' }],
};

const JS_PRODUCT = {
  id: 9007199254740,
  title: 'Blue Mug',
  description: '<p>A mug.</p>',
  vendor: 'Acme',
  type: 'Mugs',
  price: 1200,
  available: true,
  featured_image: '//cdn.example/mug.jpg',
  images: ['//cdn.example/mug.jpg'],
  variants: [
    {
      id: 11,
      price: 1200,
      sku: 'BM-S',
      available: false,
      barcode: '4006381333931',
      weight: 500,
      compare_at_price: null,
    },
    {
      id: 12,
      price: 1400,
      sku: 'BM-M',
      available: true,
      barcode: '',
      weight: 0,
      compare_at_price: 2000,
    },
  ],
};

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function read(verdict: PageVerdict<Listing>): Listing {
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  if (verdict.kind !== 'read') throw new Error('not read');
  return verdict.value;
}

function readJson(product: unknown, url = 'https://shop.example/products/blue-mug.json'): Listing {
  return read(readProductPage(pageOf(JSON.stringify(product), { url, headers: JSON_TYPE })));
}

function readJs(product: unknown, url = 'https://shop.example/products/blue-mug.js'): Listing {
  const headers = { 'content-type': 'text/javascript; charset=utf-8' };
  return read(readProductPage(pageOf(JSON.stringify(product), { url, headers })));
}

describe("the addresses of a product's JSON", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['https://shop.example/products/blue-mug', 'https://shop.example/products/blue-mug.json'],
    ['https://shop.example/products/blue-mug/', 'https://shop.example/products/blue-mug.json'],
    [
      'https://shop.example/collections/mugs/products/blue-mug?x=1',
      'https://shop.example/products/blue-mug.json',
    ],
    [
      'https://shop.example/en-ca/products/blue-mug?variant=12',
      'https://shop.example/en-ca/products/blue-mug.json?variant=12',
    ],
    [
      'https://shop.example/fr/collections/a/products/blue-mug',
      'https://shop.example/fr/products/blue-mug.json',
    ],
    ['https://shop.example/products/blue-mug.js', 'https://shop.example/products/blue-mug.json'],
    ['https://shop.example/products/%E3%83%9E', 'https://shop.example/products/%E3%83%9E.json'],
    [
      'https://shop.example/products/blue-mug?variant=x%26y',
      'https://shop.example/products/blue-mug.json',
    ],
    [
      'https://shop.example/products/blue-mug?Color=Sky+Blue&ref=mail',
      'https://shop.example/products/blue-mug.json?Color=Sky+Blue',
    ],
    ['https://shop.example/products', null],
    ['https://shop.example/products.json', null],
    ['https://shop.example/collections/mugs', null],
    ['https://shop.example/pages/products/blue-mug', null],
    ['https://shop.example/', null],
  ];
  for (const [url, json] of rows) {
    test(url, () => assert.equal(hostedStoreRequests(new URL(url))?.json.url ?? null, json));
  }

  test('the same product is asked for in its other spelling', () => {
    const requests = hostedStoreRequests(new URL('https://shop.example/products/blue-mug'));
    assert.equal(requests?.js.url, 'https://shop.example/products/blue-mug.js');
    assert.equal(requests?.handle, 'blue-mug');
  });
});

describe('.json: prices are texts, the currency is not stated', () => {
  test('the first variant that can be bought gives price and stock', () => {
    const listing = readJson({ product: JSON_PRODUCT });
    assert.equal(listing.title, 'Blue Mug');
    assert.equal(listing.brand, 'Acme');
    assert.equal(listing.itemId, '9007199254740');
    assert.equal(listing.variantId, '12');
    assert.deepEqual(listing.price, { cents: 1400, currency: null });
    assert.deepEqual(listing.listPrice, { cents: 2000, currency: null });
    assert.equal(listing.inStock, true);
    assert.equal(listing.sku, 'BM-M');
    assert.equal(listing.gtin, null);
    assert.equal(listing.weightLbs, 2);
    assert.equal(listing.description, 'A mug & a lid.');
    assert.equal(listing.imageUrl, 'https://cdn.example/mug.jpg');
    assert.equal(listing.url, 'https://shop.example/products/blue-mug');
    assert.deepEqual(listing.categories, ['Mugs']);
  });

  test('the variant that the address names gives them', () => {
    const listing = readJson(
      JSON_PRODUCT,
      'https://shop.example/products/blue-mug.json?variant=11',
    );
    assert.deepEqual(listing.price, { cents: 1200, currency: null });
    assert.equal(listing.listPrice, null);
    assert.equal(listing.inStock, false);
    assert.equal(listing.gtin, '04006381333931');
    assert.ok(Math.abs((listing.weightLbs ?? 0) - 1.102311) < 1e-5);
    assert.equal(listing.url, 'https://shop.example/products/blue-mug?variant=11');
  });

  test('a was-price below the price is a leftover', () => {
    const listing = readJson(
      JSON_PRODUCT,
      'https://shop.example/products/blue-mug.json?variant=13',
    );
    assert.equal(listing.listPrice, null);
    assert.equal(listing.inStock, null);
  });

  test('an address that names an unknown variant has the first that can be bought', () => {
    const listing = readJson(
      JSON_PRODUCT,
      'https://shop.example/products/blue-mug.json?variant=99',
    );
    assert.equal(listing.variantId, '12');
  });

  test('without any stock flag the stock is unknown', () => {
    const variants = [{ id: 1, price: '5.00', barcode: '045496590161' }];
    const listing = readJson({ product: { ...JSON_PRODUCT, variants } });
    assert.equal(listing.inStock, null);
    assert.equal(listing.unavailable, null);
    assert.equal(listing.gtin, '00045496590161');
  });

  test('a price of zero is not one, and a barcode that is not one is not one', () => {
    const variants = [{ id: 1, price: '0.00', barcode: 'Does not apply' }];
    const listing = readJson({ product: { ...JSON_PRODUCT, variants } });
    assert.equal(listing.price, null);
    assert.equal(listing.gtin, null);
  });

  test('a currency that the variants name is that of the price, with its three decimals', () => {
    const dinar = { id: 1, price: '20.125', price_currency: 'BHD' };
    assert.deepEqual(readJson({ product: { ...JSON_PRODUCT, variants: [dinar] } }).price, {
      cents: 20_125,
      currency: 'BHD',
    });
    const unnamed = { id: 1, price: '20.125' };
    assert.deepEqual(readJson({ product: { ...JSON_PRODUCT, variants: [unnamed] } }).price, {
      cents: 2013,
      currency: null,
      finer: 201_250,
    });
  });

  test('numbers in this spelling are amounts, not cents', () => {
    const listing = readJson({ product: { ...JSON_PRODUCT, variants: [{ id: 1, price: 117 }] } });
    assert.deepEqual(listing.price, { cents: 11_700, currency: null });
  });
});

describe('.js: prices are cents', () => {
  test('the other spelling: the first variant that can be bought gives price and stock', () => {
    const listing = readJs(JS_PRODUCT);
    assert.deepEqual(listing.price, { cents: 1400, currency: null });
    assert.deepEqual(listing.listPrice, { cents: 2000, currency: null });
    assert.equal(listing.imageUrl, 'https://cdn.example/mug.jpg');
    assert.equal(listing.inStock, true);
  });

  test('the other spelling: the variant that the address names gives them', () => {
    const listing = readJs(JS_PRODUCT, 'https://shop.example/products/blue-mug.js?variant=11');
    assert.deepEqual(listing.price, { cents: 1200, currency: null });
    assert.equal(listing.inStock, false);
    assert.equal(listing.gtin, '04006381333931');
  });
});

describe('answers that are not a product', () => {
  const bodies = [
    '{}',
    '[]',
    'null',
    '{"product":null}',
    '{"product":{"title":"x"}}',
    '{"errors":"Not Found"}',
    '<html>',
    '['.repeat(1000),
  ];
  for (const body of bodies) {
    test(body.slice(0, 30), () => {
      const page = pageOf(body, { headers: JSON_TYPE });
      assert.equal(readProductPage(page).kind, 'not_a_product');
    });
  }

  test('the door of a closed store is a wall', () => {
    const page = pageOf('<html>', {
      url: 'https://shop.example/password',
      requestedUrl: 'https://shop.example/products/a',
    });
    assert.equal(readProductPage(page).kind, 'blocked');
  });

  test('a page that is gone is not found, and a throttled one blocked', () => {
    assert.equal(readProductPage(pageOf('', { status: 404 })).kind, 'not_found');
    assert.equal(readProductPage(pageOf('', { status: 430 })).kind, 'blocked');
  });
});

const STORE_SCRIPT =
  '<script>Shopify.shop = "x";Shopify.currency = {"active":"CAD","rate":"1.0"};' +
  'var meta = {"product":{"id":77,"vendor":"Acme","variants":[{"id":1,"price":1200,"sku":"BM"}]},"page":{"pageType":"product"}};</script>';

describe('pages of hosted stores', () => {
  test('are known by their scripts or headers', () => {
    const isHosted = (page: Page): boolean => readShopFacts(page).isHosted;
    assert.ok(isHosted(pageOf(html(STORE_SCRIPT))));
    assert.ok(isHosted(pageOf('', { headers: { 'x-shopid': '1' } })));
    assert.ok(isHosted(pageOf('', { headers: { 'powered-by': 'Shopify' } })));
    assert.ok(!isHosted(pageOf(html('<script src="https://cdn.example/shop.js"></script>'))));
  });

  test('tell the currency of the shop', () => {
    const currencyOf = (text: string): string | null => readShopFacts(pageOf(html(text))).currency;
    assert.equal(currencyOf(STORE_SCRIPT), 'CAD');
    const tags = { 'og:price:amount': '1.00', 'og:price:currency': 'EUR' };
    assert.equal(currencyOf(metas(tags)), 'EUR');
    assert.equal(currencyOf(STORE_SCRIPT.replace('1.0', '0.74')), null);
    assert.equal(currencyOf(''), null);
  });

  test('the script gives number and maker, the tags the price', () => {
    const page = pageOf(
      html(
        STORE_SCRIPT +
          metas({
            'og:type': 'product',
            'og:title': 'Blue Mug',
            'og:price:amount': '12.00',
            'og:price:currency': 'CAD',
          }),
      ),
    );
    const listing = read(readProductPage(page));
    assert.equal(listing.itemId, '77');
    assert.equal(listing.brand, 'Acme');
    assert.deepEqual(listing.price, { cents: 1200, currency: 'CAD' });
  });

  test('the variant that the address asks for has the price of the script, not the lowest', () => {
    const variants = '[{"id":1,"price":1200,"sku":"BM"},{"id":2,"price":1500,"sku":"BM-L"}]';
    const script = STORE_SCRIPT.replace(/\[\{"id":1.*?\}\]/, variants);
    const range = {
      '@type': 'Product',
      name: 'Blue Mug',
      offers: { '@type': 'AggregateOffer', lowPrice: '12.00', priceCurrency: 'CAD' },
    };
    const listingAt = (url: string, text = script): Listing =>
      read(readProductPage(pageOf(html(text + ld(range)), { url })));
    const asked = listingAt('https://shop.example/products/blue-mug?variant=2');
    assert.deepEqual(asked.price, { cents: 1500, currency: 'CAD' });
    assert.equal(asked.sku, 'BM-L');
    const unknown = listingAt('https://shop.example/products/blue-mug?variant=9');
    assert.deepEqual(unknown.price, { cents: 1200, currency: 'CAD' });
    assert.equal(unknown.variantId, null);
    assert.equal(unknown.sku, null);
    const converted = script.replace('"rate":"1.0"', '"rate":"0.7"');
    const other = listingAt('https://shop.example/products/blue-mug?variant=2', converted);
    assert.deepEqual(other.price, { cents: 1200, currency: 'CAD' });
  });

  test("the theme's copy of the product serves where nothing else does", () => {
    const copy = (changes: object): string =>
      `<script type="application/json">${JSON.stringify({ ...JS_PRODUCT, handle: 'mug', ...changes })}</script>`;
    // A quick view of another product has the same form and comes first.
    const variants = [{ id: 5, title: 'S', price: 100, available: true }];
    const theme = copy({ id: 78, title: 'Red Mug', variants }) + copy({ id: 77 });
    const listing = read(readProductPage(pageOf(html(STORE_SCRIPT + theme))));
    assert.deepEqual(listing.price, { cents: 1400, currency: 'CAD' });
    assert.equal(listing.inStock, true);
  });

  test("a theme's copy of another product is not the page", () => {
    const other = { ...JS_PRODUCT, handle: 'red-mug', id: 78 };
    const theme = `<script type="application/json">${JSON.stringify(other)}</script>`;
    assert.equal(read(readProductPage(pageOf(html(STORE_SCRIPT + theme)))).price, null);
  });

  test('a collection is not a product, whatever it carries', () => {
    const script = STORE_SCRIPT.replace('"pageType":"product"', '"pageType":"collection"');
    const product = ld({
      '@type': 'Product',
      name: 'Blue Mug',
      sku: '1',
      offers: { price: 1, priceCurrency: 'CAD' },
    });
    assert.equal(readProductPage(pageOf(html(script + product))).kind, 'not_a_product');
  });
});

describe('the answers of one store become one listing', () => {
  const json = readJson({ product: JSON_PRODUCT });
  const js = readJs(JS_PRODUCT);
  const page = read(
    readProductPage(
      pageOf(
        html(
          ld({
            '@type': 'Product',
            name: 'Blue Mug',
            sku: 'P',
            aggregateRating: { ratingValue: 4, reviewCount: 2 },
            offers: { price: '14.00', priceCurrency: 'EUR', itemCondition: 'NewCondition' },
          }),
        ),
        {
          url: 'https://shop.example/products/blue-mug',
        },
      ),
    ),
  );

  test('facts are of the JSON, and of the page where only it has them', () => {
    const merged = mergeHostedStore({ json, js, html: page });
    assert.equal(merged?.sku, 'BM-M');
    assert.equal(merged?.rating, 4);
    assert.equal(merged?.condition, 'new');
    assert.equal(merged?.url, 'https://shop.example/products/blue-mug');
    assert.deepEqual(merged?.price, { cents: 1400, currency: 'EUR' });
    assert.deepEqual(merged?.listPrice, { cents: 2000, currency: 'EUR' });
  });

  test("the currency of a price is the shop's where that is known", () => {
    assert.deepEqual(mergeHostedStore({ json, currency: 'INR' })?.price, {
      cents: 1400,
      currency: 'INR',
    });
    assert.deepEqual(mergeHostedStore({ json })?.price, { cents: 1400, currency: null });
  });

  test("amount and currency are of the page when its amount differs and the shop's currency is unknown", () => {
    const other = { ...page, price: { cents: 1300, currency: 'USD' } };
    assert.deepEqual(mergeHostedStore({ json, html: other })?.price, {
      cents: 1300,
      currency: 'USD',
    });
  });

  test('nothing is made of nothing', () => {
    assert.equal(mergeHostedStore({}), null);
    assert.equal(mergeHostedStore({ json: null, html: null }), null);
  });
});
