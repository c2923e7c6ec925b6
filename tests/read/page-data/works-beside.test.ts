// A product, with more about it in the page's data: the book that it is, or a second product without the offer. Every page here
// is invented.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { ADDRESS, html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';

const ISBN = '09781471156267';
const BARE = { gtin13: undefined, mpn: undefined, brand: undefined, sku: undefined };

function listingOf(head: string, body = '<h1>Blue Mug</h1>'): Listing {
  const verdict = readGenericPage(pageOf(html(head, body)), new UnknownWords());
  assert.equal(verdict.kind, 'read', head);
  if (verdict.kind !== 'read') throw new Error(head);
  return verdict.value;
}

const product = (changes: Readonly<Record<string, unknown>> = {}): string =>
  ld(mug({ ...BARE, offers: offer({}), ...changes }));
const book = (changes: Readonly<Record<string, unknown>> = {}): string =>
  ld({ '@type': 'Book', name: 'Blue Mug', isbn: '9781471156267', ...changes });

test('the barcode of a book of the name of the product is the product’s, where that states none', () => {
  const { gtin, price } = listingOf(product() + book());
  assert.equal(gtin, ISBN);
  assert.equal(price?.cents, listingOf(product()).price?.cents);
  assert.equal(listingOf(book({ url: ADDRESS }) + product()).gtin, ISBN);
  assert.equal(listingOf(product({ gtin13: '4006381333931' }) + book()).gtin, '04006381333931');
});

test('a book of another name, another page or another number says nothing of the product', () => {
  assert.equal(listingOf(product() + book({ name: 'Red Mug' })).gtin, null);
  assert.equal(listingOf(product() + book({ url: 'https://shop.example/p/other' })).gtin, null);
  assert.equal(listingOf(product({ sku: 'A-1' }) + book({ sku: 'B-2' })).gtin, null);
  const two = book() + book({ isbn: '9780306406157' });
  assert.equal(listingOf(product() + two).gtin, null, 'two editions');
});

test('the variants of a group are read with a book of its name next to it', () => {
  const variant = (sku: string, price: string): Record<string, unknown> => ({
    '@type': 'Product',
    name: 'Blue Mug',
    sku,
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR', url: `${ADDRESS}?variant=${sku}` },
  });
  const group = {
    '@type': 'ProductGroup',
    name: 'Blue Mug',
    hasVariant: [variant('S-1', '8.00'), variant('S-2', '9.00')],
  };
  assert.equal(listingOf(ld(group) + book()).price?.cents, 800);
});

test('a second product that the markup opens for the offer, without a name, is the one that the heading names', () => {
  const named =
    '<div itemscope itemtype="https://schema.org/Product"><h2><b itemprop="name">Blue Mug</b></h2>' +
    '<meta itemprop="brand" content="Cobbleton"><meta itemprop="mpn" content="KR-4"></div>';
  const offered = `<div itemscope itemtype="https://schema.org/Product"><div itemprop="offers" itemscope
    itemtype="https://schema.org/Offer"><meta itemprop="price" content="12.50"><meta itemprop="priceCurrency"
    content="EUR"><link itemprop="url" href="${ADDRESS}"></div></div>`;
  const { title, brand, mpn, price } = listingOf('', named + offered);
  assert.deepEqual([title, brand, mpn, price?.cents], ['Blue Mug', 'Cobbleton', 'KR-4', 1250]);
});
