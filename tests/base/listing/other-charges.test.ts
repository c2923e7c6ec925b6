// Amounts that are not the product's price, recognized by the words around them: rates, instalments, charges, deposits,
// trade-ins, unit prices by weight and member prices. The price next to them is still read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readMoney } from '../../../src/base/listing/money/money.ts';
import { isRateAfter } from '../../../src/base/listing/money/other-charges.ts';
import { vectorRows } from '../../support/vectors.ts';

const ROWS = vectorRows('other_charges.tsv', 2);

test('a text gives the price that it states, and no other amount', () => {
  assert.ok(ROWS.length > 140, 'the vector file is there');
  for (const [text = '', price = ''] of ROWS) {
    const money = readMoney(text, { currency: 'USD' });
    const wanted =
      price === '-' ? null : { cents: Math.round(Number(price) * 100), currency: 'USD' };
    assert.deepEqual(money, wanted, text);
  }
});

test('the same holds in capitals and with anything harmless around it', () => {
  for (const [text = '', price = ''] of ROWS) {
    for (const changed of [text.toUpperCase(), ` ${text} `, `${text}.`]) {
      const cents = readMoney(changed, { currency: 'USD' })?.cents ?? null;
      assert.equal(cents, price === '-' ? null : Math.round(Number(price) * 100), changed);
    }
  }
});

test('where a charge is asked for, its words do not hide the amount', () => {
  for (const [text, cents] of [
    ['+ $5.99 shipping', 599],
    ['$5.99 delivery Thursday', 599],
    ['on orders over $35', 3500],
  ] as const) {
    assert.equal(readMoney(text, { currency: 'USD', isCharge: true })?.cents, cents, text);
  }
});

test('texts of any length end in an answer', () => {
  for (const piece of ['$8.33/mo ', '4 payments of ', 'plus ', '( ', '/oz', 'core core ', '\u0130'])
    readMoney(`$5 ${piece.repeat(20_000)}`, { currency: 'USD' });
});

test('a rate that stands after an amount is known by its first mark', () => {
  for (const text of ['/mo', '/ oz', 'per month', 'a month', '/moYour price'])
    assert.ok(isRateAfter(text), text);
  for (const text of ['', 'In stock', '/each', 'a mug', 'shipping', '/p/1', 'per pack'])
    assert.ok(!isRateAfter(text), text);
});
