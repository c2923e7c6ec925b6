// A percentage next to two amounts may be a reduction for everyone, or one for those who subscribe, have a code or buy used.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { amountOf } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';

type Amounts = readonly [price: number | null, list: number | null];

function amountsOf(block: string, stated: string | null): Amounts {
  const head = stated === null ? '' : ld(mug({ offers: offer({ price: stated }) }));
  const body = `<h1>Blue Mug</h1><div>${block}</div><button>Add to cart</button>`;
  const verdict = readGenericPage(pageOf(html(head, body)), new UnknownWords());
  assert.equal(verdict.kind, 'read', block);
  const { price, listPrice } = verdict.value;
  return [price, listPrice].map((money) => (money === null ? null : amountOf(money))) as [
    number | null,
    number | null,
  ];
}

const OF_SOME = [
  // The words are in the line above, before a colon, or below with the percentage.
  '<p>$60.00</p><p>Save 15% with the app:</p><p>$51.00</p>',
  '<p>$60.00</p><p>Students (%15 indirim)</p><p>$51.00</p>',
  '<p>$60.00</p><p>15% student discount</p><p>$51.00</p>',
  '<p>$60.00</p><p>Refurbished</p><p>$51.00</p><p>-15%</p>',
  '<p>Students: 15%</p><p>$51.00</p><p>$60.00</p>',
  '<p>$60.00</p><p>$51.00</p><p>via transfer (15% off)</p>',
  // Or the same amount appears below with them.
  '<p>$51.00</p><label><input type="radio">Refill plan -15% $51.00</label><label><input type="radio"> $60.00</label>',
  '<p>$60.00</p><p>Buy 2, save 15%: $51.00 each</p>',
];

test('a percentage for some corrects no price that the data states', () => {
  for (const block of OF_SOME) assert.deepEqual(amountsOf(block, '60.00'), [60, null], block);
});

test('without data, an amount for some that is reduced by a percentage is not the price', () => {
  for (const block of OF_SOME.filter((one) => !one.includes('radio'))) {
    assert.notEqual(amountsOf(block, null)[0], 51, block);
  }
});

test('where no words stand next to the lower amount, or those of a sale, the percentage is of everybody', () => {
  for (const block of [
    '<p>$51.00</p><p>$60.00</p><p>-15%</p>',
    '<p>$60.00</p><p>You save 15%</p><p>$51.00</p>',
    '<p>$60.00</p><p>$51.00</p><p>%15 indirim</p>',
    '<p>up to 15% off</p><p>$51.00</p><p>$60.00</p>',
    '<p>$60.00</p><p>15% taniej</p><p>$51.00</p>',
    '<p>Deal of the day -15%</p><p>$51.00</p><p>$60.00</p>',
  ]) {
    for (const stated of [null, '51.00', '60.00']) {
      assert.deepEqual(amountsOf(block, stated), [51, 60], `${block} ${stated ?? ''}`);
    }
  }
});

test('what the page strikes through was the price, whatever words stand next to the other', () => {
  const block = '<p><s>$60.00</s></p><p>Refurbished</p><p>$51.00</p><p>-15%</p>';
  assert.deepEqual(amountsOf(block, '60.00'), [51, 60]);
});

const STRUCK_FOR_SOME = [
  '<p class="price">$60.00</p><p>Members save 15% <s>$60.00</s> <b>$51.00</b></p>',
  '<p class="price">$60.00</p><p>Subscribe &amp; save <s>$60.00</s> <b>$51.00</b></p>',
  '<p class="price">$60.00</p><p>Refurbished <s>$60.00</s> <b>$51.00</b></p>',
];

test('what is struck through next to an amount for some, and shown as the price in another place, is the price', () => {
  for (const block of STRUCK_FOR_SOME) {
    assert.deepEqual(amountsOf(block, '60.00'), [60, null], block);
    assert.notEqual(amountsOf(block, null)[0], 51, block);
  }
  const alone = '<p>Members save 15% <s>$60.00</s> <b class="price">$51.00</b></p>';
  assert.deepEqual(amountsOf(alone, '60.00'), [60, null]);
});

test('what was taken off for everybody may be said before the struck amount', () => {
  for (const words of ['Save 15%', '-15%', 'Sale', 'Was', 'Sale price']) {
    const block = `<p>${words} <s>$60.00</s> <b class="price">$51.00</b></p>`;
    for (const stated of [null, '51.00', '60.00']) {
      assert.deepEqual(amountsOf(block, stated), [51, 60], `${block} ${stated ?? ''}`);
    }
  }
});

test('a higher amount that only its element calls a unit price, before one with a name, leaves the price open', () => {
  const block = '<p>Price: <b id="unitPrice">$178.20</b></p><p>In effect $160.38</p>';
  assert.deepEqual(amountsOf(block, null), [null, null]);
});
