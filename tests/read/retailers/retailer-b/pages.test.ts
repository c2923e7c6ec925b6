// retailer_b: how its product pages (layouts of 2021 and 2026, streamed data) and search pages are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import { pageUrl, searchUrl } from '../../../../src/read/retailers/retailer-b/address-book.ts';
import { html, pageOf } from '../page-fixtures.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as b from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_b');

test('the layout of 2026 holds every fact that a visitor sees', () => {
  assertHolds(listingOf(b.seenPage()), {
    url: pageUrl(b.SKU, null),
    itemId: b.SKU,
    productId: b.PRODUCT_ID,
    title: 'Acme - Quiet Speaker - Blue',
    brand: 'Acme',
    model: 'QS-5',
    price: { cents: 11_900, currency: 'USD' },
    listPrice: { cents: 13_999, currency: 'USD' },
    secondaryOfferPrice: { cents: 8999, currency: 'USD' },
    inStock: true,
    unavailable: false,
    rating: 4.6,
    reviewCount: 1234,
    sellerName: 'The Shop',
    sellerType: '1p',
    imageUrl: 'https://pictures.example/speaker.jpg',
    categories: ['Audio', 'Speakers'],
    isBestSeller: true,
  });
});

test('streamed data holds numbers, measures and texts', () => {
  assertHolds(listingOf(b.streamedPage([{ productBySkuId: b.streamed() }])), {
    itemId: b.SKU,
    productId: b.PRODUCT_ID,
    gtin: toGtin14(b.UPC),
    title: 'Acme - Quiet Speaker - Blue',
    brand: 'Acme',
    model: 'QS-5',
    description: 'Plays quietly.',
    rating: 4.6,
    reviewCount: 1234,
    weightLbs: 4.2,
    dimensions: { heightIn: 9, widthIn: 3.5, lengthIn: 12 },
    price: null,
    inStock: null,
  });
});

const price = (customerPrice: number, regularPrice: number) => ({ customerPrice, regularPrice });
const thirdParty =
  '<div data-testid="seller-details-third-party-sold-by-banner"><span>Sold and shipped by</span> <a>Gadget Barn</a></div>';
const soldOut = `<button disabled data-testid="pdp-add-to-cart-${b.SKU}">Sold Out</button>`;

