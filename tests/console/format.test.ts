// How values are displayed on the console: amounts of any currency with its decimals, failures without their codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  plain,
  seen,
  axisMoney,
  hostOf,
  knownRetailers,
  knowShops,
  nativeAmount,
  percent,
  reasonWords,
  shopName,
  unitMoney,
} from '../../console/format.js';
import { chargedWords, stateOf } from '../../console/words.js';
import type { ProductRecord } from '../../src/answer/wire/record/product-record.ts';

type Cell = NonNullable<ProductRecord['cross_retailer']>[string];

const NATIVE = [
  [{ amount: 12.5, currency: 'EUR' }, '12.50 EUR'],
  [{ amount: 1980, currency: 'JPY' }, '1,980 JPY'],
  [{ amount: 4.25, currency: 'KWD' }, '4.250 KWD'],
  [{ amount: 1234567.8, currency: 'CHF' }, '1,234,567.80 CHF'],
  [{ amount: 12.5, currency: null }, '12.50'],
  // Not an ISO 4217 currency, and not one that a page should state: the number is displayed all the same.
  [{ amount: 12.5, currency: 'doubloons' }, '12.50 doubloons'],
] as const;

for (const [money, text] of NATIVE) {
  test(`an amount that is not in dollars has the decimals of its currency: ${text}`, () => {
    assert.equal(nativeAmount(money), text);
  });
}

test('marks of an axis have cents only where the steps between them do', () => {
  assert.deepEqual([1_240, 1_250].map(axisMoney(10)), ['$1,240', '$1,250']);
  assert.deepEqual([0.5, 1].map(axisMoney(0.5)), ['$0.50', '$1.00']);
});

test('a price a piece has cents, or four decimals where it needs them, and its thousands parted', () => {
  const shown = [2, 0.4175, 1_028_806.5417].map((each) => unitMoney(each));
  assert.deepEqual(shown, ['$2.00', '$0.4175', '$1,028,806.5417']);
});

const CELL = { retailer: 'retailer_t', status: 'error' } as const;

for (const [refreshed_at, words] of [
  [null, /^Not queried: retailer_t cannot be queried by barcode with the sources set up here/],
  ['2026-11-26T10:00:00Z', /^Failed: The last request to retailer_t failed/],
] as const) {
  test(`a shop that was never asked is not said to have failed: read ${refreshed_at}`, () => {
    const { label, help } = stateOf({ ...CELL, _freshness: { refreshed_at } } as Cell);
    assert.match(`${label}: ${help}`, words);
  });
}

test('thousands of percent are parted like thousands of dollars', () => {
  assert.equal(percent(1_045.331, 2), '1,045.33 %');
  assert.equal(percent(-11.166, 2), '−11.17 %');
});

test('the reason why a lookup failed is shown without its code', () => {
  assert.equal(
    reasonWords('upstream_error: The shop answered with an error. Try again later.'),
    'The shop answered with an error. Try again later.',
  );
  assert.equal(reasonWords('The page is gone: look again.'), 'The page is gone: look again.');
});

test('of a call whose answer was lost nobody says that it was free', () => {
  assert.equal(chargedWords('unreachable'), 'Whether it was charged is not known.');
  assert.equal(chargedWords('not_found'), 'Nothing was charged.');
});

test('a shop without a host is called by its slug, whatever that is', () => {
  for (const slug of ['lanternworks', 'constructor']) {
    assert.deepEqual([hostOf(slug), shopName(slug)], [slug, slug]);
  }
});

test('the known retailers are those that the page names, in its order', () => {
  knowShops({ retailer_w: 'w.example', retailer_a: 'a.example' });
  assert.deepEqual(knownRetailers(), ['retailer_w', 'retailer_a']);
  assert.equal(shopName('retailer_a'), 'retailer_a · a.example');
});

test('a text of a shop keeps its letters, and has no mark that turns what is around it', () => {
  const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\u0007'];
  for (const mark of marks) {
    assert.equal(plain(`Tea${mark}\n<b>\u05d0</b>`), 'Tea <b>\u05d0</b>', JSON.stringify(mark));
  }
});

test('JSON that is shown is the same JSON, in lines, and marks of direction in it are seen', () => {
  const record = {
    title: 'exe.\u202egpj\u061c',
    lines: 'a\n\tb',
    word: '\u05e9\u05dc\u05d5\u05dd',
  };
  const text = seen(JSON.stringify(record, null, 2));
  assert.deepEqual(JSON.parse(text), record);
  assert.match(text, /exe\.\\u202egpj\\u061c/);
  assert.equal(text.split('\n').length, 5);
});
