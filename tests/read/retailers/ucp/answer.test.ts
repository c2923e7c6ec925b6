import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { UnknownWords } from '../../../../src/base/listing/vocabularies/unknown-words.ts';
import { readUcpJson, ucpHandles } from '../../../../src/read/retailers/ucp/answer.ts';
import { pageOf } from '../page-fixtures.ts';

const ADDRESS = 'https://shop.example/products/kettle';
const JSON_TYPE = { 'content-type': 'application/json' };

const VARIANT = {
  id: 'gid://shopify/ProductVariant/2',
  sku: 'K-15',
  title: '1.5 L',
  price: { amount: 3659, currency: 'USD' },
  availability: { available: true },
  options: [{ name: 'Size', label: '1.5 L' }],
};
/** The documented example of a shop's answer, with made-up goods. */
const PRODUCT = {
  id: 'gid://shopify/Product/1',
  handle: 'kettle',
  title: 'Kettle',
  description: { html: '<p>Stone &amp; ware.</p>' },
  url: ADDRESS,
  price_range: {
    min: { amount: 3659, currency: 'USD' },
    max: { amount: 3659, currency: 'USD' },
  },
  categories: [
    { value: 'gid://shopify/TaxonomyCategory/hg-1', taxonomy: 'shopify' },
    { value: 'Kitchen > Kettles', taxonomy: 'merchant' },
  ],
  media: [{ type: 'image', url: 'https://cdn.example/kettle.jpg' }],
  rating: { value: 4.5, scale_max: 5, count: 128 },
  variants: [VARIANT],
};
const UCP = { version: '2026-04-08' };

const mcp = (content: object) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { structuredContent: { ucp: UCP, ...content } },
});

function verdictOf(body: unknown, url = ADDRESS) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const page = pageOf(text, { url: 'https://shop.example/api/ucp/mcp', headers: JSON_TYPE });
  return readUcpJson({ ...page, insteadOf: url }, new UnknownWords());
}

function listingOf(body: unknown, url = ADDRESS): Listing {
  const verdict = verdictOf(body, url);
  if (verdict?.kind !== 'read') throw new Error(JSON.stringify(verdict));
  return verdict.value;
}

/** The product with one variant, changed. */
const productWith = (variant: object, product: object = {}) =>
  mcp({
    product: {
      ...PRODUCT,
      price_range: undefined,
      ...product,
      variants: [{ ...VARIANT, ...variant }],
    },
  });

describe("what an answer of a shop's catalogue means for the doors", () => {
  const error = (code: number, data: object = {}, message = '') => ({
    jsonrpc: '2.0',
    id: 1,
    error: { code, message, data },
  });
  const saying = (code: string) => ({
    ucp: { ...UCP, status: 'error' },
    messages: [{ type: 'error', code, content: 'x' }],
  });
  const rows: readonly (readonly [what: string, body: unknown, kind: string, seconds?: number])[] =
    [
      ['-32001', error(-32_001, { code: 'profile_unreachable' }), 'not_a_product'],
      ['-32000: no rights', error(-32_000, {}, 'Unauthorized'), 'not_a_product'],
      ['-32000: too many', error(-32_000, { retry_after: 30 }, 'Slow down'), 'blocked', 30],
      ['-32000: too many, without a time', error(-32_000, {}, 'Rate limit exceeded'), 'blocked'],
      ['-32600', error(-32_600, {}, 'Invalid request'), 'not_a_product'],
      ['-32601', error(-32_601, {}, 'Method not found'), 'not_a_product'],
      ['-32602', error(-32_602, {}, 'Tool not found'), 'not_a_product'],
      ['-32603', error(-32_603, {}, 'Internal error'), 'retry'],
      ['no common capabilities', saying('capabilities_incompatible'), 'not_a_product'],
      ['no such product', saying('not_found'), 'not_found'],
      ['no such product over MCP', mcp({ messages: [{ code: 'not_found' }] }), 'not_found'],
      ['another message', saying('quota'), 'retry'],
      ['no products', mcp({ products: [], messages: [{ code: 'not_found' }] }), 'not_found'],
      ['JSON of something else', { hello: 1 }, 'none'],
      ['an error of something else', { error: { message: 'x' } }, 'none'],
      ['broken JSON', '{"jsonrpc":', 'none'],
      ['an empty answer', '', 'none'],
      ['JSON that is nested too deep', '['.repeat(9999), 'none'],
    ];
  for (const [what, body, kind, seconds] of rows) {
    test(`${what}: ${kind}`, () => {
      const verdict = verdictOf(body);
      assert.equal(verdict?.kind ?? 'none', kind, JSON.stringify(verdict));
      const wait =
        verdict !== null && 'retryAfterSeconds' in verdict ? verdict.retryAfterSeconds : undefined;
      assert.equal(wait, seconds);
    });
  }
});

