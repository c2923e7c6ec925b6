// retailer_b: prices next to the one that counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { readersOf } from '../own-readers.ts';
import * as b from './fixtures.ts';

const { listingOf } = readersOf('retailer_b');

const MONTHLY = '<div class="priceView-customer-price"><span>$15.00/mo.</span></div>';
const WHOLE = '<div class="priceView-customer-price"><span>$359.99</span></div>';

test('a rate by the month is not a price, on pages and in lists', () => {
  const body =
    `<div class="sku-title"><h1>Acme Drill</h1></div>` +
    `<div class="price-box">${MONTHLY}${WHOLE}</div>`;
  assert.equal(listingOf(b.oldPage('', body)).price?.cents, 35_999);
  assert.equal(listingOf(b.oldPage('', body.replace(WHOLE, ''))).price, null);
  const card = b.oldEntry().replace('<div class="priceView', `${MONTHLY}<div class="priceView`);
  assert.ok(card.includes('/mo.'));
  const found = readAnswer(b.searchPage([card]), 'search', 'retailer_b');
  const plain = readAnswer(b.searchPage([b.oldEntry()]), 'search', 'retailer_b');
  assert.ok(found?.kind === 'read' && found.value.kind === 'search');
  assert.ok(plain?.kind === 'read' && plain.value.kind === 'search');
  assert.ok(plain.value.hits[0]?.price !== null);
  assert.deepEqual(found.value.hits[0]?.price, plain.value.hits[0]?.price);
});

test('the price of an opened copy is not that of the new one, wherever the stream marks it', () => {
  const priced = (customerPrice: number, more: object = {}) => ({
    skuId: b.SKU,
    price: { customerPrice, regularPrice: 999, ...more },
  });
  const named = { skuId: b.SKU, name: { short: 'Acme Drill' } };
  const opened = priced(700, { openBoxCondition: 3 });
  const listing = listingOf(b.streamedPage([named, opened, priced(899)]));
  assert.equal(listing.price?.cents, 89_900);
  assert.equal(listingOf(b.streamedPage([named, opened])).price, null);
  assert.equal(listingOf(b.streamedPage([{ ...named, ...opened }])).price, null);
});
