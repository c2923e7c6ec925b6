// retailer_l: how its state, the JSON after it and its search are read; what is requested.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { retailerLAdapter } from '../../../../src/read/retailers/retailer-l/adapter.ts';
import { retailerLReaders } from '../../../../src/read/retailers/retailer-l/readers.ts';
import {
  RETAILER_L_ORIGIN,
  retailerLDetailUrl,
  retailerLSearchUrl,
} from '../../../../src/read/retailers/retailer-l/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as l from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_l');

const FACTS = {
  itemId: l.ITEM,
  title: 'Cedar Board & Trim',
  brand: 'Acme',
  model: 'CB-8',
  sku: '58017',
  gtin: '00099900000012',
  price: { cents: 1177, currency: 'USD' },
  listPrice: { cents: 1450, currency: 'USD' },
  inStock: true,
  unavailable: false,
  rating: 4.3243,
  reviewCount: 37,
  weightLbs: 8.53,
  dimensions: { heightIn: 1.5, widthIn: 3.5, lengthIn: 96 },
  packCount: 6,
  hazmat: false,
  url: l.PRODUCT_URL,
  description: 'Cedar smells good. Resists decay',
};

test('the state of a page and the JSON after it hold the same facts', () => {
  const state = l.stateOf(l.ENTRY);
  const next = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
    props: { pageProps: state },
  })}</script>`;
  const pages = [
    l.statePage(state),
    l.jsonAnswer(state),
    pageOf(html('', next), { url: l.PRODUCT_URL }),
  ];
  for (const page of pages) {
    const listing = listingOf(page);
    assertHolds(listing, FACTS);
    assert.match(listing.imageUrl ?? '', /^https:\/\/[^/]+\/product\/board-xl\.jpg$/);
    assert.deepEqual(listing.fulfillment, {
      shipping: { available: true, costCents: null, date: null },
      delivery: { available: false, costCents: null, date: null },
      pickup: { available: true, costCents: null, date: null },
    });
  }
});

const price = (cents: number, was: number | null) => ({
  price: { cents, currency: 'USD' },
  listPrice: was === null ? null : { cents: was, currency: 'USD' },
});
const newest = { currency: 'USD', additionalData: { sellingPrice: '9.98', retailPrice: '12.98' } };
const PRICES: readonly (readonly [string, object, object])[] = [
  ['newest', { mfePrice: { price: newest }, price: l.PRICE_2020 }, price(998, 1298)],
  [
    'by location',
    { location: { price: { pricingDataList: [{ finalPrice: 8.5, retailPrice: 8.5 }] } } },
    price(850, null),
  ],
  ['of 2020', { price: l.PRICE_2020 }, price(1177, 1450)],
  ['displayed', { price: { displayPrice: { dollar: '1,011', cent: '77' } } }, price(101_177, null)],
  ['zero', { price: { itemPrice: 0, wasPrice: 5 } }, { price: null, listPrice: null }],
  ['none', {}, { price: null, listPrice: null }],
  [
    'in its own currency',
    { mfePrice: { price: { currency: 'CAD', additionalData: { sellingPrice: 5 } } } },
    { price: { cents: 500, currency: 'CAD' }, listPrice: null },
  ],
];
for (const [name, prices, expected] of PRICES) {
  test(`price: ${name}`, () => {
    const entry = { product: l.product(), ...prices };
    assertHolds(listingOf(l.statePage(l.stateOf(entry))), { ...expected });
  });
}

test('an amount next to a lower price that the cart alone shows is not a price, in structured data either', () => {
  const offers = { '@type': 'Offer', price: '9.98', priceCurrency: 'USD' };
  const jsonLd = { '@type': 'Product', name: 'Cedar Board', sku: l.ITEM, offers };
  const priceWith = (mapPriceMessage: string | null) => {
    const mfePrice = { price: { ...newest, mapPriceMessage } };
    const entry = { product: l.product(), mfePrice };
    const { price: shown, listPrice } = listingOf(l.statePage(l.stateOf(entry), jsonLd));
    return [shown?.cents ?? null, listPrice?.cents ?? null];
  };
  assert.deepEqual(priceWith('View Lower Price In Cart'), [null, null]);
  assert.deepEqual(priceWith('View Price In Cart'), [null, null]);
  assert.deepEqual(priceWith('Price is per carton'), [998, 1298]);
  assert.deepEqual(priceWith(null), [998, 1298]);
});

const STOCK: readonly (readonly [string, object, boolean | null, boolean | null])[] = [
  ['one way open', { itemInventory: l.inventory(false, true, false) }, true, false],
  ['every way shut', { itemInventory: l.inventory(false, false, false) }, false, false],
  ['by quantity', { itemInventory: { totalAvailableQty: 3 } }, true, false],
  ['by flag', { product: l.product({ isOOS: true }) }, false, false],
  [
    'by list',
    { location: { itemInventory: { itemAvailList: [{ fullMtdMsg: 'Pickup', onhandQty: 2 }] } } },
    true,
    false,
  ],
  ['nothing stated', {}, null, null],
  [
    'not buyable',
    { product: l.product({ isBuyable: 'N' }), itemInventory: l.inventory(true, true, true) },
    false,
    false,
  ],
  ['discontinued', { product: l.product({ status: 'DISCONTINUED' }) }, false, true],
  ['archived', { product: l.product({ isArchived: true }) }, false, true],
];
for (const [name, changes, inStock, unavailable] of STOCK) {
  test(`stock: ${name}`, () => {
    const entry = { product: l.product(), price: l.PRICE_2020, ...changes };
    assertHolds(listingOf(l.statePage(l.stateOf(entry))), { inStock, unavailable });
  });
}

test('older answers keep inventory and ratings next to the product', () => {
  const entry = { product: l.product({ rating: undefined, reviewCount: undefined }) };
  const more = {
    inventory: l.inventory(false, false, true),
    ratings: { [l.ITEM]: { rating: '4.5', reviewCount: '8' } },
  };
  const listing = listingOf(l.jsonAnswer(l.stateOf(entry, more)));
  assertHolds(listing, { inStock: true, rating: 4.5, reviewCount: 8 });
});

test('hazard classes without a description are unknown', () => {
  for (const [code, hazmat] of [
    ['Y', true],
    ['N', false],
    ['X', null],
    ['', null],
  ] as const) {
    const entry = { product: l.product({ hazmatCode: code }) };
    assert.equal(listingOf(l.statePage(l.stateOf(entry))).hazmat, hazmat, code);
  }
});

test('the page’s product is distinguished from those next to it', () => {
  const other = { product: l.product({ omniItemId: '1000000099', title: 'Other' }) };
  const two = { [l.ITEM]: l.ENTRY, '1000000099': other };
  const own = l.statePage({ productDetails: two, productId: '1000000099' });
  assert.equal(listingOf(own).title, 'Other');
  assert.equal(listingOf(l.statePage({ productDetails: two })).title, FACTS.title);
  const nobody = l.statePage({ productDetails: two }, undefined, RETAILER_L_ORIGIN.href);
  assert.equal(read(nobody, 'product').kind, 'not_a_product');
});

test('a state with an accessory alone says nothing of the page', () => {
  const accessory = {
    ...l.ENTRY,
    product: l.product({ omniItemId: '1000000099', title: 'Screws' }),
  };
  const state = { productDetails: { '1000000099': accessory } };
  assertHolds(listingOf(l.statePage(state, l.LD)), { itemId: l.ITEM, title: 'Cedar Board' });
  assert.equal(read(l.statePage(state), 'product').kind, 'not_a_product');
});

test('a page without a state is read by its structured data, with the id of its address', () => {
  const listing = listingOf(pageOf(html(ld(l.LD)), { url: l.PRODUCT_URL }));
  assertHolds(listing, { itemId: l.ITEM, title: 'Cedar Board', inStock: true });
});

test('other pages are distinguished', () => {
  const page = (head: string, body: string, title: string) =>
    pageOf(html(head, body, title), { url: l.PRODUCT_URL });
  const search = retailerLSearchUrl('board');
  const kinds = [
    page('', '<p>Reference #18.abc</p>', 'Access Denied'),
    page('', '<h1>Page not found</h1>', 'Page not found'),
    pageOf('', { url: l.PRODUCT_URL, status: 404 }),
    pageOf('', { url: l.PRODUCT_URL, status: 503 }),
    l.statePage({ itemList: [{ product: l.product() }] }, undefined, search),
    pageOf(html(ld(l.LD)), { url: search }),
  ].map((each) => read(each, 'product').kind);
  assert.deepEqual(kinds, [
    'blocked',
    'not_found',
    'not_found',
    'retry',
    'not_a_product',
    'not_a_product',
  ]);
});

test('a search is read as its list, or as the product that it led to', () => {
  const location = { price: { sellingPrice: 11.77 } };
  const itemList = [
    { product: l.product(), location },
    { product: l.product(), location },
    { product: { title: 'No id' } },
    null,
  ];
  const url = retailerLSearchUrl('board');
  const verdict = read(l.statePage({ itemList, itemCount: 212 }, undefined, url), 'search');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search');
  assert.equal(verdict.value.total, 212);
  assert.equal(verdict.value.hits.length, 1);
  assertHolds(verdict.value.hits[0] as Listing, {
    itemId: l.ITEM,
    gtin: FACTS.gtin,
    price: FACTS.price,
  });
  assert.equal(listingOf(l.statePage(l.stateOf(l.ENTRY)), 'search').itemId, l.ITEM);
  assert.equal(read(pageOf(html('', '<p>x</p>'), { url }), 'search').kind, 'unreadable');
  const empty = read(l.statePage({ itemList: [] }, undefined, url), 'search');
  assert.ok(empty.kind === 'read' && empty.value.kind === 'search');
  assert.deepEqual(empty.value.hits, []);
});

test('pages are asked first; the JSON after them only with a store', () => {
  const identifier = { kind: 'retailer_item', value: l.ITEM, retailer: 'retailer_l' } as const;
  const gtin = toGtin14('099900000012');
  assert.ok(gtin !== null);
  const access = {
    credentials: { STORE_NUMBER: '1803' },
    token: null,
    nowMs: 0,
    newId: () => 'id',
  };
  const asked = retailerLAdapter.sources.map((source) => [
    source.name,
    source.needs,
    source.request({ kind: 'product', identifier }, access)?.url ?? null,
    source.request({ kind: 'barcode', gtin }, access)?.url ?? null,
  ]);
  assert.deepEqual(asked, [
    ['page', [], `${RETAILER_L_ORIGIN.href}pd/${l.ITEM}`, null],
    ['search', [], null, retailerLSearchUrl('099900000012')],
    ['productdetail', ['STORE_NUMBER'], retailerLDetailUrl(l.ITEM, '1803'), null],
  ]);
  for (const source of retailerLAdapter.sources) {
    for (const kind of ['product', 'barcode', 'offers', 'reviews', 'seller'] as const) {
      assert.ok(source.readerOf(kind) in retailerLReaders);
    }
  }
});
