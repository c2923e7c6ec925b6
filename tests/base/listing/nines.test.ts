import assert from 'node:assert/strict';
import { test } from 'node:test';

import { instalmentTotalOf } from '../../../src/base/listing/money/instalments.ts';
import { listPriceOf } from '../../../src/base/listing/money/list-price.ts';
import { isNines, isPriceBacked } from '../../../src/base/listing/money/nines.ts';

const usd = (cents: number) => ({ cents, currency: 'USD' });

test('an amount of nines is nothing but nines from 999 on, with decimals of nines or zeros', () => {
  const nines = [99_900, 99_990, 99_999, 999_900, 999_990, 999_999, 9_999_900, 99_999_999];
  for (const cents of nines) assert.ok(isNines(cents), `${cents}`);
  const others = [
    9_900, 9_999, 9_990, 999, 129_999, 88_800, 1_234_500, 99_909, 99_998, 99_899, 999_000,
  ];
  for (const cents of others) assert.ok(!isNines(cents), `${cents}`);
});

test('a list price or instalments within a tenth support a price of nines, and no other price', () => {
  const backed = (cents: number, list: number | null, instalments: number | null = null) =>
    isPriceBacked({
      price: usd(cents),
      listPrice: list === null ? null : usd(list),
      instalmentTotal: instalments === null ? null : usd(instalments),
    });
  assert.ok(backed(99_900, 99_900));
  assert.ok(backed(99_900, 109_890));
  assert.ok(!backed(99_900, 109_891));
  assert.ok(backed(99_900, 149_900, 99_912));
  assert.ok(!backed(99_900, 149_900, 44_400));
  assert.ok(!backed(99_900, null));
  assert.ok(!backed(99_800, 99_900));
  const price = usd(99_900);
  const euros = { cents: 99_900, currency: 'EUR' };
  assert.ok(!isPriceBacked({ price, listPrice: euros, instalmentTotal: null }));
  assert.ok(!isPriceBacked({ price: null, listPrice: price, instalmentTotal: price }));
});

test('a list price that equals the price is one where the price is nines', () => {
  assert.deepEqual(listPriceOf(usd(99_900), [usd(99_900)]), usd(99_900));
  assert.equal(listPriceOf(usd(99_800), [usd(99_800)]), null);
  assert.equal(listPriceOf(usd(99_900), [usd(99_899)]), null);
});

test('instalments add up, whichever of number and amount comes first', () => {
  const cases: readonly (readonly [text: string, cents: number | null])[] = [
    ['4 payments of $249.75', 99_900],
    ['or <b>4</b> interest-free payments of <b>$249.75</b> with a card', 99_900],
    ['4 easy, equal payments of $249.75', 99_900],
    ['in 3 instalments of US$333', 99_900],
    ['12&nbsp;x&nbsp;$83.25', 99_900],
    ['$83.25 × 12', 99_900],
    ['$83.25/mo for 12 months', 99_900],
    ['$83.25/month (12 mo.)', 99_900],
    ['$83.25 a month over 12 months', 99_900],
    ['$2,499.75 x 4', 999_900],
    ['As low as $45/mo', null],
    ['1 payment of $999.00', null],
    ['Set of 4, $249.75', null],
    ['4 payments of €249.75', null],
    ['$8.33 x 12 in', 9_996],
    ['', null],
  ];
  for (const [text, cents] of cases) {
    assert.equal(instalmentTotalOf(text, usd(99_900))?.cents ?? null, cents, text);
  }
});

test('of several series of instalments the one nearest to the price counts', () => {
  const text = '4 payments of $49.75. 4 payments of $249.75. $120.00/mo for 12 months.';
  assert.deepEqual(instalmentTotalOf(text, usd(99_900)), usd(99_900));
  assert.equal(instalmentTotalOf(text, { cents: 99_900, currency: 'EUR' }), null);
});
