// How retailer_t's pages are read, how it is queried, and the result for damaged pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import type { Access } from '../../../../src/read/retailers/adapter.ts';
import { retailerTAdapter } from '../../../../src/read/retailers/retailer-t/adapter.ts';
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

test('a page gives every field that its state has, and no stock where it states none', () => {
  const listing = listingOf(given.pageWith(given.PRODUCT));
  assertFields(listing, { ...EVERYTHING, inStock: null, unavailable: null });
  assert.deepEqual(
    listing.specs.map(({ name }) => name),
    ['Dimensions (Overall)', 'Weight', 'Package Quantity', 'Warranty'],
  );
  assert.equal(listing.specs[3]?.value, 'See: the site');
});

test('a page whose state has it gives stock and the ways of delivery', () => {
  const listing = listingOf(given.pageWith({ ...given.PRODUCT, fulfillment: given.FULFILLMENT }));
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

test('a price that the state lacks comes from the page’s structured data of the same product', () => {
  const { price: _, ...unpriced } = given.PRODUCT;
  const data = (sku: string) =>
    ld({
      '@type': 'Product',
      name: 'Power Bank & Cable',
      sku,
      offers: { '@type': 'Offer', price: '89.99', priceCurrency: 'USD', availability: 'InStock' },
    });
  const same = listingOf(given.pageWith(unpriced, data('90000001')));
  assert.deepEqual([same.price, same.inStock, same.sku], [usd(8999), true, null]);
  assert.equal(listingOf(given.pageWith(unpriced, data('90000099'))).price, null);
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
    const page = given.pageWith({ ...given.PRODUCT, fulfillment });
    assertFields(listingOf(page), { inStock, unavailable });
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
    const page = given.pageWith({ ...given.PRODUCT, price });
    assertFields(listingOf(page), expected);
  });
}

test('a partner who sells is named, and is not a first party', () => {
  const item = {
    ...given.ITEM,
    fulfillment: { is_marketplace: true },
    product_vendors: [{ vendor_name: 'Partner' }],
  };
  const page = given.pageWith({ ...given.PRODUCT, item });
  assertFields(listingOf(page), { sellerName: 'Partner', sellerType: '3p' });
});

test('the seller is read from its own node, whether or not the product stands alone', () => {
  const sellerOf = (changes: object) => {
    const item = { ...given.ITEM, product_vendors: [{ vendor_name: 'Maker' }], ...changes };
    const page = given.pageWith({ ...given.PRODUCT, item });
    const { sellerName, sellerType } = listingOf(page);
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
    given.pageWith(given.PARENT, '', { url: given.PAGE_URL.replace('90000001', tcin) });
  assertFields(listingOf(page('90000011')), {
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
  assertFields(listingOf(page('90000012')), {
    itemId: '90000012',
    title: 'Power Bank - Blue',
    price: usd(3000),
    listPrice: null,
    gtin: null,
    inStock: false,
  });
  assertFields(listingOf(page('90000001')), {
    itemId: '90000001',
    variantId: null,
    price: usd(2000),
    inStock: true,
  });
  const chosen = given.pageWith(given.PARENT, '', { url: `${given.PAGE_URL}?preselect=90000012` });
  assert.equal(listingOf(chosen).itemId, '90000012');
});

test('a family that lacks the requested variant, and another product, say nothing of it', () => {
  const asked = '90000013';
  for (const product of [given.PARENT, given.PRODUCT]) {
    const url = given.PAGE_URL.replace('90000001', asked);
    assert.equal(read(given.pageWith(product, '', { url })).kind, 'not_a_product');
  }
});

test('a variant whose page redirects to that of its family is served with its own facts', () => {
  const requestedUrl = given.PAGE_URL.replace('90000001', '90000012');
  const page = given.pageWith(given.PARENT, '', { requestedUrl });
  assertFields(listingOf(page), { itemId: '90000012', price: usd(3000) });
});

const VERDICTS: readonly (readonly [string, Page, string])[] = [
  ['a page that is gone', pageOf('x', { url: given.PAGE_URL, status: 404 }), 'not_found'],
  ['a denial', pageOf('{}', { url: given.PAGE_URL, status: 435 }), 'blocked'],
  ['a throttle', pageOf('{}', { url: given.PAGE_URL, status: 429 }), 'blocked'],
  ['a page without a product', given.pageWith(null), 'not_a_product'],
];
for (const [what, page, kind] of VERDICTS) {
  test(`${what} is ${kind}`, () => {
    assert.equal(read(page).kind, kind);
  });
}

const identifier = { kind: 'retailer_item', value: '90000001', retailer: 'retailer_t' } as const;
const access: Access = { credentials: {}, token: null, nowMs: 0, newId: () => '' };

test('only its pages are asked, for its own numbers and never for a barcode', () => {
  const gtin = toGtin14('036000291452');
  assert.ok(gtin !== null);
  const requests = retailerTAdapter.sources.map(({ name, request }) => [
    name,
    request({ kind: 'product', identifier }, access)?.url,
    request({ kind: 'barcode', gtin }, access),
  ]);
  assert.deepEqual(requests, [['page', given.PAGE_URL, null]]);
});
