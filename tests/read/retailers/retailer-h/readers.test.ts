// retailer_h: how its gateway's answers and its pages are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import {
  RETAILER_H_ORIGIN,
  retailerHSearchUrl,
} from '../../../../src/read/retailers/retailer-h/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as h from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_h');

const gateway = (changes = {}): Listing =>
  listingOf(h.answer({ data: { product: h.product(changes) } }), 'api:graphql_product');

/** Facts that all sources of the product state alike. */
const SHARED = {
  itemId: h.ITEM,
  sku: '1000000017',
  gtin: '00099900000012',
  model: 'QD-5',
  brand: 'Acme',
  price: { cents: 11_900, currency: 'USD' },
  listPrice: { cents: 17_950, currency: 'USD' },
  rating: 4.6,
  reviewCount: 1234,
  inStock: true,
  unavailable: false,
  weightLbs: 4.95,
  dimensions: { heightIn: 9, widthIn: 3.25, lengthIn: 12 },
};

describe('gateway', () => {
  test('a product answer holds every fact of the product', () => {
    const listing = gateway();
    assertHolds(listing, SHARED);
    assertHolds(listing, {
      title: 'Quiet Drill & Driver',
      url: `${RETAILER_H_ORIGIN.href}p/${h.ITEM}`,
      imageUrl: 'https://pictures.example/acme-drill_1000.jpg',
      description: 'Drills quietly.',
      categories: ['Tools', 'Drills'],
      isBestSeller: true,
      deliveryDate: '2026-11-24',
      fulfillment: {
        shipping: { available: true, costCents: 899, date: '2026-11-24' },
        delivery: null,
        pickup: { available: true, costCents: null, date: null },
      },
    });
    assert.equal(listing.specs.length, 5);
  });

  const noStock = { isInStock: false, isOutOfStock: true, quantity: 0 };
  const STOCK: readonly (readonly [string, object, boolean | null, boolean | null])[] = [
    ['not buyable', { availabilityType: { buyable: false, discontinued: false } }, false, false],
    ['discontinued', { availabilityType: { buyable: false, discontinued: true } }, false, true],
    [
      'no way is open',
      { fulfillment: { fulfillmentOptions: [h.pickup({ fulfillable: false })] } },
      false,
      false,
    ],
    [
      'the only store has none',
      {
        fulfillment: {
          fulfillmentOptions: [
            h.pickup({ services: [{ type: 'bopis', locations: [{ inventory: noStock }] }] }),
          ],
        },
      },
      false,
      false,
    ],
    [
      'backordered',
      { fulfillment: { backordered: true, fulfillmentOptions: [h.parcel()] } },
      false,
      false,
    ],
    ['ways not asked for', { fulfillment: null }, null, false],
    ['nothing stated', { fulfillment: null, availabilityType: null }, null, null],
  ];
  for (const [name, changes, inStock, unavailable] of STOCK) {
    test(`stock: ${name}`, () => assertHolds(gateway(changes), { inStock, unavailable }));
  }

  test('what says nothing is nothing', () => {
    const listing = gateway({
      pricing: { value: 0, original: 5 },
      reviews: { ratingsReviews: { averageRating: '0', totalReviews: '0' } },
      identifiers: { productLabel: 'Drill', upc: '1000000017', upcGtin13: '' },
      badges: [],
      media: { images: [] },
    });
    assertHolds(listing, {
      price: null,
      listPrice: null,
      rating: null,
      reviewCount: 0,
      gtin: null,
      isBestSeller: false,
      imageUrl: null,
    });
  });

  const VERDICTS: readonly (readonly [string, Page, string])[] = [
    ['no product', h.answer({ data: { product: null } }), 'not_found'],
    [
      'an error that says so',
      h.answer({ errors: [{ message: 'Product not found' }], data: { product: null } }),
      'not_found',
    ],
    [
      'another error',
      h.answer({ errors: [{ message: 'upstream timed out' }], data: { product: null } }),
      'retry',
    ],
    [
      'a price that could not be loaded',
      h.answer({
        errors: [{ message: 'timed out', path: ['product', 'pricing'] }],
        data: { product: { ...h.product(), pricing: null } },
      }),
      'retry',
    ],
    [
      'another part that could not be loaded',
      h.answer({
        errors: [{ message: 'timed out', path: ['product', 'reviews'] }],
        data: { product: { ...h.product(), pricing: null } },
      }),
      'read',
    ],
    ['a part of an answer', h.answer({ data: { product: h.product() } }, 206), 'retry'],
    ['another shape', h.answer({ data: {} }), 'unreadable'],
    ['no JSON', h.answer('<html><title>Error</title></html>'), 'unreadable'],
    [
      'a wall',
      h.answer('<html><title>Access Denied</title><p>Reference #18.abc</p></html>'),
      'blocked',
    ],
    ['refused', h.answer('{}', 403), 'blocked'],
    ['gone', h.answer('{}', 404), 'not_found'],
  ];
  for (const [name, page, kind] of VERDICTS) {
    test(`verdict: ${name}`, () => assert.equal(read(page, 'api:graphql_product').kind, kind));
  }

  test('a search answers with its products, or with the one it leads to', () => {
    const model = { products: [h.product(), {}], searchReport: { totalProducts: 41 } };
    const verdict = read(h.answer({ data: { searchModel: model } }), 'api:graphql_search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search');
    assert.equal(verdict.value.total, 41);
    assert.deepEqual(
      verdict.value.hits.map((hit) => hit.itemId),
      [h.ITEM],
    );
    const led = { products: [], metadata: { searchRedirect: `/p/Drill/${h.ITEM}` } };
    const other = read(h.answer({ data: { searchModel: led } }), 'api:graphql_search');
    assert.ok(other.kind === 'read' && other.value.kind === 'search');
    assert.equal(other.value.hits[0]?.itemId, h.ITEM);
    const silent = read(h.answer({ data: { searchModel: null } }), 'api:graphql_search');
    assert.equal(silent.kind, 'unreadable');
  });
});

