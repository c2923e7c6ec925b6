// The store API of WooCommerce shops: which pages name it, which price an answer states, which variation it is about.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { amountOf } from '../../../src/base/listing/money/minor-units.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../src/base/listing/page.ts';
import { storeApiRequest, storeApiRootOf } from '../../../src/read/retailers/store-api.ts';
import { readStoreApi } from '../../../src/read/retailers/store-api-answers.ts';

const SHOP = 'https://shop.example';
const ROOT = `${SHOP}/wp-json/`;

const pageOf = (url: string, body: string, more: Partial<Page> = {}): Page => ({
  requestedUrl: url,
  url,
  status: 200,
  headers: {},
  body: Buffer.from(body),
  fetchedAtMs: 0,
  ...more,
});

const SIGN = '<body class="single-product woocommerce">';

for (const [name, url, body, headers, expected] of [
  ['a link header', SHOP, SIGN, { link: `<${ROOT}>; rel="https://api.w.org/"` }, ROOT],
  ['a link', SHOP, `<link rel="https://api.w.org/" href="${ROOT}" />${SIGN}`, {}, ROOT],
  [
    'attributes in the other order',
    SHOP,
    `<link href='${ROOT}' rel='https://api.w.org/'>${SIGN}`,
    {},
    ROOT,
  ],
  [
    'a root below a folder',
    SHOP,
    `<link rel="https://api.w.org/" href="/store/wp-json/">${SIGN}`,
    {},
    `${SHOP}/store/wp-json/`,
  ],
  [
    'a root as a parameter',
    SHOP,
    `<link rel="https://api.w.org/" href="/index.php?rest_route=/">${SIGN}`,
    {},
    `${SHOP}/index.php?rest_route=/`,
  ],
  [
    'another origin',
    SHOP,
    `<link rel="https://api.w.org/" href="https://cdn.example/wp-json/">${SIGN}`,
    {},
    null,
  ],
  [
    'WordPress without a shop',
    SHOP,
    `<link rel="https://api.w.org/" href="${ROOT}"><body>`,
    {},
    null,
  ],
  ['a shop that hides the link', SHOP, SIGN, {}, null],
] as const) {
  test(`a page with ${name} names the API ${String(expected)}`, () => {
    assert.equal(storeApiRootOf(pageOf(url, body, { headers })), expected);
  });
}

for (const [root, url, variation, expected] of [
  [ROOT, '/product/kettle/', null, `${ROOT}wc/store/v1/products?slug=kettle`],
  [ROOT, '/shop/kitchen/kettle', null, `${ROOT}wc/store/v1/products?slug=kettle`],
  [ROOT, '/produkt/gr%C3%BCn/', null, `${ROOT}wc/store/v1/products?slug=gr%C3%BCn`],
  [ROOT, '/?p=34', null, `${ROOT}wc/store/v1/products/34`],
  [ROOT, '/?product=kettle', null, `${ROOT}wc/store/v1/products?slug=kettle`],
  [ROOT, '/product/kettle/', '35', `${ROOT}wc/store/v1/products/35`],
  [
    `${SHOP}/index.php?rest_route=/`,
    '/product/kettle/',
    null,
    `${SHOP}/index.php?rest_route=%2Fwc%2Fstore%2Fv1%2Fproducts&slug=kettle`,
  ],
  [ROOT, '/', null, null],
  [ROOT, '/kettle.html', null, null],
] as const) {
  test(`${url} is asked for by ${String(expected)}`, () => {
    assert.equal(storeApiRequest(root, new URL(url, SHOP), variation)?.url ?? null, expected);
  });
}

type Facts = Readonly<Record<string, unknown>>;

const prices = (price: string, currency: string, unit: unknown, more: Facts = {}): Facts => ({
  currency_code: currency,
  currency_minor_unit: unit,
  currency_decimal_separator: '.',
  currency_thousand_separator: ',',
  price,
  regular_price: price,
  price_range: null,
  ...more,
});

