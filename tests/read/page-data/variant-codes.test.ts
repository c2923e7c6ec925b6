// The numbers of all variants that a page lists (D90), from each place where shops write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { readStoreJson } from '../../../src/read/retailers/hosted-store.ts';

const URL_OF_PAGE = 'https://www.lamps.example/p/1';

const pageOf = (body: string) => ({
  requestedUrl: URL_OF_PAGE,
  url: URL_OF_PAGE,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode(body),
  fetchedAtMs: 0,
});

function codesOfHtml(head: string, body = ''): readonly string[] {
  const page = pageOf(`<!doctype html><title>Lamp</title>${head}<h1>Lamp</h1>${body}`);
  const verdict = readGenericPage(page, new UnknownWords());
  assert.equal(verdict.kind, 'read');
  return verdict.kind === 'read' ? verdict.value.codes : [];
}

const ld = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`;

const offer = { '@type': 'Offer', price: '89.00', priceCurrency: 'USD' };

const HTML_PAGES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'one product',
    ld({
      '@type': 'Product',
      name: 'Lamp',
      sku: 'AL-204',
      mpn: 'M 1',
      gtin13: '4006381333931',
      offers: offer,
    }),
    ['gtin:4006381333931', 'mpn:M1', 'sku:AL204'],
  ],
  [
    'a group of variants, sold out or without an offer',
    ld({
      '@type': 'ProductGroup',
      name: 'Lamp',
      productGroupID: 'AL',
      hasVariant: [
        {
          '@type': 'Product',
          name: 'Lamp',
          sku: 'AL-204',
          offers: { ...offer, availability: 'OutOfStock' },
        },
        { '@type': 'Product', name: 'Lamp', sku: 'AL-205', offers: offer },
        { '@type': 'Product', name: 'Lamp', sku: 'AL-206' },
      ],
    }),
    ['sku:AL', 'sku:AL204', 'sku:AL205', 'sku:AL206'],
  ],
  [
    'one variant that names its group',
    ld({
      '@type': 'Product',
      name: 'Lamp',
      sku: 'AL-204',
      isVariantOf: { '@type': 'ProductGroup', productGroupID: 'AL' },
      offers: offer,
    }),
    ['sku:AL', 'sku:AL204'],
  ],
  [
    'offers with numbers of their own',
    ld({
      '@type': 'Product',
      name: 'Lamp',
      offers: [
        { ...offer, sku: 'AL-204', gtin13: '4006381333931' },
        { ...offer, sku: 'AL-205', price: '95.00' },
      ],
    }),
    ['gtin:4006381333931', 'sku:AL204', 'sku:AL205'],
  ],
  [
    'tags beside data',
    `<meta property="og:type" content="product"><meta property="product:retailer_part_no" content="x"><meta property="og:ean" content="4006381333931">${ld({ '@type': 'Product', name: 'Lamp', sku: 'AL-204', offers: offer })}`,
    ['gtin:4006381333931', 'sku:AL204'],
  ],
];

for (const [what, head, expected] of HTML_PAGES) {
  test(`the numbers of ${what}`, () => {
    assert.deepEqual(codesOfHtml(head), expected);
  });
}

test('numbers of products that a page only recommends are none of its own', () => {
  const own = ld({
    '@type': 'Product',
    name: 'Lamp',
    sku: 'AL-204',
    url: URL_OF_PAGE,
    offers: offer,
  });
  const other = ld({
    '@type': 'ItemList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, item: { '@type': 'Product', name: 'Bulb', sku: 'B-1' } },
    ],
  });
  assert.deepEqual(codesOfHtml(own + other), ['sku:AL204']);
});

test('the numbers of all variants in the JSON of a hosted store', () => {
  const variants = [
    { id: 1, title: 'S', sku: 'AL-204', price: '89.00', barcode: '4006381333931' },
    { id: 2, title: 'L', sku: 'AL-205', price: '95.00', barcode: '' },
    { id: 3, title: 'XL', sku: null, price: '99.00' },
  ];
  const verdict = readStoreJson(
    pageOf(JSON.stringify({ product: { id: 7, title: 'Lamp', variants } })),
  );
  assert.ok(verdict?.kind === 'read');
  assert.deepEqual(verdict.value.codes, ['gtin:4006381333931', 'sku:AL204', 'sku:AL205']);
});