describe('product page', () => {
  const body = h.NUMBERS + h.PRICE + h.OPEN_TILES + h.CART;

  test('JSON-LD and what the page shows make one listing', () => {
    const listing = listingOf(h.productPage({ jsonLd: h.JSON_LD, body }));
    assertHolds(listing, SHARED);
    assertHolds(listing, {
      title: 'Acme Quiet Drill QD-5',
      url: h.PRODUCT_URL,
      imageUrl: 'https://pictures.example/acme-drill_1000.jpg',
      deliveryDate: '2026-11-25',
      fulfillment: {
        shipping: { available: true, costCents: 0, date: '2026-11-25' },
        delivery: null,
        pickup: { available: true, costCents: 0, date: null },
      },
    });
  });

  test('the state of the scripts holds the same facts, its names made plain', () => {
    const state = h.stateOf(h.product());
    assertHolds(listingOf(h.productPage({ state })), SHARED);
    const both = listingOf(h.productPage({ state, jsonLd: h.JSON_LD, body }));
    assertHolds(both, SHARED);
    assert.equal(both.deliveryDate, '2026-11-24');
    assert.equal(both.url, h.PRODUCT_URL);
  });

  test('references of older caches lead to the same facts, and circles end', () => {
    const { reviews, ...rest } = h.product();
    const state = {
      [`base-catalog-${h.ITEM}`]: {
        ...rest,
        reviews: { type: 'id', generated: true, id: 'r' },
        variants: [{ __ref: `base-catalog-${h.ITEM}` }, { __ref: 'nowhere' }],
      },
      r: reviews,
    };
    assertHolds(listingOf(h.productPage({ state })), SHARED);
  });

  test('a state with another product alone, as of a tile, says nothing of the page', () => {
    const { [`base-catalog-${h.ITEM}`]: own } = h.stateOf(h.product());
    const state = { 'base-catalog-300000099': own };
    for (const jsonLd of [h.JSON_LD, undefined]) {
      const parts = { body, jsonLd };
      assert.deepEqual(
        listingOf(h.productPage({ ...parts, state })),
        listingOf(h.productPage(parts)),
      );
    }
  });

  test('a currency that the page states beats the one of the host', () => {
    const jsonLd = { ...h.JSON_LD, offers: { ...h.JSON_LD.offers, priceCurrency: 'EUR' } };
    const listing = listingOf(h.productPage({ jsonLd, state: h.stateOf(h.product()) }));
    assert.deepEqual(listing.price, { cents: 11_900, currency: 'EUR' });
  });

  test('a page without any data is read by what it shows', () => {
    const listing = listingOf(h.productPage({ body }));
    assertHolds(listing, {
      itemId: h.ITEM,
      model: 'QD-5',
      title: 'Quiet Drill',
      price: SHARED.price,
      listPrice: SHARED.listPrice,
      inStock: true,
    });
  });

  const closed = h.tile('deliveryTile', ['Delivery', 'Unavailable', '', '']);
  const nearby = h.tile('pickupTile', ['Pickup Nearby', 'Limited stock at Elm Street', '', '']);
  const shelf = h.tile('pickupTile', ['At Your Store', 'Today', '<span>2</span> in stock', '']);
  const none = h.tile('pickupTile', ['Pickup', '', '0 in stock', '']);
  const appliance = h.tile('deliveryTile', ['Delivery', 'Earliest delivery', 'Thu, Dec 3', ' ']);
  const TILES: readonly (readonly [string, string, boolean | null])[] = [
    ['delivery open', h.OPEN_TILES, true],
    ['appliance with a day', appliance + h.CART, true],
    ['all shut', closed + none, false],
    ['only in another store', nearby + closed, false],
    ['only on the shelf', shelf + closed, false],
    ['all shut beside a cart button', closed + none + h.CART, null],
    ['no tiles', h.CART, null],
  ];
  for (const [name, tiles, inStock] of TILES) {
    test(`stock by the tiles: ${name}`, () => {
      assert.equal(listingOf(h.productPage({ jsonLd: h.JSON_LD, body: tiles })).inStock, inStock);
    });
  }

  test('a charge in the markup is not believed where the page shows none', () => {
    const listing = listingOf(h.productPage({ jsonLd: h.JSON_LD, body: appliance + h.CART }));
    assert.deepEqual(listing.fulfillment?.delivery, {
      available: true,
      costCents: null,
      date: '2026-12-03',
    });
  });

  test('the item that is served counts, not the one in the address', () => {
    const served = { ...h.JSON_LD, productID: '300000044' };
    assert.equal(listingOf(h.productPage({ jsonLd: served })).itemId, '300000044');
  });

  test('pages that are none are distinguished', () => {
    const list = {
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      mainEntity: {
        '@type': 'WebPageElement',
        offers: { '@type': 'Offer', itemOffered: [h.JSON_LD, { ...h.JSON_LD, name: 'Other' }] },
      },
    };
    const url = `${RETAILER_H_ORIGIN.href}b/Tools-Drills/N-5yc1v`;
    const kinds = [
      pageOf(html(ld(list), '<h1>Drills</h1>', 'Drills'), { url }),
      pageOf(html(ld(h.JSON_LD), '<h1>Drills</h1>', 'Drills'), { url }),
      pageOf(html('', '<p>Reference #18.abc</p>', 'Access Denied'), { url: h.PRODUCT_URL }),
      pageOf(html('', '', 'x'), { url: h.PRODUCT_URL, status: 206 }),
      pageOf(html('', '<h1>Page not found</h1>', 'Page not found'), { url: h.PRODUCT_URL }),
      pageOf('', { url: h.PRODUCT_URL, status: 404 }),
    ].map((page) => read(page, 'product').kind);
    assert.deepEqual(kinds, [
      'not_a_product',
      'not_a_product',
      'blocked',
      'blocked',
      'not_found',
      'not_found',
    ]);
  });

  test('reviews of the page: average, total, and the single ones without days', () => {
    const verdict = read(h.productPage({ jsonLd: h.JSON_LD }), 'reviews');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'reviews');
    const { averageRating, totalReviews, reviews } = verdict.value.reviews;
    assert.deepEqual([averageRating, totalReviews, reviews.length], [4.6, 1234, 1]);
    assert.deepEqual(reviews[0], {
      id: null,
      day: null,
      rating: 4,
      title: 'Quiet',
      text: 'Really quiet.',
      isVerifiedPurchase: null,
      author: 'Visitor',
    });
  });
});

