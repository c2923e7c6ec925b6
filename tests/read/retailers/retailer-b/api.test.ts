// retailer_b: how its APIs' answers are read, and how its sources are queried.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion } from '../../../../src/read/retailers/adapter.ts';
import { retailerBAdapter } from '../../../../src/read/retailers/retailer-b/adapter.ts';
import { retailerBReaders } from '../../../../src/read/retailers/retailer-b/readers.ts';
import {
  API_ORIGIN,
  pageUrl,
  searchUrl,
} from '../../../../src/read/retailers/retailer-b/address-book.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as b from './fixtures.ts';

const readers = readersOf('retailer_b');
const read = (page: Page, reader = 'api:products') => readers.read(page, reader);
const listingOf = (body: unknown): Listing => readers.listingOf(b.answer(body), 'api:products');

test('a product holds every fact that the API states', () => {
  assertHolds(listingOf(b.product()), {
    url: pageUrl(b.SKU, null),
    itemId: b.SKU,
    productId: null,
    gtin: toGtin14(b.UPC),
    title: 'Acme - Quiet Speaker - Blue',
    brand: 'Acme',
    model: 'QS-5',
    price: { cents: 11_900, currency: 'USD' },
    listPrice: { cents: 17_999, currency: 'USD' },
    inStock: true,
    unavailable: false,
    condition: 'new',
    rating: 4.6,
    reviewCount: 1234,
    imageUrl: 'https://pictures.example/speaker.jpg',
    description: 'Plays quietly.',
    categories: ['Audio', 'Speakers'],
    sellerType: '1p',
    weightAssembledLbs: 4.2,
    weightPackageLbs: 5.5,
    dimensionsAssembled: { heightIn: 9, widthIn: 3.5, lengthIn: 12 },
    fulfillment: {
      shipping: { available: true, costCents: 0, date: null },
      delivery: null,
      pickup: { available: true, costCents: null, date: null },
    },
  });
});

const CASES: readonly (readonly [string, object, Readonly<Partial<Listing>>])[] = [
  ['one price is not a discount', { regularPrice: 119 }, { listPrice: null }],
  ['a wrong check digit is no barcode', { upc: '099900000013' }, { gtin: null }],
  ['lately released is not a condition', { new: true, condition: null }, { condition: null }],
  ['pre-owned', { condition: 'pre-owned' }, { condition: 'used_good' }],
  ['refurbished', { condition: 'Refurbished' }, { condition: 'refurbished' }],
  [
    'a title that says refurbished wins over new',
    { name: 'Acme - Geek Squad Certified Refurbished Speaker', condition: 'New' },
    { condition: 'refurbished' },
  ],
  [
    'sold out',
    { onlineAvailability: false, orderable: 'SoldOut' },
    { inStock: false, unavailable: false },
  ],
  [
    'orderable for later is not stock',
    { orderable: 'PreOrder' },
    { inStock: false, price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    'no word on stock is not a guess',
    { onlineAvailability: null, orderable: null },
    { inStock: null },
  ],
  ['out of the catalog is gone', { active: false }, { inStock: false, unavailable: true }],
  ['discontinued is gone', { orderable: 'Discontinued' }, { inStock: false, unavailable: true }],
  ['sold by another', { marketplace: true, sellerId: '9' }, { sellerType: '3p', sellerId: '9' }],
  [
    'a product id of ten characters',
    { productId: b.PRODUCT_ID.toLowerCase() },
    { productId: b.PRODUCT_ID },
  ],
  ['an older number is not a product id', { productId: '1218343205791' }, { productId: null }],
];

describe('products', () => {
  for (const [name, changes, facts] of CASES) {
    test(name, () => assertHolds(listingOf(b.product(changes)), facts));
  }

  test('the only product of a query is that product', () => {
    assertHolds(listingOf({ total: 1, products: [b.product()] }), { itemId: b.SKU });
  });

  test('several are hits, what is sold new and now first', () => {
    const products = [
      b.product({ sku: 7_000_002, active: false }),
      b.product({ sku: 7_000_003, condition: 'refurbished' }),
      b.product(),
      {},
    ];
    const verdict = read(b.answer({ total: 3, products }));
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search');
    assert.deepEqual(
      verdict.value.hits.map(({ itemId }) => itemId),
      [b.SKU, '7000003', '7000002'],
    );
    assert.equal(verdict.value.total, 3);
  });
});

describe('open-box offers', () => {
  test('each grade is an open box with its own price', () => {
    const verdict = read(b.answer(b.openBox()), 'api:open_box');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'offers');
    const { offers, product } = verdict.value;
    assert.deepEqual(
      offers.offers.map(({ offerId, price, condition, inStock }) => [
        offerId,
        price?.cents,
        condition,
        inStock,
      ]),
      [
        ['3', 9999, 'open_box', true],
        ['2', 8999, 'open_box', false],
      ],
    );
    assert.equal(product?.itemId, b.SKU);
    assert.equal(product?.reviewCount, 1234);
  });

  test('none is an empty list', () => {
    const verdict = read(b.answer({ results: [] }), 'api:open_box');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'offers');
    assert.deepEqual(verdict.value.offers, { offers: [], totalOffers: null });
  });
});