const product = (more: Facts): Facts => ({
  id: 34,
  type: 'simple',
  name: 'Kettle',
  slug: 'kettle',
  permalink: `${SHOP}/product/kettle/`,
  sku: 'K-15',
  is_in_stock: true,
  ...more,
});

function read(
  answer: unknown,
  asked = '/product/kettle/',
  more: Partial<Page> = {},
): PageVerdict<Listing> {
  const page = pageOf(`${ROOT}wc/store/v1/products?slug=kettle`, JSON.stringify(answer), {
    insteadOf: new URL(asked, SHOP).href,
    headers: { 'content-type': 'application/json' },
    ...more,
  });
  const verdict = readStoreApi(page);
  assert.ok(verdict !== null);
  return verdict;
}

function listingIn(verdict: PageVerdict<Listing>): Listing {
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  return verdict.value;
}

/** ISO 4217 minor units: 2, 0, 3, and one that Intl rounds to none. */
const AMOUNTS: readonly (readonly [string, Facts, readonly [number, string] | null])[] = [
  ['cents', { prices: prices('3659', 'USD', 2) }, [36.59, 'USD']],
  ['yen', { prices: prices('1980', 'JPY', 0) }, [1980, 'JPY']],
  ['yen with two decimals', { prices: prices('198000', 'JPY', 2) }, [1980, 'JPY']],
  ['fils', { prices: prices('20125', 'KWD', 3) }, [20.125, 'KWD']],
  ['dinars with two decimals', { prices: prices('2012', 'KWD', 2) }, [20.12, 'KWD']],
  ['forints without decimals', { prices: prices('4990', 'HUF', 0) }, [4990, 'HUF']],
  ['dollars without decimals', { prices: prices('36', 'USD', 0) }, [36, 'USD']],
  ['a part of a yen', { prices: prices('198050', 'JPY', 2) }, null],
  ['tenths of a cent', { prices: prices('36595', 'USD', 3) }, null],
  ['no unit', { prices: prices('3659', 'USD', undefined) }, null],
  ['a unit in words', { prices: prices('3659', 'USD', '2') }, null],
  ['a point', { prices: prices('36.59', 'USD', 2) }, null],
  ['a number', { prices: prices(3659 as never, 'USD', 2) }, null],
  ['no currency', { prices: prices('3659', '', 2) }, null],
  ['an unknown currency', { prices: prices('3659', 'QQQ', 2) }, null],
  ['nothing', { prices: prices('', 'USD', 2) }, null],
  ['zero', { prices: prices('0', 'USD', 2) }, null],
  [
    'its own text',
    { prices: prices('123659', 'USD', 2), price_html: '<bdi>$1,236.59</bdi>' },
    [1236.59, 'USD'],
  ],
  [
    'a text of European form',
    {
      prices: prices('123659', 'EUR', 2, {
        currency_decimal_separator: ',',
        currency_thousand_separator: '.',
      }),
      price_html: '1.236,59&nbsp;&euro;',
    },
    [1236.59, 'EUR'],
  ],
  [
    'a text with another amount',
    { prices: prices('3659', 'USD', 2), price_html: '$36,590.00' },
    null,
  ],
  [
    'a text without tax',
    { prices: prices('3659', 'EUR', 2), price_html: '€36.59 <small>excl. VAT</small>' },
    null,
  ],
  [
    'a text with tax',
    { prices: prices('3659', 'EUR', 2), price_html: '€36.59 <small>incl. VAT</small>' },
    [36.59, 'EUR'],
  ],
];

for (const [name, facts, expected] of AMOUNTS) {
  test(`an amount in ${name} is ${String(expected)}`, () => {
    const { price } = listingIn(read([product(facts)]));
    assert.deepEqual(price === null ? null : [amountOf(price), price.currency], expected);
  });
}

test('the former price, the rating and the number in stock are read', () => {
  const listing = listingIn(
    read([
      product({
        prices: prices('3659', 'USD', 2, { regular_price: '4200' }),
        average_rating: '4.70',
        review_count: 12,
        low_stock_remaining: 3,
        brands: [{ name: 'Cobble &amp; Sons' }],
      }),
    ]),
  );
  assert.equal(listing.listPrice?.cents, 4_200);
  assert.deepEqual([listing.rating, listing.reviewCount], [4.7, 12]);
  assert.equal(listing.offers[0]?.quantityAvailable, 3);
  assert.equal(listing.brand, 'Cobble & Sons');
  assert.deepEqual([listing.itemId, listing.gtin], ['34', null]);
});

