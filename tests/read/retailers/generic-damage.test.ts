// Any shop: odd values in familiar places and damaged bytes give a verdict.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from '../../../src/base/listing/page.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { CHOICE_CASES, CONFLICT_CASES, JSON_LD_CASES } from './generic-cases.ts';
import { BROKEN_CASES, MARKUP_CASES, OTHER_CASES } from './generic-markup-cases.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { ld, MUG, pageOf } from './page-fixtures.ts';

const STORE = JSON.stringify({
  product: { id: 1, title: 'Blue Mug', body_html: '', variants: [{ id: 2, price: '3.00' }] },
});

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

/** Yields every way to put an odd value somewhere into a tree. */
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
  // 3,000 changes spread over the whole table keep the suite quick; `MUTATIONS` per page is a longer run.
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

test('500 variants that share 500 offers by reference cost no more than a page may', () => {
  const references = (id: string, count: number) =>
    Array.from({ length: count }, () => ({ '@id': id }));
  const price = { price: '12.50', priceCurrency: 'USD' };
  const variants = Array.from({ length: 500 }, (_, at) => ({
    '@type': 'Product',
    name: `Blue Mug ${at}`,
    offers: { '@id': '#all' },
  }));
  const page = pageOf(
    ld([
      { '@type': 'ProductGroup', name: 'Blue Mug', hasVariant: variants },
      { '@id': '#all', '@type': 'AggregateOffer', offers: references('#o', 500) },
      { '@id': '#o', '@type': 'Offer', ...price, priceSpecification: references('#s', 20) },
      { '@id': '#s', ...price },
    ]),
  );
  const startedMs = cpuMs();
  const verdict = readProductPage(page);
  assert.ok(cpuMs() - startedMs < 5_000);
  assert.equal(verdict.kind, 'read');
  assert.equal(verdict.kind === 'read' ? verdict.value.price?.cents : null, 1250);
});

test('a page that nearly says the name of its product everywhere is read in little more time than any other', () => {
  const name = `${'a'.repeat(480)}b${'a'.repeat(500)}`;
  const data = { '@type': 'Product', name, offers: { price: '12.50', priceCurrency: 'USD' } };
  const page = pageOf(`${ld(data)}<p>$12.50</p><!--${'a'.repeat(7_900_000)}-->`);
  const startedMs = cpuMs();
  assert.equal(readProductPage(page).kind, 'read');
  const ms = cpuMs() - startedMs;
  assert.ok(ms < 3_000, `${ms} ms`);
});
