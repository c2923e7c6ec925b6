// How values read on the console: amounts of any currency with the decimals that it has, failures without their codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { axisDollars, nativeAmount, percent, reasonWords } from '../../src/console/format.js';
import { chargedWords } from '../../src/console/words.js';

const NATIVE = [
  [{ amount: 12.5, currency: 'EUR' }, '12.50 EUR'],
  [{ amount: 1980, currency: 'JPY' }, '1,980 JPY'],
  [{ amount: 4.25, currency: 'KWD' }, '4.250 KWD'],
  [{ amount: 1234567.8, currency: 'CHF' }, '1,234,567.80 CHF'],
  [{ amount: 12.5, currency: null }, '12.50'],
  // No currency of ISO 4217, and none that a page should state: the number is shown all the same.
  [{ amount: 12.5, currency: 'doubloons' }, '12.50 doubloons'],
] as const;

for (const [money, text] of NATIVE) {
  test(`an amount that is not in dollars has the decimals of its currency: ${text}`, () => {
    assert.equal(nativeAmount(money), text);
  });
}

test('marks of an axis have cents only where the steps between them do', () => {
  assert.deepEqual([1_240, 1_250].map(axisDollars(10)), ['$1,240', '$1,250']);
  assert.deepEqual([0.5, 1].map(axisDollars(0.5)), ['$0.50', '$1.00']);
});

test('thousands of percent are parted like thousands of dollars', () => {
  assert.equal(percent(1_045.331, 2), '1,045.33 %');
  assert.equal(percent(-11.166, 2), '−11.17 %');
});

test('why a look failed is told without the code for programs', () => {
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
