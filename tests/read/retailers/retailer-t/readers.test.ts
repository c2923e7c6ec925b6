// How retailer_t's public JSON and pages are read, how it is queried, and the result for damaged answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import type { Access } from '../../../../src/read/retailers/adapter.ts';
import { retailerTAdapter } from '../../../../src/read/retailers/retailer-t/adapter.ts';
import { retailerTReaders } from '../../../../src/read/retailers/retailer-t/readers.ts';
import { ld, pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as given from './fixtures.ts';

const usd = (cents: number) => ({ cents, currency: 'USD' });

const { read, listingOf } = readersOf('retailer_t');

const EVERYTHING: Partial<Listing> = {
  url: given.PAGE_URL,
  itemId: '90000001',
  gtin: toGtin14('036000291452'),
  title: 'Power Bank & Cable',
  brand: 'Acme',
  description: 'Charges "phones".',
  imageUrl: 'https://images.example/bank',
  categories: ['Electronics & Tech', 'Chargers'],
  price: usd(9999),
  listPrice: usd(10_999),
  rating: 4.72,
  reviewCount: 365,
  ratingDistribution: { 5: 313, 4: 27, 3: 11, 2: 2, 1: 12 },
  sellerType: '1p',
  sellerName: null,
  weightLbs: null,
  weightAssembledLbs: 1.2,
  weightPackageLbs: 1.85,
  dimensions: null,
  dimensionsAssembled: { heightIn: 5, widthIn: 4, lengthIn: 3 },
  dimensionsPackage: { heightIn: 2.2, widthIn: 4.9, lengthIn: 6.9 },
  soldTag: '1k+ bought in last month',
  isBestSeller: true,
  hazmat: false,
  packCount: 24,
  variantId: null,
};

function assertFields(listing: Listing, expected: Partial<Listing>): void {
  for (const [name, value] of Object.entries(expected)) {
    assert.deepEqual(listing[name as keyof Listing], value, name);
  }
}

test('the product endpoint gives every field that it states, and no stock', () => {
  const listing = listingOf(given.answerOf(given.PDP), 'api:redsky_pdp');
  assertFields(listing, { ...EVERYTHING, inStock: null, unavailable: null });
  assert.deepEqual(
    listing.specs.map(({ name }) => name),
    ['Dimensions (Overall)', 'Weight', 'Package Quantity', 'Warranty'],
  );
  assert.equal(listing.specs[3]?.value, 'See: the site');
});

test('the summary gives stock and the ways of delivery', () => {
  const listing = listingOf(given.answerOf(given.SUMMARY), 'api:redsky_summary');
  assertFields(listing, {
    ...EVERYTHING,
    inStock: true,
    unavailable: false,
    deliveryDate: '2026-11-24',
    fulfillment: {
      shipping: { available: true, costCents: 0, date: '2026-11-24' },
      pickup: { available: true, costCents: null, date: '2026-11-20' },
      delivery: null,
    },
  });
});

test('a page gives the product of its state, not its navigation', () => {
  assertFields(listingOf(given.pageWith(given.PRODUCT), 'product'), EVERYTHING);
});

test('a price that the state lacks comes from the page’s structured data of the same product', () => {
  const { price: _, ...unpriced } = given.PRODUCT;
  const data = (sku: string) =>
    ld({
      '@type': 'Product',
      name: 'Power Bank & Cable',
      sku,
      offers: { '@type': 'Offer', price: '89.99', priceCurrency: 'USD', availability: 'InStock' },
    });
  const same = listingOf(given.pageWith(unpriced, data('90000001')), 'product');
  assert.deepEqual([same.price, same.inStock, same.sku], [usd(8999), true, null]);
  assert.equal(listingOf(given.pageWith(unpriced, data('90000099')), 'product').price, null);
});

const STOCKS: readonly (readonly [string, unknown, boolean | null, boolean | null])[] = [
  ['shipped', { shipping_options: { availability_status: 'LIMITED_STOCK' } }, true, false],
  [
    'sold out in words, though sold_out is false',
    {
      sold_out: false,
      shipping_options: { availability_status: 'OUT_OF_STOCK' },
      store_options: [{ order_pickup: { availability_status: 'UNAVAILABLE' } }],
    },
    false,
    false,
  ],
  [
    'to be fetched only',
    {
      shipping_options: { availability_status: 'OUT_OF_STOCK' },
      store_options: [{ order_pickup: { availability_status: 'IN_STOCK' } }],
    },
    true,
    false,
  ],
  [
    'to be ordered for later',
    { shipping_options: { availability_status: 'PRE_ORDER_SELLABLE' } },
    false,
    false,
  ],
  ['discontinued', { shipping_options: { availability_status: 'DISCONTINUED' } }, false, true],
  ['sold out', { sold_out: true }, false, null],
  [
    'in shops alone',
    { store_options: [{ in_store_only: { availability_status: 'IN_STOCK' } }] },
    null,
    null,
  ],
  ['unknown', {}, null, null],
];
for (const [what, fulfillment, inStock, unavailable] of STOCKS) {
  test(`a thing that is ${what} has stock ${inStock}`, () => {
    const summaries = [{ ...given.PRODUCT, fulfillment }];
    const page = given.answerOf({ data: { product_summaries: summaries } });
    assertFields(listingOf(page, 'api:redsky_summary'), { inStock, unavailable });
  });
}

const PRICES: readonly (readonly [object | undefined, Partial<Listing>])[] = [
  [
    { current_retail: 5, reg_retail: 5 },
    { price: usd(500), listPrice: null },
  ],
  [
    { current_retail_min: 5, current_retail_max: 9 },
    { price: usd(500), listPrice: null },
  ],
  [{ formatted_current_price: '$1,024.00' }, { price: usd(102_400), listPrice: null }],
  [
    { current_retail: 45, reg_retail: 45, formatted_comparison_price: '$49.99' },
    { price: usd(4500), listPrice: usd(4999) },
  ],
  [{ current_retail: 0 }, { price: null }],
  [
    { current_retail: 9.5, formatted_current_price: '€9.50' },
    { price: { cents: 950, currency: 'EUR' } },
  ],
  [undefined, { price: null, listPrice: null }],
];
for (const [price, expected] of PRICES) {
  test(`the price block ${JSON.stringify(price)} is read as what a buyer pays now`, () => {
    const page = given.answerOf({ data: { product: { ...given.PRODUCT, price } } });
    assertFields(listingOf(page, 'api:redsky_pdp'), expected);
  });
}

test('a partner who sells is named, and is no first party', () => {
  const item = {
    ...given.ITEM,
    fulfillment: { is_marketplace: true },
    product_vendors: [{ vendor_name: 'Partner' }],
  };
  const page = given.answerOf({ data: { product: { ...given.PRODUCT, item } } });
  assertFields(listingOf(page, 'api:redsky_pdp'), { sellerName: 'Partner', sellerType: '3p' });
});

test('who sells is told by the node about it, not by whether the product stands alone', () => {
  const sellerOf = (changes: object) => {
    const item = { ...given.ITEM, product_vendors: [{ vendor_name: 'Maker' }], ...changes };
    const page = given.answerOf({ data: { product: { ...given.PRODUCT, item } } });
    const { sellerName, sellerType } = listingOf(page, 'api:redsky_pdp');
    return [sellerName, sellerType];
  };
  assert.deepEqual(sellerOf({ fulfillment: {} }), [null, '1p']);
  assert.deepEqual(sellerOf({ fulfillment: { is_marketplace: false } }), [null, '1p']);
  assert.deepEqual(sellerOf({ relationship_type_code: 'VC', fulfillment: {} }), [null, '1p']);
  assert.deepEqual(sellerOf({ fulfillment: { is_marketplace: true } }), ['Maker', '3p']);
  assert.deepEqual(sellerOf({ fulfillment: undefined }), [null, null]);
  assert.deepEqual(sellerOf({ fulfillment: null }), [null, null]);
});

test('the variant that was asked for is served, with price, barcode and stock of its own', () => {
  const page = (tcin: string) =>
    given.answerOf({ data: { product: given.PARENT } }, { url: given.apiUrl(tcin) });
  assertFields(listingOf(page('90000011'), 'api:redsky_pdp'), {
    itemId: '90000011',
    variantId: '90000011',
    title: 'Power Bank & Cable',
    brand: 'Acme',
    price: usd(2000),
    listPrice: usd(2500),
    gtin: toGtin14('4006381333931'),
    imageUrl: 'https://images.example/red',
    inStock: true,
  });
  assertFields(listingOf(page('90000012'), 'api:redsky_pdp'), {
    itemId: '90000012',
    title: 'Power Bank - Blue',
    price: usd(3000),
    listPrice: null,
    gtin: null,
    inStock: false,
  });
  assertFields(listingOf(page('90000001'), 'api:redsky_pdp'), {
    itemId: '90000001',
    variantId: null,
    price: usd(2000),
    inStock: true,
  });
  const chosen = given.pageWith(given.PARENT, '', { url: `${given.PAGE_URL}?preselect=90000012` });
  assert.equal(listingOf(chosen, 'product').itemId, '90000012');
});

test('a family that lacks the requested variant, and another product, say nothing of it', () => {
  const asked = '90000013';
  for (const product of [given.PARENT, given.PRODUCT]) {
    const answer = given.answerOf({ data: { product } }, { url: given.apiUrl(asked) });
    assert.equal(read(answer, 'api:redsky_pdp').kind, 'unreadable');
    const url = given.PAGE_URL.replace('90000001', asked);
    assert.equal(read(given.pageWith(product, '', { url }), 'product').kind, 'not_a_product');
  }
});

test('a variant whose page redirects to that of its family is served with its own facts', () => {
  const requestedUrl = given.PAGE_URL.replace('90000001', '90000012');
  const page = given.pageWith(given.PARENT, '', { requestedUrl });
  assertFields(listingOf(page, 'product'), { itemId: '90000012', price: usd(3000) });
});

test('a search gives its hits without what is sponsored or no product', () => {
  const verdict = read(given.answerOf(given.SEARCH), 'api:redsky_search');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search');
  assert.deepEqual(
    verdict.value.hits.map(({ itemId }) => itemId),
    ['90000001', '90000002'],
  );
  assert.equal(verdict.value.total, 329);
});

const UNKNOWN = { errors: [{ message: 'No product found with tcin 90000001' }] };
const VERDICTS: readonly (readonly [string, string, Page, string])[] = [
  ['an unknown number', 'api:redsky_pdp', given.answerOf(UNKNOWN), 'not_found'],
  [
    'an unknown number with status 404',
    'api:redsky_pdp',
    given.answerOf(UNKNOWN, { status: 404 }),
    'not_found',
  ],
  [
    'an endpoint that was closed',
    'api:redsky_pdp',
    given.answerOf({ message: 'Gone' }, { status: 410 }),
    'retry',
  ],
  [
    'an endpoint that was moved',
    'api:redsky_summary',
    pageOf('<h1>Not Found</h1>', { url: given.apiUrl('90000001'), status: 404 }),
    'retry',
  ],
  [
    'an empty summary',
    'api:redsky_summary',
    given.answerOf({ data: { product_summaries: [] } }),
    'not_found',
  ],
  [
    'a failing service',
    'api:redsky_pdp',
    given.answerOf({ errors: [{ message: 'timeout' }] }),
    'retry',
  ],
  [
    'a price that could not be loaded',
    'api:redsky_pdp',
    given.answerOf({
      data: { product: { ...given.PRODUCT, price: null } },
      errors: [{ message: 'Exception while fetching data', path: ['product', 'price'] }],
    }),
    'retry',
  ],
  [
    'another part that could not be loaded',
    'api:redsky_pdp',
    given.answerOf(
      {
        data: { product: given.PRODUCT },
        errors: [{ message: 'Exception', path: ['product', 'store_positions'] }],
      },
      { status: 206 },
    ),
    'read',
  ],
  [
    'a price that is not stated beside another part that could not be loaded',
    'api:redsky_pdp',
    given.answerOf({
      data: { product: { ...given.PRODUCT, price: null } },
      errors: [{ message: 'Exception', path: ['product', 'store_positions'] }],
    }),
    'read',
  ],
  ['a denial', 'api:redsky_pdp', given.answerOf({}, { status: 435 }), 'blocked'],
  ['a throttle', 'api:redsky_summary', given.answerOf({}, { status: 429 }), 'blocked'],
  ['another shape', 'api:redsky_pdp', given.answerOf({ data: {} }), 'unreadable'],
  [
    'no JSON',
    'api:redsky_search',
    pageOf('<p>hello</p>', { url: given.apiUrl('90000001') }),
    'unreadable',
  ],
  [
    'a page that is gone',
    'product',
    pageOf('x', { url: given.PAGE_URL, status: 404 }),
    'not_found',
  ],
  ['a page without a product', 'product', given.pageWith(null), 'not_a_product'],
];
for (const [what, reader, page, kind] of VERDICTS) {
  test(`${what} is ${kind}`, () => {
    assert.equal(read(page, reader).kind, kind);
  });
}

const identifier = { kind: 'retailer_item', value: '90000001', retailer: 'retailer_t' } as const;
const access: Access = {
  credentials: { API_KEY: given.KEY },
  token: null,
  nowMs: 0,
  newId: () => '11111111-2222-3333-4444-55555555aaaa',
};

test('it is asked for its own numbers, by key before page, and never for a barcode', () => {
  const gtin = toGtin14('036000291452');
  assert.ok(gtin !== null);
  const [redsky, , pages] = retailerTAdapter.sources;
  const url = new URL(redsky?.request({ kind: 'product', identifier }, access)?.url ?? '');
  assert.equal(url.searchParams.get('tcin'), '90000001');
  assert.equal(url.searchParams.get('key'), given.KEY);
  assert.equal(url.searchParams.get('visitor_id'), '1111111122223333444455555555AAAA');
  assert.equal(pages?.request({ kind: 'product', identifier }, access)?.url, given.PAGE_URL);
  for (const source of retailerTAdapter.sources) {
    assert.equal(source.request({ kind: 'barcode', gtin }, access), null, source.name);
    assert.ok(source.readerOf('product') in retailerTReaders);
  }
  const spoilt = { ...access, credentials: { API_KEY: '../../../x?y=' } };
  assert.equal(redsky?.request({ kind: 'product', identifier }, spoilt), null);
});
