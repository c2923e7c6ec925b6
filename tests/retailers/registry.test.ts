import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../src/listing/page.ts';
import { readProductPage } from '../../src/retailers/registry.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { CHOICE_CASES, CONFLICT_CASES, JSON_LD_CASES } from './generic-cases.ts';
import { BROKEN_CASES, MARKUP_CASES, OTHER_CASES } from './generic-markup-cases.ts';
import { ld, MUG, pageOf } from './page-fixtures.ts';

const STORE = JSON.stringify({
  product: { id: 1, title: 'Blue Mug', body_html: '', variants: [{ id: 2, price: '3.00' }] },
});

test('JSON of a hosted store, with and without a content type', () => {
  for (const type of ['application/json', '', 'text/html']) {
    const verdict = readProductPage(pageOf(STORE, { headers: { 'content-type': type } }));
    assert.equal(verdict.kind, 'read', type);
    if (verdict.kind === 'read') assert.equal(verdict.value.itemId, '1');
  }
});

test('a JSON body that is a schema.org product', () => {
  const headers = { 'content-type': 'application/ld+json' };
  const verdict = readProductPage(pageOf(JSON.stringify(MUG), { headers }));
  assert.equal(verdict.kind, 'read');
});

test('a slug without a reader of its own is read as any shop', () => {
  assert.equal(readProductPage(pageOf(ld(MUG)), 'someshop').kind, 'read');
});

test('text around a product changes neither its price nor its barcode', () => {
  const verdict = readProductPage(pageOf(`${'x'.repeat(3_000_000)}${ld(MUG)}`));
  assert.equal(verdict.kind, 'read');
  if (verdict.kind !== 'read') return;
  assert.deepEqual(verdict.value.price, { cents: 1250, currency: 'USD' });
});

function countOf(product: object, slug?: string): number | null {
  const verdict = readProductPage(pageOf(ld({ ...MUG, ...product })), slug);
  assert.equal(verdict.kind, 'read');
  return verdict.kind === 'read' ? verdict.value.packCount : null;
}

test('the pack count is that of the field, else that of the title, with every reader', () => {
  const quantity = [{ '@type': 'PropertyValue', name: 'Package Quantity', value: '6' }];
  for (const slug of [undefined, 'someshop']) {
    assert.equal(countOf({ name: 'Blue Mug (Pack of 4)' }, slug), 4);
    assert.equal(countOf({ name: 'Blue Mug (Pack of 4)', additionalProperty: quantity }, slug), 6);
    assert.equal(countOf({ additionalProperty: quantity }, slug), 6);
    assert.equal(countOf({}, slug), null);
  }
});

test('dangerous goods are what the page declares, never what it does not say', () => {
  const hazmatOf = (product: object) => {
    const verdict = readProductPage(pageOf(ld({ ...MUG, ...product })));
    return verdict.kind === 'read' ? verdict.value.hazmat : undefined;
  };
  const word = 'https://schema.org/DangerousGoodConsideration';
  assert.equal(hazmatOf({ hasAdultConsideration: word }), true);
  assert.equal(
    hazmatOf({ hasAdultConsideration: ['AlcoholConsideration', { '@id': word }] }),
    true,
  );
  assert.equal(hazmatOf({ hasAdultConsideration: 'AlcoholConsideration' }), null);
  assert.equal(hazmatOf({ name: 'Lithium Battery Flammable Spray' }), null);
});