describe('search page', () => {
  const url = retailerHSearchUrl('099900000012');
  const idsOf = (page: Page): readonly (string | null)[] => {
    const verdict = read(page, 'search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
    return verdict.value.hits.map((hit) => hit.itemId);
  };
  const offered = (id: string) => ({
    '@type': 'Product',
    name: `Drill ${id}`,
    sku: id,
    offers: {
      '@type': 'Offer',
      price: 9,
      priceCurrency: 'USD',
      url: `${RETAILER_H_ORIGIN.href}p/Drill/${id}`,
    },
  });

  test('hits come from the state, else from JSON-LD, else from the tiles', () => {
    const state = {
      ROOT_QUERY: {
        'searchModel({"keyword":"drill"})': {
          'products({"startIndex":0})': [{ __ref: `base-catalog-${h.ITEM}` }],
          searchReport: { totalProducts: 1 },
        },
      },
      [`base-catalog-${h.ITEM}`]: h.product(),
    };
    const script = `<script>window.__APOLLO_STATE__ = ${JSON.stringify(state)}</script>`;
    assert.deepEqual(idsOf(pageOf(html('', script), { url })), [h.ITEM]);
    const list = {
      '@type': 'WebPage',
      mainEntity: { offers: { itemOffered: ['300000001', '300000002', '300000001'].map(offered) } },
    };
    assert.deepEqual(idsOf(pageOf(html(ld(list)), { url })), ['300000001', '300000002']);
    const tiles = '<div data-product-id=300000003></div><div data-product-id="x"></div>';
    assert.deepEqual(idsOf(pageOf(html('', tiles), { url })), ['300000003']);
    const empty = { ROOT_QUERY: { searchModel: { products: [] } } };
    const nothing = `<script>__APOLLO_STATE__ = ${JSON.stringify(empty)}</script>`;
    assert.deepEqual(idsOf(pageOf(html('', nothing), { url })), []);
  });

  test('a search that led to the product is read as its page', () => {
    assert.equal(listingOf(h.productPage({ jsonLd: h.JSON_LD }), 'search').itemId, h.ITEM);
  });

  test('a page of neither kind is not taken for an empty list', () => {
    assert.equal(read(pageOf(html('', '<p>Hello</p>'), { url }), 'search').kind, 'unreadable');
  });
});