const problem = (message: string) => ({ error: { code: 403, message } });

const VERDICTS: readonly (readonly [string, Page, string, number | undefined])[] = [
  ['a UPC without products', b.answer({ total: 0, products: [] }), 'not_found', undefined],
  ['an unknown SKU', b.answer(problem('not found'), 404), 'not_found', undefined],
  ['an API that was moved', b.answer('<h1>Not Found</h1>', 404), 'retry', undefined],
  ['an API that was closed', b.answer('', 410), 'retry', undefined],
  ['a refused query', b.answer(problem("Couldn't understand"), 400), 'unreadable', undefined],
  ['a wrong key', b.answer('<h1>Developer Inactive</h1>', 403), 'blocked', undefined],
  ['a fault of theirs', b.answer('oops', 500), 'retry', undefined],
  ['no JSON', b.answer('<p>'), 'unreadable', undefined],
  ['no product', b.answer({ hello: 1 }), 'unreadable', undefined],
];

describe('errors of the API', () => {
  for (const [name, page, kind, seconds] of VERDICTS) {
    test(name, () => {
      const verdict = read(page);
      assert.equal(verdict.kind, kind);
      if (verdict.kind === 'retry') assert.equal(verdict.retryAfterSeconds, seconds);
    });
  }
});

const ACCESS: Access = {
  credentials: { API_KEY: 'k&y' },
  token: null,
  nowMs: 0,
  newId: () => 'id',
};
const upc = toGtin14(b.UPC);
const ean = toGtin14('4006381333931');
assert.ok(upc !== null && ean !== null);

function ask(name: string, question: RetailerQuestion) {
  const source = retailerBAdapter.sources.find((each) => each.name === name);
  assert.ok(source !== undefined, name);
  assert.ok(source.readerOf(question.kind) in retailerBReaders);
  return source.request(question, ACCESS);
}

const sku = { kind: 'retailer_b_sku', value: b.SKU, retailer: 'retailer_b' } as const;
const id = { kind: 'retailer_b_product_id', value: b.PRODUCT_ID, retailer: 'retailer_b' } as const;

describe('sources', () => {
  test('the APIs are asked first and want their key', () => {
    assert.deepEqual(
      retailerBAdapter.sources.map(({ name, needs, isAuthoritative }) => [
        name,
        needs,
        isAuthoritative,
      ]),
      [
        ['products', ['API_KEY'], true],
        ['open_box', ['API_KEY'], true],
        ['page', [], true],
        ['search', [], false],
      ],
    );
  });

  test('a SKU and a UPC are asked of the API, gone products included', () => {
    const bySku = new URL(ask('products', { kind: 'product', identifier: sku })?.url ?? '');
    assert.equal(bySku.origin, API_ORIGIN);
    assert.equal(bySku.pathname, `/v1/products(sku=${b.SKU}&active=*)`);
    assert.equal(bySku.searchParams.get('apiKey'), 'k&y');
    const byUpc = new URL(ask('products', { kind: 'barcode', gtin: upc })?.url ?? '');
    assert.equal(byUpc.pathname, `/v1/products(upc=${b.UPC}&active=*)`);
  });

  test('what the API does not key is asked of the pages', () => {
    assert.equal(ask('products', { kind: 'product', identifier: id }), null);
    assert.equal(ask('products', { kind: 'barcode', gtin: ean }), null);
    assert.equal(
      ask('page', { kind: 'product', identifier: id })?.url,
      pageUrl(null, b.PRODUCT_ID),
    );
    assert.equal(ask('page', { kind: 'product', identifier: sku })?.url, pageUrl(b.SKU, null));
    assert.equal(ask('search', { kind: 'barcode', gtin: ean })?.url, searchUrl('4006381333931'));
  });

  test('open-box offers are asked for by SKU', () => {
    const url = new URL(ask('open_box', { kind: 'offers', identifier: sku })?.url ?? '');
    assert.equal(url.pathname, `/beta/products/${b.SKU}/openBox`);
    assert.equal(ask('open_box', { kind: 'offers', identifier: id }), null);
    assert.equal(ask('page', { kind: 'offers', identifier: sku }), null);
  });
});
