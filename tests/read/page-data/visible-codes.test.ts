// The numbers and the maker that a page prints, where its data has none.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, pageOf } from '../retailers/page-fixtures.ts';

const BUY = '<p class="price">$12.50</p><button>Add to cart</button>';

function listingOf(body: string, head = ''): Listing {
  const page = html(head, `<h1>Blue Mug</h1>${body}${BUY}`);
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  assert.equal(verdict.kind, 'read', body);
  if (verdict.kind !== 'read') throw new Error(body);
  return verdict.value;
}

type Numbers = { readonly sku?: string; readonly mpn?: string };

const NUMBERS: readonly (readonly [body: string, numbers: Numbers])[] = [
  ['<p>SKU: BM-1</p>', { sku: 'BM-1' }],
  ['<table><tr><td>Art.-Nr.</td><td>4711</td></tr></table>', { sku: '4711' }],
  ['<dl><dt>Item #</dt><dd>BMX</dd></dl>', { sku: 'BMX' }],
  ['<p>Артикул: ВБ-12</p>', { sku: 'ВБ-12' }],
  ['<p>کد محصول: BM-1</p>', { sku: 'BM-1' }],
  ['<p>MPN: AB/12</p><p>SKU: 9</p>', { sku: '9', mpn: 'AB/12' }],
  ['<p>Manufacturer part number: KR-04</p>', { mpn: 'KR-04' }],
  ['<p><b>Hersteller Artikelnummer</b><br>E2016HV</p>', { mpn: 'E2016HV' }],
  ['<div class="k">Cod producător</div><div>DLT-115</div>', { mpn: 'DLT-115' }],
  ['<p><b>Manufacturer part number</b> <span>KR-05</span></p>', { mpn: 'KR-05' }],
  ['<p>Artikelnummer 88-221</p>', { sku: '88-221' }],
  ['<p>SKU 4711</p>', { sku: '4711' }],
  ['<p>SKU 4711 and 4712</p>', {}],
  // Words next to a label, the numbers of several sizes, a discount code, and numbers of other goods.
  ['<p>SKU: see label</p>', {}],
  ['<p>SKU: 1</p><p>SKU: 2</p>', {}],
  ['<p>Code: SAVE10</p>', {}],
  ['<div class="related-products"><p>SKU: 7</p></div>', {}],
];

test('the numbers of shop and maker are read next to their labels, when the page shows one alone', () => {
  for (const [body, { sku = null, mpn = null }] of NUMBERS) {
    const read = listingOf(body);
    assert.deepEqual({ sku: read.sku, mpn: read.mpn }, { sku, mpn }, body);
  }
  assert.equal(listingOf('<p>SKU: BM-1</p>', ld(mug({ sku: 'OWN' }))).sku, 'OWN');
  assert.equal(listingOf('', ld(mug({ sku: 'Réf.: PM-01' }))).sku, 'PM-01');
  assert.equal(listingOf('', ld(mug({ sku: 'AB:12' }))).sku, 'AB:12');
});

const MAKERS: readonly (readonly [body: string, brand: string | null])[] = [
  ['<p>Manufacturer: Hansol</p><p>Brand: Solhyang</p>', 'Solhyang'],
  ['<div><span>برند:</span><a href="/brand/eyesol/">آیسول</a></div>', 'آیسول'],
  ['<p>Brand: A</p><p>Brand: Bee</p>', 'Bee'],
  ['<p>Brand: Acme</p><p>Brand: Bee</p>', null],
  ['<table><tr><td>Brand</td><td> - Acme</td></tr></table>', 'Acme'],
  ['<div class="manufacturer"><a href="/m/1"><h3>Acme</h3></a></div>', 'Acme'],
  ['<a class="product-brand" href="/b/acme">Acme Tools</a>', 'Acme Tools'],
  ['<div class="manufacturer"><label>Marca</label> <a href="/b">Acme</a></div>', 'Acme'],
  ['<div class="manufacturer"><label>Etiketti</label> <a href="/b">Acme</a></div>', null],
  // Links to its goods, the shop itself, several brands, and elements named after something else.
  ['<p class="brand"><a href="/b">More from Acme</a></p>', null],
  ['<p class="brand">Example Shop</p>', null],
  ['<p class="brand">Acme</p><p class="brand">Bee</p>', null],
  ['<div class="related brand">Acme</div>', null],
  ['<p class="brandished">Acme</p>', null],
];

test('the maker is read next to a label, of the brand first, or alone in an element that is named after it', () => {
  for (const [body, brand] of MAKERS) assert.equal(listingOf(body).brand, brand, body);
});

test('a row of a table with a link to the maker is not a tile of other goods', () => {
  const rows = [
    ['Product Code', 'FC-1'],
    ['Manufacturer', '<a href="/m/1">Acme</a>'],
    ['Weight', '0.20Kg'],
  ];
  const table = rows.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`);
  const page = html('', `<h1>Blue Mug</h1>${BUY}<div><table>${table.join('')}</table></div>`);
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  assert.equal(verdict.kind === 'read' ? verdict.value.brand : verdict.kind, 'Acme');
});