/** Texts that a strict parser must accept, may accept or must refuse: none may stop a reader. */
const JSON_TEXTS: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-0',
  '-',
  '-1.5e+9',
  '1e309',
  '1e-400',
  '.5',
  '1.',
  '01',
  '0x1',
  '1_000',
  '+1',
  '"',
  '"a',
  '"\\',
  '"\\u',
  '"\\uD800"',
  '"\\uDFFF\\uD800"',
  '"\\x"',
  '"\u0000"',
  '"\u2028"',
  '"\\"',
  "'a'",
  '[',
  ']',
  '[]',
  '[,]',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1}',
  '[[',
  ']]',
  '[null,',
  '[""],',
  '[1]]',
  '["a",\n4\n,1,',
  '[NaN]',
  '[Infinity]',
  '{',
  '}',
  '{}',
  '{,}',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1,,}',
  '{"a" "b"}',
  '{a:1}',
  '{1:1}',
  '{"a":1}x',
  '{"a":1}{"b":2}',
  '{"a":1',
  '{"":0}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"@type":"Product"',
  '{"@type":"Product","offers":',
  '{"@type":"Product","offers":[',
  '{"@type":["Product",["Product",["Product"]]]}',
  '{"@type":"Product","name":{"name":{"name":"x"}},"offers":{"offers":{"offers":{}}}}',
  '{"@type":"Product","name":["a",{"@value":"b"}],"offers":[[{"price":1}]]}',
  '{"@type":"Product","name":1,"sku":[],"brand":[{}],"image":[[[]]],"offers":[null,1,"x",[]]}',
  '{"@type":"Product","name":"x","sku":"y","aggregateRating":"5","weight":{"value":{}},"category":[{}],"url":"http://["}',
  '{"@type":"ProductGroup","name":"x","sku":"y","hasVariant":[null,{"offers":{"price":1}},"x"]}',
  '{"@graph":{"@graph":{"@graph":[]}}}',
  '\ufeff{}',
  '\ufeff',
  '\u0000',
  '*',
  '<null>',
  '{"a":"\t"}',
  '// x',
  '/* x',
  '[1] // x',
  '{"a":/*b*/1}',
];

test('every text of a table of malformed and odd JSON gives a verdict', () => {
  for (const text of JSON_TEXTS) {
    for (const page of [
      pageOf(ld(text)),
      pageOf(text, { headers: {} }),
      pageOf(text, { headers: { 'content-type': 'application/json' } }),
    ]) {
      assert.equal(typeof readProductPage(page).kind, 'string', text);
    }
  }
});

/** A product in full: every property that a reader looks at. */
const FULL = {
  '@type': 'Product',
  '@id': '#p',
  name: 'Blue Mug',
  url: '/p/blue-mug',
  sku: 'A1',
  mpn: 'M',
  model: 'X',
  gtin: '4006381333931',
  productID: 'a:b',
  brand: { name: 'Acme' },
  manufacturer: 'Acme',
  image: ['/a.jpg'],
  description: 'd',
  category: 'A > B',
  weight: { value: 1, unitCode: 'KGM' },
  height: '1 cm',
  identifier: [{ propertyID: 'gtin', value: '1' }],
  additionalProperty: [{ name: 'Weight', value: '1 kg', unitText: 'x' }],
  availability: 'InStock',
  price: 1,
  aggregateRating: { ratingValue: 4, reviewCount: 2, ratingCount: 2, bestRating: 5 },
  offers: [
    {
      '@type': 'Offer',
      price: '1.00',
      priceCurrency: 'USD',
      availability: 'InStock',
      itemCondition: 'NewCondition',
      seller: { name: 'S' },
      url: '/p/blue-mug?variant=1',
      sku: 'B',
      gtin: '1',
      lowPrice: 1,
      offerCount: 2,
      businessFunction: 'Sell',
      offers: [],
      priceSpecification: [
        {
          '@type': 'UnitPriceSpecification',
          price: 1,
          priceCurrency: 'USD',
          priceType: 'ListPrice',
          valueAddedTaxIncluded: true,
          referenceQuantity: { value: 1, unitCode: 'C62' },
          eligibleQuantity: { minValue: 1 },
        },
      ],
    },
  ],
  hasVariant: [{ '@type': 'Product', name: 'V', offers: { price: 2 } }],
  isVariantOf: { '@id': '#g' },
  productGroupID: 'g',
  inProductGroupWithID: 'h',
};
const CRUMBS = {
  '@type': 'BreadcrumbList',
  itemListElement: [{ position: 1, name: 'A', item: { '@id': '/a', name: 'A' } }],
};
const STORE_FULL = {
  id: 1,
  title: 'Blue Mug',
  body_html: 'x',
  vendor: 'V',
  product_type: 'T',
  image: { src: '/a.jpg' },
  images: [{ src: '/a.jpg' }],
  featured_image: 'x',
  available: true,
  variants: [
    {
      id: 2,
      price: '3.00',
      compare_at_price: '4.00',
      sku: 's',
      barcode: 'b',
      grams: 5,
      weight: 1,
      weight_unit: 'kg',
      available: true,
      featured_image: { src: 'x' },
    },
  ],
};

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  0.1,
  '',
  ' ',
  'x',
  '{{x}}',
  [],
  [[]],
  [null],
  {},
  [{}],
  { toString: 1, valueOf: 1 },
  [{ toString: 1 }],
  { name: {} },
  { '@id': '#p' },
  { '@value': {} },
  { 0: {} },
  ['a', 1, {}],
];

