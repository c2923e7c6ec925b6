// Price, barcode and seller that only the embedded state of a page has: assigned to any name, streamed, flattened, in attributes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Listing } from '../../../src/base/listing/listing.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { unflattened } from '../../../src/read/page-data/json/embedded-states.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, shown, textOf } from './shown-page.ts';

const EAN = '4006381333931';
const OTHER_EAN = '5901234123457';

function priceWith(state: string): string | null {
  const verdict = shown(state);
  return verdict.kind === 'read' ? textOf(verdict.value.price) : null;
}

/** Returns the listing of a page whose structured data has the price and neither a barcode nor a seller. */
function listingWith(state: string, { url = '', changes = {} } = {}): Listing {
  const data = ld(mug({ gtin13: undefined, offers: offer({}), ...changes }));
  const page = html(data, `<h1>Blue Mug</h1>${BUY}${state}`);
  const verdict = readGenericPage(
    pageOf(page, { url: `https://shop.example/p/blue-mug${url}` }),
    new UnknownWords(),
  );
  assert.equal(verdict.kind, 'read');
  return verdict.value;
}

const script = (text: string): string => `<script>${text}</script>`;
const json = (state: unknown, attributes = 'type="application/json"'): string =>
  `<script ${attributes}>${JSON.stringify(state)}</script>`;
const quoted = (state: unknown): string => JSON.stringify(JSON.stringify(state));
const escaped = (state: unknown): string => JSON.stringify(state).replaceAll('"', '&quot;');

const MUG = { name: 'Blue Mug', price: '12.50', currency: 'EUR' };
const STATE = { page: { product: MUG, related: [{ name: 'Red Mug', price: '9.50' }] } };

const PLACES: readonly (readonly [string, string])[] = [
  ['assigned to a name of the shop', script(`window.__SHOP_STATE__ = ${JSON.stringify(STATE)};`)],
  ['assigned by a text as the name', script(`window["app-data"]=${JSON.stringify(STATE)}`)],
  [
    'assigned to a variable as a literal',
    script(`var pdp = {name: 'Blue Mug', price: '12.50', currency: 'EUR'};`),
  ],
  ['assigned as quoted JSON', script(`window.__STATE__ = JSON.parse(${quoted(STATE)});`)],
  ['in an attribute in single quotes', `<div data-product='${JSON.stringify(MUG)}'></div>`],
  ['in an attribute with entities', `<div id="app" data-page="${escaped(STATE)}"></div>`],
  ['in an attribute as a list', `<view-product :items="${escaped([MUG])}"></view-product>`],
  [
    'in a script that starts components',
    json({ '*': { viewer: STATE } }, 'type="text/x-magento-init"'),
  ],
  [
    'streamed in pieces',
    script(
      `self.__next_f.push([1,"4:[\\"$\\",\\"div\\",null,{\\"product\\":{\\"name\\":\\"Blue "])`,
    ) +
      script(
        `self.__next_f.push([1,"Mug\\",\\"price\\":\\"12.50\\",\\"currency\\":\\"EUR\\"}}]\\n"])`,
      ),
  ],
  [
    'flattened',
    json(
      [
        ['Reactive', 1],
        { product: 2 },
        { name: 3, price: 4, currency: 5 },
        'Blue Mug',
        12.5,
        'EUR',
      ],
      'type="application/json" id="__NUXT_DATA__"',
    ),
  ],
];

