// retailer_w: less common shapes of its states and API answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import * as w from './fixtures.ts';

const SEARCH_URL = `${w.HOST}/search?q=anvil`;

function hitsOf(items: readonly unknown[]): readonly Listing[] {
  const page = w.statePage({ searchResult: { itemStacks: [{ items }] } }, { url: SEARCH_URL });
  const verdict = readAnswer(page, 'search', 'retailer_w');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
  return verdict.value.hits;
}

const ITEM = {
  __typename: 'Product',
  usItemId: '100200300',
  name: 'Anvil',
  priceInfo: { linePrice: '$159.00', wasPrice: '$219.99', itemPrice: '$219.99', minPrice: 159 },
  price: 159,
};

test('texts of a search item beat the number that is cut to whole dollars', () => {
  const [hit] = hitsOf([ITEM]);
  assert.deepEqual([hit?.price?.cents, hit?.listPrice?.cents], [15_900, 21_999]);
  const blank = { linePrice: '', wasPrice: '', itemPrice: '', minPrice: 0 };
  assert.equal(hitsOf([{ ...ITEM, priceInfo: blank }])[0]?.price, null);
});

test('stock of a search item: the value, else the words that are shown', () => {
  const stockOf = (changes: object) => hitsOf([{ ...ITEM, ...changes }])[0]?.inStock;
  assert.equal(stockOf({ availabilityStatusV2: { value: 'OUT_OF_STOCK' } }), false);
  assert.equal(stockOf({ availabilityStatusV2: { display: 'In stock' } }), true);
  assert.equal(stockOf({ availabilityStatusDisplayValue: 'Out of stock' }), false);
  assert.equal(stockOf({}), null);
});

test('an item without its number is known by its address; one without either is not a hit', () => {
  const { usItemId: _, ...unnumbered } = ITEM;
  const hits = hitsOf([{ ...unnumbered, canonicalUrl: '/ip/Anvil/100200301' }, unnumbered]);
  assert.deepEqual(
    hits.map(({ itemId }) => itemId),
    ['100200301'],
  );
});

test('a pre-order is not stock', () => {
  const product = {
    ...w.PRODUCT,
    availabilityStatus: 'IN_STOCK',
    preOrder: { isPreOrder: true },
  };
  const page = w.statePage({ data: { product } }, { url: w.ITEM_URL });
  const verdict = readAnswer(page, 'product', 'retailer_w');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
  assert.equal(verdict.value.listing.inStock, false);
});

test('affiliate answers: bare lists, searches without a list, books with an ISBN', () => {
  const { upc: _, ...book } = { ...w.AFFILIATE_ITEM, isbn: '9780306406157' };
  const list = readAnswer(w.jsonPage([book]), 'api:affiliate_search', 'retailer_w');
  assert.ok(list?.kind === 'read' && list.value.kind === 'search');
  assert.equal(list.value.hits[0]?.gtin, '09780306406157');
  const none = { query: 'x', totalResults: 0, message: 'Results not found!' };
  const empty = readAnswer(w.jsonPage(none), 'api:affiliate_search', 'retailer_w');
  assert.ok(empty?.kind === 'read' && empty.value.kind === 'search');
  assert.deepEqual([empty.value.hits, empty.value.total], [[], 0]);
  assert.equal(readAnswer(w.jsonPage(none), 'api:affiliate_item', 'retailer_w')?.kind, 'not_found');
});