describe("a product of a shop's catalogue", () => {
  test('states what the documented example states', () => {
    const listing = listingOf(mcp({ product: PRODUCT }));
    const { itemId, variantId, title, url, sku, price, inStock, unavailable, categories, gtin } =
      listing;
    assert.deepEqual(
      { itemId, variantId, title, url, sku, price, inStock, unavailable, categories, gtin },
      {
        itemId: '1',
        variantId: '2',
        title: 'Kettle',
        url: ADDRESS,
        sku: 'K-15',
        price: { cents: 3659, currency: 'USD' },
        inStock: true,
        unavailable: false,
        categories: ['Kitchen', 'Kettles'],
        gtin: null,
      },
    );
    const { description, imageUrl, rating, reviewCount, listPrice } = listing;
    assert.deepEqual(
      { description, imageUrl, rating, reviewCount, listPrice },
      {
        description: 'Stone & ware.',
        imageUrl: 'https://cdn.example/kettle.jpg',
        rating: 4.5,
        reviewCount: 128,
        listPrice: null,
      },
    );
  });

  test('reads the same over REST, and from the text of a tool', () => {
    const content = { ucp: UCP, product: PRODUCT };
    const text = {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: JSON.stringify(content) }] },
    };
    assert.deepEqual(listingOf(content), listingOf(mcp({ product: PRODUCT })));
    assert.deepEqual(listingOf(text), listingOf(content));
  });

  const amounts: readonly (readonly [object, unknown])[] = [
    [
      { amount: 1980, currency: 'JPY' },
      { cents: 1980, currency: 'JPY' },
    ],
    [
      { amount: 12_345, currency: 'KWD' },
      { cents: 12_345, currency: 'KWD' },
    ],
    [
      { amount: 12_300, currency: 'KWD' },
      { cents: 12_300, currency: 'KWD' },
    ],
    [
      { amount: 5, currency: 'USD' },
      { cents: 5, currency: 'USD' },
    ],
    [
      { amount: 199_000, currency: 'HUF' },
      { cents: 199_000, currency: 'HUF' },
    ],
    [{ amount: 0, currency: 'USD' }, null],
    [{ amount: 36.59, currency: 'USD' }, null],
    [{ amount: '3659', currency: 'USD' }, null],
    [{ amount: -5, currency: 'USD' }, null],
    [{ amount: 3659 }, null],
    [{ amount: 3659, currency: 'XYZ' }, null],
  ];
  for (const [price, expected] of amounts) {
    test(`${JSON.stringify(price)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(listingOf(productWith({ price })).price, expected);
    });
  }

  test('has a list price above its price in the same currency only; zero means none', () => {
    const list = (amount: number, currency = 'USD') =>
      listingOf(productWith({ list_price: { amount, currency } })).listPrice;
    assert.deepEqual(list(4200), { cents: 4200, currency: 'USD' });
    assert.equal(list(0), null);
    assert.equal(list(3000), null);
    assert.equal(list(4200, 'EUR'), null);
  });

  const stocks: readonly (readonly [object | undefined, boolean | null, boolean | null])[] = [
    [{ available: true }, true, false],
    [{ available: false }, false, false],
    [{ available: true, status: 'in_stock' }, true, false],
    [{ available: true, status: 'low_stock' }, true, false],
    [{ available: true, status: 'backorder' }, false, false],
    [{ available: true, status: 'preorder' }, false, false],
    [{ available: false, status: 'out_of_stock' }, false, false],
    [{ available: false, status: 'discontinued' }, false, true],
    [{ available: false, status: 'in_stock' }, false, false],
    [{ status: 'out_of_stock' }, false, false],
    [{}, null, null],
    [undefined, null, null],
  ];
  for (const [availability, inStock, unavailable] of stocks) {
    test(`${JSON.stringify(availability)} is in stock: ${inStock}, unavailable: ${unavailable}`, () => {
      const listing = listingOf(productWith({ availability }));
      assert.deepEqual([listing.inStock, listing.unavailable], [inStock, unavailable]);
    });
  }

  test('has the barcode of its variant, unless that states several', () => {
    const gtin = (...values: readonly string[]) =>
      listingOf(productWith({ barcodes: values.map((value) => ({ type: 'GTIN', value })) })).gtin;
    assert.equal(gtin('4006381333931'), '04006381333931');
    assert.equal(gtin('04006381333931', '4006381333931'), '04006381333931');
    assert.equal(gtin('4006381333931', '036000291452'), null);
    assert.equal(gtin('4006381333930'), null);
  });

  const small = {
    ...VARIANT,
    id: 'gid://shopify/ProductVariant/3',
    sku: 'K-08',
    options: [{ name: 'Size', label: '0.8 L' }],
    price: { amount: 2000, currency: 'USD' },
  };
  const options = [{ name: 'Size', values: [{ label: '1.5 L' }, { label: '0.8 L' }] }];
  const price_range = { min: small.price, max: VARIANT.price };

  const found = (product: object) => mcp({ products: [product] });

  test('is of the first variant if it was asked for by an identifier', () => {
    const both = mcp({ product: { ...PRODUCT, options, price_range, variants: [VARIANT, small] } });
    assert.equal(listingOf(both).variantId, '2');
    assert.equal(listingOf(both, `${ADDRESS}?variant=3`).variantId, '2');
  });

  test('has the cheapest variant in stock if all are listed and the address names none', () => {
    const both = { ...PRODUCT, options, price_range, variants: [VARIANT, small] };
    assert.equal(listingOf(found(both)).variantId, '3');
    const soldOut = { ...small, availability: { available: false } };
    assert.equal(listingOf(found({ ...both, variants: [VARIANT, soldOut] })).variantId, '2');
    assert.equal(listingOf(found(both), `${ADDRESS}?Size=1.5+L`).variantId, '2');
  });

  test('is not read from a part of its variants unless the address names one of these', () => {
    for (const range of [price_range, undefined]) {
      const part = found({ ...PRODUCT, options, price_range: range, variants: [VARIANT] });
      assert.equal(verdictOf(part)?.kind, 'unreadable');
      assert.equal(verdictOf(part, `${ADDRESS}?variant=3`)?.kind, 'unreadable');
      assert.equal(listingOf(part, `${ADDRESS}?variant=2`).price?.cents, 3659);
    }
    const unstated = found({ ...PRODUCT, price_range, variants: [VARIANT] });
    assert.equal(verdictOf(unstated)?.kind, 'unreadable');
  });

  test('is taken from a lookup if it is the only one of the address', () => {
    const other = { ...PRODUCT, id: 'x', handle: 'pan', url: 'https://shop.example/products/pan' };
    assert.equal(listingOf(mcp({ products: [other, PRODUCT] })).itemId, '1');
    assert.equal(verdictOf(mcp({ products: [other] }))?.kind, 'not_found');
    assert.equal(
      verdictOf(mcp({ products: [PRODUCT, { ...PRODUCT, id: 'y' }] }))?.kind,
      'not_found',
    );
    assert.equal(listingOf(mcp({ products: [{ ...PRODUCT, url: undefined }] })).itemId, '1');
  });

  test('survives any value in place of any other', () => {
    const junk: readonly unknown[] = [null, 1, '', 'x'.repeat(9999), [], {}, [[]], true];
    const spoil = (value: unknown, into: unknown): unknown[] => {
      if (typeof value !== 'object' || value === null) return [into];
      const entries = Object.entries(value);
      return [
        into,
        ...entries.flatMap(([name, inner]) =>
          spoil(inner, into).map((changed) =>
            Array.isArray(value)
              ? value.map((each, at) => (String(at) === name ? changed : each))
              : { ...value, [name]: changed },
          ),
        ),
      ];
    };
    for (const into of junk) {
      for (const body of spoil(mcp({ product: PRODUCT }), into)) verdictOf(body);
    }
  });
});

test('hits of a search are the names of its products', () => {
  const body = mcp({ products: [PRODUCT, { ...PRODUCT, handle: '../x' }, { title: 'x' }, 7] });
  assert.deepEqual(ucpHandles(pageOf(JSON.stringify(body), { headers: JSON_TYPE })), ['kettle']);
  const error = { jsonrpc: '2.0', id: 1, error: { code: -32_602 } };
  const limit = { jsonrpc: '2.0', error: { code: -32_000, message: 'Rate limit exceeded' } };
  assert.equal(ucpHandles(pageOf(JSON.stringify(limit))), 'refused');
  for (const other of ['<html></html>', JSON.stringify(error), '', ' '.repeat(2_000_000)]) {
    assert.equal(ucpHandles(pageOf(other)), null);
  }
});