describe('the price of the page’s product is read from its embedded state', () => {
  for (const [place, state] of PLACES)
    test(place, () => assert.equal(priceWith(state), '12.50 EUR'));

  const shapes: readonly (readonly [string, object])[] = [
    [
      'both ends of a range',
      {
        priceRange: {
          minVariantPrice: { amount: '12.5', currencyCode: 'EUR' },
          maxVariantPrice: { amount: '12.5', currencyCode: 'EUR' },
        },
      },
    ],
    [
      'each variant',
      {
        currency: 'EUR',
        variants: [
          { title: 'S', price: '12.50' },
          { title: 'L', price: '12.50' },
        ],
      },
    ],
    ['as written for buyers', { prices: { current: { value: 1250, formatted: '€12.50' } } }],
    [
      'beside the product’s name',
      { productInfo: { productName: 'Blue Mug' }, price: { basePrice: '12.50', currency: 'EUR' } },
    ],
  ];
  for (const [shape, fields] of shapes) {
    test(shape, () => {
      const product = 'productInfo' in fields ? fields : { name: 'Blue Mug', ...fields };
      assert.equal(priceWith(json({ product })), '12.50 EUR');
    });
  }

  test('but not where it is that of one of several variants, or of other goods', () => {
    const variants = [
      { title: 'S', price: '12.50' },
      { title: 'L', price: '14.50' },
    ];
    assert.equal(priceWith(json({ name: 'Blue Mug', currency: 'EUR', variants })), null);
    const priceRange = { minVariantPrice: { amount: '12.5' }, maxVariantPrice: { amount: '14.5' } };
    assert.equal(priceWith(json({ name: 'Blue Mug', priceRange })), null);
    assert.equal(priceWith(`<div data-product='{"name":"Red Mug","price":"9.50"}'></div>`), null);
    assert.equal(
      priceWith(
        script(
          `window.a = {"name":"Blue Mug","price":"12.50"}; window.b = {"name":"Blue Mug","price":"11.50"}`,
        ),
      ),
      null,
    );
  });
});

describe('the barcode and the seller of the page’s product are read from its embedded state', () => {
  const named = { name: 'Blue Mug', ean: EAN, seller: { name: 'Acme Ltd' } };
  const places: readonly (readonly [string, string])[] = [
    ['a script of its own', json({ product: named })],
    ['an assigned object', script(`window.__STATE__ = ${JSON.stringify({ product: named })}`)],
    ['a data layer', script(`dataLayer.push({product: ${JSON.stringify(named)}})`)],
    ['an attribute', `<div data-props="${escaped(named)}"></div>`],
    ['other names', json({ title: 'Blue Mug', gtins: [`0${EAN}`], soldBy: 'Acme Ltd' })],
    [
      'a barcode of each part that is the same',
      json({ ...named, variants: [{ title: 'S', barcode: EAN }] }),
    ],
    [
      'barcodes and sellers of other goods',
      json([named, { name: 'Red Mug', ean: OTHER_EAN, seller: 'Zed' }]),
    ],
  ];
  for (const [place, state] of places) {
    test(place, () => {
      const { gtin, sellerName } = listingWith(state);
      assert.deepEqual([gtin, sellerName], [`0${EAN}`, 'Acme Ltd']);
    });
  }

  const doubtful: readonly (readonly [string, string])[] = [
    ['other goods', json({ name: 'Red Mug', ean: EAN, seller: 'Acme Ltd' })],
    [
      'several variants',
      json({ name: 'Blue Mug', ean: EAN, variants: [{ title: 'L', ean: OTHER_EAN }] }),
    ],
    [
      'two objects with the name',
      json([named, { name: 'Blue Mug', ean: OTHER_EAN, seller: 'Zed' }]),
    ],
    ['a wrong check digit', json({ name: 'Blue Mug', ean: '4006381333932' })],
    ['a number in place of a seller', json({ name: 'Blue Mug', seller: 4711 })],
  ];
  for (const [why, state] of doubtful) {
    test(`none: ${why}`, () => {
      const { gtin, sellerName } = listingWith(state);
      assert.deepEqual([gtin, sellerName], [null, null]);
    });
  }

  test('what the structured data states or leaves open counts first', () => {
    const state = json({ product: named });
    assert.equal(listingWith(state, { changes: { gtin13: OTHER_EAN } }).gtin, `0${OTHER_EAN}`);
    const variants = [EAN, OTHER_EAN].map((gtin13, index) => offer({ gtin13, sku: `M-${index}` }));
    assert.equal(listingWith(state, { changes: { offers: variants } }).gtin, null);
  });
});

test('a flat list is put together again, and any other value stays', () => {
  const flat = [{ a: 1, b: 2 }, ['Ref', 3], [3, 4], 'x', { self: 0 }];
  const root = unflattened(flat) as { a: unknown; b: readonly [unknown, { self: unknown }] };
  assert.deepEqual(root.a, ['x']);
  assert.equal(root.b[0], 'x');
  assert.equal(root.b[1].self, root);
  for (const value of [null, 'text', [], [{ name: 'Mug' }], { a: 1 }])
    assert.equal(unflattened(value), value);
});