for (const [facts, inStock, left] of [
  [{ is_in_stock: true, low_stock_remaining: null }, true, undefined],
  [{ is_in_stock: false, low_stock_remaining: 4 }, false, undefined],
  [{ is_in_stock: true, is_on_backorder: true, low_stock_remaining: 2 }, false, undefined],
  [{ is_in_stock: 'yes' }, null, undefined],
  [{ is_in_stock: true, low_stock_remaining: 0 }, true, undefined],
] as const) {
  test(`stock of ${JSON.stringify(facts)} is ${String(inStock)}`, () => {
    const listing = listingIn(read([product({ prices: prices('3659', 'USD', 2), ...facts })]));
    assert.deepEqual([listing.inStock, listing.offers[0]?.quantityAvailable], [inStock, left]);
  });
}

test('a product of the same name with or without www is that of the address', () => {
  const answer = product({
    permalink: 'https://www.shop.example/product/kettle',
    prices: prices('3659', 'USD', 2),
  });
  assert.equal(read([answer]).kind, 'read');
});

test('an answer about another address, or of no product, is none', () => {
  const other = product({ permalink: `${SHOP}/product/other/`, prices: prices('1', 'USD', 2) });
  for (const answer of [[], [other], {}, { code: 'x' }, [null], 'kettle']) {
    assert.equal(read(answer).kind, 'not_a_product', JSON.stringify(answer));
  }
});

const SIZES = [
  { id: 35, attributes: [{ name: 'Size', value: '1.5 L' }] },
  { id: 36, attributes: [{ name: 'Size', value: '2 L' }] },
];
const RANGE = { min_amount: '3659', max_amount: '4200' };

const variable = (more: Facts = {}): Facts =>
  product({
    type: 'variable',
    variations: SIZES,
    prices: prices('3659', 'USD', 2, { price_range: RANGE }),
    ...more,
  });

for (const [name, answer, asked, chosenBefore, expected] of [
  ['named by the address', variable(), '/product/kettle/?attribute_size=2+L', null, '/36'],
  ['chosen before', variable(), '/product/kettle/', '36', '/36'],
  [
    'that the page selects',
    variable({
      attributes: [{ name: 'Size', terms: [{ slug: '1.5 L', default: true }, { slug: '2 L' }] }],
    }),
    '/product/kettle/',
    null,
    '/35',
  ],
  ['that does not exist', variable(), '/product/kettle/?attribute_size=9+L', null, 'unreadable'],
  ['that nothing names', variable(), '/product/kettle/', null, 'unreadable'],
  [
    'at the price of all',
    variable({ prices: prices('3659', 'USD', 2) }),
    '/product/kettle/',
    null,
    'read',
  ],
] as const) {
  test(`a variation ${name} leads to ${expected}`, () => {
    const more = chosenBefore === null ? {} : { chosenBefore: { id: chosenBefore } };
    const verdict = read([answer], asked, more);
    const found =
      verdict.kind === 'follow' ? new URL(verdict.request.url).pathname.slice(-3) : verdict.kind;
    assert.equal(found, expected);
  });
}

test('a variation states its own price, and the number of its product', () => {
  const variation = product({
    id: 36,
    parent: 34,
    type: 'variation',
    permalink: `${SHOP}/product/kettle/?attribute_size=2+L`,
    prices: prices('4200', 'USD', 2),
  });
  const listing = listingIn(read(variation, '/product/kettle/?attribute_size=2+L'));
  assert.deepEqual([listing.itemId, listing.variantId, listing.price?.cents], ['34', '36', 4_200]);
  assert.equal(listing.url, `${SHOP}/product/kettle/`);
  assert.equal(read(variation, '/product/kettle/?attribute_size=1.5+L').kind, 'not_a_product');
});