const CASES: readonly (readonly [string, Page, Readonly<Partial<Listing>>])[] = [
  [
    'the JSON-LD node with an offer is the product, stubs before it are not',
    b.oldPage(b.data(b.OFFER), b.button('Add to Cart', 'ADD_TO_CART')),
    {
      gtin: toGtin14(b.UPC),
      price: { cents: 11_900, currency: 'USD' },
      inStock: true,
      itemId: b.SKU,
      condition: 'new',
    },
  ],
  [
    'the button of another product is not stock',
    b.oldPage(b.data(b.OFFER), b.button('Add to Cart', 'ADD_TO_CART', '7000009')),
    { inStock: null },
  ],
  [
    'a button that is off says sold out',
    b.oldPage(b.data(b.OFFER), b.button('Sold Out', 'SOLD_OUT')),
    { inStock: false, price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    'check stores is not stock online',
    b.oldPage(b.data(b.OFFER), b.button('Check Stores', 'CHECK_STORES')),
    { inStock: false },
  ],
  [
    'orderable for later is not stock',
    b.oldPage(b.data(b.OFFER), b.button('Pre-Order', 'PRE_ORDER')),
    { inStock: false },
  ],
  [
    'of offers in two conditions the new one is the price, the b.OTHER the second offer',
    b.oldPage(b.data(b.OPENED), ''),
    {
      price: { cents: 11_900, currency: 'USD' },
      secondaryOfferPrice: { cents: 8999, currency: 'USD' },
      condition: 'new',
      inStock: false,
    },
  ],
  [
    'the lower end of a range over conditions is not a price of the new one',
    b.oldPage(b.data({ ...b.OPENED, offers: [], lowPrice: 89.99, highPrice: 119 }), ''),
    { price: null, secondaryOfferPrice: null },
  ],
  [
    'at the address of b.OPENED copies it is the b.OTHER way round',
    pageOf(html(b.data(b.OPENED), '', 'Acme - Quiet Speaker - Blue'), { url: b.OPEN_BOX_URL }),
    {
      price: { cents: 8999, currency: 'USD' },
      secondaryOfferPrice: { cents: 11_900, currency: 'USD' },
      condition: 'open_box',
      inStock: true,
    },
  ],
  [
    'the price that is seen wins over JSON-LD',
    b.seenPage({ head: b.data({ ...b.OFFER, price: '139.99' }) }),
    { price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    'a lower comparison is not a discount',
    b.seenPage({ was: 'Comp. Value: $99.00' }),
    { listPrice: null },
  ],
  ['sold out is not gone', b.seenPage({ cart: soldOut }), { inStock: false, unavailable: false }],
  [
    'no longer available is gone',
    b.seenPage({ cart: '<p>This item is no longer available in new condition.</p>' }),
    { inStock: false, unavailable: true },
  ],
  [
    'sold by another',
    b.seenPage({ seller: thirdParty }),
    { sellerName: 'Gadget Barn', sellerType: '3p' },
  ],
  [
    'no reviews is not a rating',
    b.seenPage({ rating: 'Not Yet Reviewed' }),
    { rating: null, reviewCount: null },
  ],
  [
    'pieces of one SKU are one product, others are left alone',
    b.streamedPage([
      { related: [b.OTHER] },
      { productBySkuId: b.streamed() },
      { x: { skuId: b.SKU, price: price(119, 139) } },
      { x: { skuId: '7000009', price: price(9, 9) } },
    ]),
    {
      title: 'Acme - Quiet Speaker - Blue',
      price: { cents: 11_900, currency: 'USD' },
      listPrice: { cents: 13_900, currency: 'USD' },
    },
  ],
  [
    'undefined in streamed data is nothing',
    b.streamedPage(
      [{ productBySkuId: b.streamed() }],
      b.NEW_URL,
      ',"rehydrate":undefined,"list":[undefined]',
    ),
    { title: 'Acme - Quiet Speaker - Blue' },
  ],
  [
    'an b.OPENED copy streams along and is not the product',
    b.streamedPage([
      { a: b.streamed({ openBoxCondition: 1, name: { short: 'Opened' }, price: price(89, 119) }) },
      { b: b.streamed({ price: price(119, 119) }) },
    ]),
    { title: 'Acme - Quiet Speaker - Blue', price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    'a product id alone finds its SKU in the stream',
    b.streamedPage([{ a: b.OTHER }, { b: b.streamed() }], pageUrl(null, b.PRODUCT_ID) ?? ''),
    { itemId: b.SKU, productId: b.PRODUCT_ID },
  ],
  [
    'button states of the stream are stock',
    b.streamedPage([{ b: b.streamed({ buttonState: { buttonState: 'ADD_TO_CART' } }) }]),
    { inStock: true },
  ],
  [
    'the option at this address is the condition',
    b.streamedPage([
      { b: b.streamed() },
      {
        buyingOptions: [
          { type: 'Refurbished', pdpUrl: `${b.NEW_URL}x` },
          { type: 'New', pdpUrl: b.NEW_URL },
        ],
      },
    ]),
    { condition: 'new' },
  ],
];

describe('product pages', () => {
  for (const [name, page, facts] of CASES) {
    test(name, () => assertHolds(listingOf(page), facts));
  }
});

const titled = (title: string, options: object = {}): Page =>
  pageOf(html('', `<h1>${title}</h1>`, title), { url: b.NEW_URL, ...options });

const VERDICTS: readonly (readonly [string, Page, string])[] = [
  ['a wall', titled('Access Denied'), 'blocked'],
  ['a wall by status', titled('x', { status: 403 }), 'blocked'],
  ['gone', titled('x', { status: 404 }), 'not_found'],
  ['gone inside a 200', titled("Sorry, this item isn't available"), 'not_found'],
  ['a refusal inside a 200', titled('Sorry, this site is not available here'), 'not_a_product'],
  ['an outage inside a 200', titled("Sorry, this item isn't available right now"), 'not_a_product'],
  ['a page of results', b.searchPage([b.entry()]), 'not_a_product'],
  [
    'a stream that names b.OTHER products only',
    b.streamedPage([{ a: b.OTHER }], pageUrl(null, b.PRODUCT_ID) ?? ''),
    'not_a_product',
  ],
];

describe('pages that are not a product', () => {
  for (const [name, page, kind] of VERDICTS) {
    test(name, () => assert.equal(read(page).kind, kind));
  }
});

describe('search pages', () => {
  function searchOf(page: Page) {
    const verdict = read(page, 'search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
    return verdict.value;
  }

  test('entries that are drawn, without advertisements', () => {
    const { hits, total } = searchOf(
      b.searchPage([b.ADVERTISEMENT, b.entry(), b.entry({ sku: '7000002', body: '' })]),
    );
    assert.equal(total, 834);
    assert.equal(hits.length, 1);
    const [hit] = hits;
    assert.ok(hit !== undefined);
    assertHolds(hit, {
      itemId: b.SKU,
      productId: b.PRODUCT_ID,
      title: 'Acme - Quiet Speaker - Blue',
      price: { cents: 11_900, currency: 'USD' },
      listPrice: { cents: 13_999, currency: 'USD' },
      rating: 4.6,
      reviewCount: 1234,
    });
  });

  test('a combination of products is neither a hit nor a product', () => {
    const combo = new URL('/site/combo/speakers/1-2', b.OLD_URL).href;
    const body = `<a href="${combo}"><h3 class="product-title">A + B</h3></a><div data-testid="price-block-customer-price">$300</div>`;
    assert.deepEqual(searchOf(b.searchPage([b.entry({ body })])).hits, []);
    assert.equal(read(pageOf(b.seenBody(), { url: combo })).kind, 'not_a_product');
  });

  test('the layout of 2021', () => {
    const [hit] = searchOf(b.searchPage([b.oldEntry()])).hits;
    assert.deepEqual([hit?.itemId, hit?.price?.cents], [b.SKU, 11_900]);
  });

  test('nothing found is an empty list, whatever is recommended instead', () => {
    const page = b.searchPage(['<div class="no-results-message">nothing</div>', b.entry()]);
    assert.deepEqual(searchOf(page), { kind: 'search', hits: [], total: 0 });
  });

  test('a search that led to a product is that product', () => {
    const verdict = read(b.seenPage(), 'search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'product');
  });

  test('a page without results is not read as an empty search', () => {
    assert.equal(read(pageOf(html('', 'x'), { url: searchUrl('x') }), 'search').kind, 'unreadable');
  });
});