/** Every way to put an odd value somewhere into a tree. */
function* oddities(value: unknown): Generator {
  yield* ODD_VALUES;
  if (Array.isArray(value)) {
    for (const inner of oddities((value as unknown[])[0]))
      yield [inner, ...(value as unknown[]).slice(1)];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const inner of oddities(member)) yield { ...value, [name]: inner };
    }
  }
}

test('any value in any property gives a verdict, strictly and leniently parsed', () => {
  for (const root of [FULL, { ...FULL, '@type': 'ProductGroup' }, CRUMBS]) {
    for (const odd of oddities(root)) {
      const text = JSON.stringify(odd);
      for (const block of [ld(text), ld(`[${text},]`), ld(text) + ld(MUG)]) {
        assert.equal(typeof readProductPage(pageOf(block)).kind, 'string', text);
      }
    }
  }
  for (const odd of oddities(STORE_FULL)) {
    const page = pageOf(JSON.stringify(odd), { headers: { 'content-type': 'application/json' } });
    assert.equal(typeof readProductPage(page).kind, 'string');
    const script = `<script>Shopify.shop;Shopify.currency = {"rate":{"toString":1}};var meta = {"product":${JSON.stringify(odd)},"page":{}};</script>`;
    assert.equal(typeof readProductPage(pageOf(script + ld(MUG))).kind, 'string');
  }
});

const MUTATIONS = 3000;

function mutated(body: Uint8Array, other: Uint8Array, random: () => number): Uint8Array {
  const at = integerBelow(random, body.length + 1);
  const copy = Uint8Array.from(body);
  switch (integerBelow(random, 6)) {
    case 0:
      return copy.subarray(0, at);
    case 1: {
      for (let count = 1 + integerBelow(random, 8); count > 0; count -= 1) {
        const index = integerBelow(random, Math.max(1, copy.length));
        copy[index] = (copy[index] ?? 0) ^ (1 << integerBelow(random, 8));
      }
      return copy;
    }
    case 2: {
      const from = integerBelow(random, other.length + 1);
      const piece = other.subarray(from, from + integerBelow(random, 400));
      return Uint8Array.from([...copy.subarray(0, at), ...piece, ...copy.subarray(at)]);
    }
    case 3: {
      const to = at + integerBelow(random, 200);
      return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(to)]);
    }
    case 4:
      return Uint8Array.from([...copy.subarray(at), ...copy.subarray(0, at)]);
    default:
      return Uint8Array.from([...copy.subarray(0, at), ...copy]);
  }
}

test('readers give a verdict on any bytes', (context) => {
  const seed = seedOf(20_261_120);
  context.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pages: readonly Page[] = [
    ...[
      ...JSON_LD_CASES,
      ...CHOICE_CASES,
      ...CONFLICT_CASES,
      ...MARKUP_CASES,
      ...BROKEN_CASES,
      ...OTHER_CASES,
    ].map(({ page }) => page),
    pageOf(STORE, { headers: { 'content-type': 'application/json' } }),
    pageOf(STORE, { headers: {}, url: 'https://shop.example/products/a.js?variant=2' }),
  ];
  const charsets = ['utf-8', 'utf-16le', 'shift_jis', 'gb18030', 'iso-2022-jp', 'nonsense'];
  // 3,000 changes of the whole table in turn keep the suite quick; `MUTATIONS` a page is a longer run.
  const each = Number(process.env['READER_MUTATIONS'] ?? Math.ceil(MUTATIONS / pages.length));
  for (const page of pages) {
    for (let round = 0; round < each; round += 1) {
      const body = mutated(page.body, pick(random, pages).body, random);
      const type = round % 5 === 0 ? `text/html; charset=${pick(random, charsets)}` : 'text/html';
      const verdict = readProductPage({ ...page, body, headers: { 'content-type': type } });
      assert.equal(typeof verdict.kind, 'string');
      if (verdict.kind !== 'read') continue;
      const { price, imageUrl, title } = verdict.value;
      assert.ok(price === null || (Number.isSafeInteger(price.cents) && price.cents > 0));
      assert.ok(imageUrl === null || /^https?:/.test(imageUrl));
      assert.ok(title !== null && title.length > 0 && title.length <= 1000);
    }
  }
});
