// The address names a variant: by the option names and values, numbers and path parts of several shop systems, whatever the
// page states its variants in. An address that contradicts itself leaves no price.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { readStoreJson } from '../../../src/read/retailers/hosted-store.ts';
import { html, ld, pageOf } from '../retailers/page-fixtures.ts';

const SHOP = 'https://shop.example/p/pine-stool';

const offer = (price: number, more: object = {}) => ({
  '@type': 'Offer',
  price,
  priceCurrency: 'EUR',
  availability: 'InStock',
  ...more,
});

const variant = (name: string, price: number, more: object = {}) => ({
  '@type': 'Product',
  name: `Pine Stool - ${name}`,
  offers: offer(price),
  ...more,
});

const group = (...variants: readonly object[]) =>
  ld({
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name: 'Pine Stool',
    hasVariant: variants,
  });

/** Returns the price at the address: null for none. */
function priceAt(tail: string, head: string, body = ''): string | null {
  const page = html(head, `<h1>Pine Stool</h1>${body}<button>Add to cart</button>`, 'Pine Stool');
  const verdict = readGenericPage(pageOf(page, { url: SHOP + tail }), new UnknownWords());
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  if (verdict.kind !== 'read' || verdict.value.price === null) return null;
  return decimalText(verdict.value.price);
}

type Row = readonly [tail: string, price: string | null];

const COLORS = group(
  variant('Red', 70, { color: 'Red', sku: 'PS-R' }),
  variant('Navy Blue', 50, { color: 'Navy Blue', sku: 'PS-N' }),
);
const BOTH = group(
  variant('Red S', 30, { color: 'Red', size: 'S', sku: 'A-1' }),
  variant('Red L', 40, { color: 'Red', size: 'L', sku: 'A-2' }),
  variant('Blue S', 20, { color: 'Blue', size: 'S', sku: 'A-3' }),
  variant('Blue L', 25, { color: 'Blue', size: 'L', sku: 'A-4' }),
);
const GERMAN = group(
  variant('Grün', 70, { color: 'Grün' }),
  variant('Weiß', 50, { color: 'Weiß' }),
);
const WATTS = group(
  ...[60, 40].map((watts) =>
    variant(`No. ${String(watts)}`, watts, {
      additionalProperty: {
        '@type': 'PropertyValue',
        name: 'Wattage',
        value: `${String(watts)} W`,
      },
    }),
  ),
);
const OFFERS = ld({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Pine Stool',
  offers: [
    offer(60, { name: 'Oak / M', url: `${SHOP}?variant=11` }),
    offer(55, { name: 'Ash / M', url: `${SHOP}?variant=12` }),
    offer(50, { name: 'Ash / L', url: `${SHOP}?variant=13` }),
  ],
});

const DATA: readonly (readonly [string, string, readonly Row[]])[] = [
  [
    'a value in every spelling',
    COLORS,
    [
      ['?color=RED', '70.00'],
      ['?colour=navy-blue', '50.00'],
      ['?color=Navy+Blue', '50.00'],
      ['?color=navy_blue&utm_source=mail', '50.00'],
    ],
  ],
  [
    'the option in the spelling of a shop system',
    COLORS,
    [
      ['?attribute_pa_color=red', '70.00'],
      ['?selectedColor=red', '70.00'],
      ['?dwvar_7781_color=Red', '70.00'],
      ['?options%5BColor%5D=Red', '70.00'],
      ['?variant=red', '70.00'],
      ['?sku=ps-r', '70.00'],
    ],
  ],
  [
    'the fragment and the path',
    COLORS,
    [
      ['#color=red', '70.00'],
      ['#/12-colour-red', '70.00'],
      ['#/12-couleur-red', '70.00'],
      ['#red', '70.00'],
      ['/PS-R', '70.00'],
      ['/color-red.html', '70.00'],
    ],
  ],
  [
    'other languages and accents',
    GERMAN,
    [
      ['?farbe=gruen', '70.00'],
      ['?Farbe=Gr%C3%BCn', '70.00'],
      ['?couleur=grun', '70.00'],
      ['?attribute_pa_farbe=weiss', '50.00'],
    ],
  ],
  [
    'several options, of which one may be named',
    BOTH,
    [
      ['?size=L&color=blue', '25.00'],
      ['#/3-size-l/4-color-red', '40.00'],
      ['?color=red', '30.00'],
    ],
  ],
  ['any other property', WATTS, [['?wattage=60-w', '60.00']]],
  [
    'the labels of offers',
    OFFERS,
    [
      ['?material=ash&size=L', '50.00'],
      ['?material=Oak', '60.00'],
      ['?variant=12', '55.00'],
    ],
  ],
  [
    'what is not an option of the variants is ignored',
    COLORS,
    [
      ['?ref=red&utm_content=red', '50.00'],
      ['#reviews', '50.00'],
      ['?page=2', '50.00'],
    ],
  ],
  [
    'contradictions and unlisted values leave no price',
    COLORS,
    [
      ['?color=red&color=navy-blue', null],
      ['?color=red&sku=PS-N', null],
      ['?color=green', null],
    ],
  ],
  [
    'values of one price are not a contradiction',
    group(variant('Red', 50, { color: 'Red' }), variant('Blue', 50, { color: 'Blue' })),
    [['?color=green', '50.00']],
  ],
];

describe('structured data is read for the variant that the address names', () => {
  for (const [name, head, rows] of DATA) {
    test(name, () => {
      for (const [tail, price] of rows) assert.equal(priceAt(tail, head), price, tail);
    });
  }
});

const RANGE = ld({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Pine Stool',
  sku: 'PS',
  offers: { '@type': 'AggregateOffer', lowPrice: 20, highPrice: 90, priceCurrency: 'EUR' },
});

const variation = (attributes: object, price: number, id: number) => ({
  attributes,
  display_price: price,
  display_regular_price: price + 5,
  is_in_stock: price !== 45,
  variation_id: id,
  sku: `W-${String(id)}`,
  price_html: '<b class="price">&#36;1 &quot;only&quot;</b>',
});

const form = (...variations: readonly object[]): string => {
  const text = JSON.stringify(variations).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<form data-product_variations="${text}"></form>`;
};

const FORM = form(
  variation({ attribute_pa_farbe: 'rot', attribute_laenge: '1.5 m' }, 20, 1),
  variation({ attribute_pa_farbe: 'rot', attribute_laenge: '15 m' }, 90, 2),
  variation({ attribute_pa_farbe: '', attribute_laenge: '3 m' }, 45, 3),
);

const VARIATIONS: readonly Row[] = [
  ['?attribute_laenge=15+m', '90.00'],
  ['?attribute_laenge=1-5-m', '20.00'],
  ['?attribute_pa_farbe=blau&attribute_laenge=3-m', '45.00'],
  ['?color=rot&laenge=15m', '90.00'],
  ['?variation_id=2', '90.00'],
  ['?sku=w-2', '90.00'],
  ['?attribute_laenge=4-m', null],
  ['?attribute_laenge=15-m&variation_id=1', null],
  ['', '20.00'],
];

describe('a form of variations is read for the variant that the address names', () => {
  for (const [tail, price] of VARIATIONS) {
    test(`${tail || 'no parameter'}: ${price ?? 'no price'}`, () => {
      assert.equal(priceAt(tail, RANGE, FORM), price);
    });
  }

  test('stock, number and former price are those of the variation', () => {
    const page = html(RANGE, `<h1>Pine Stool</h1>${FORM}`, 'Pine Stool');
    const url = `${SHOP}?variation_id=3`;
    const verdict = readGenericPage(pageOf(page, { url }), new UnknownWords());
    assert.equal(verdict.kind, 'read');
    if (verdict.kind !== 'read') return;
    const { sku, inStock, listPrice, price } = verdict.value;
    assert.deepEqual([sku, inStock, price?.currency], ['W-3', false, 'EUR']);
    assert.equal(listPrice === null ? null : decimalText(listPrice), '50.00');
  });

  test('two forms with different variations belong to two products, so neither counts', () => {
    const two = FORM + form(variation({ attribute_laenge: '15 m' }, 70, 2));
    assert.equal(priceAt('?attribute_laenge=15+m', RANGE, two), '20.00');
    assert.equal(priceAt('?attribute_laenge=15+m', RANGE, FORM + FORM), '90.00');
  });
});

const STORE = {
  id: 5,
  title: 'Pine Stool',
  body_html: '',
  options: [{ name: 'Farbe' }, { name: 'Size' }],
  variants: [
    { id: 11, title: 'Rot / S', option1: 'Rot', option2: 'S', sku: 'P1', price: '50.00' },
    { id: 12, title: 'Blau / S', option1: 'Blau', option2: 'S', sku: 'P2', price: '40.00' },
    { id: 13, title: 'Blau / L', option1: 'Blau', option2: 'L', sku: 'P3', price: '65.00' },
  ].map((one) => ({ ...one, price_currency: 'EUR', available: one.id !== 12 })),
};

const STORE_ROWS: readonly Row[] = [
  ['?variant=12', '40.00'],
  ['?Farbe=Blau&Size=L', '65.00'],
  ['?color=rot', '50.00'],
  ['?sku=P3', '65.00'],
  ['?color=rot&size=L', null],
  ['?variant=99', '50.00'],
  ['', '50.00'],
];

describe('the JSON of a store is read for the variant that the address names', () => {
  for (const [tail, price] of STORE_ROWS) {
    test(`${tail || 'no parameter'}: ${price ?? 'no price'}`, () => {
      const url = `https://shop.example/products/pine-stool.json${tail}`;
      const body = JSON.stringify({ product: STORE });
      const verdict = readStoreJson(pageOf(body, { url, headers: {} }));
      assert.equal(verdict?.kind, 'read');
      if (verdict?.kind !== 'read') return;
      const { price: read } = verdict.value;
      assert.equal(read === null ? null : decimalText(read), price);
    });
  }
});
