// Money as a number and as text for people.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { unitPriceText, moneyOrDash } from '../../src/edge/cli/dollars.ts';
import { dollars, hundredths } from '../../src/base/dollars.ts';
import { moneyText } from '../../src/base/money-text.ts';
import { sparkline } from '../../src/server/console/sparkline.ts';

test('an amount reads the same in a notice, on a chart and in a command: with two decimals and a comma for each thousand', () => {
  const rows = [
    [0, '$0.00'],
    [5, '$0.05'],
    [1_250, '$12.50'],
    [123_450, '$1,234.50'],
    [123_456_789, '$1,234,567.89'],
    [-10, '-$0.10'],
    [-123_450, '-$1,234.50'],
  ] as const;
  for (const [cents, text] of rows) {
    assert.equal(moneyText(cents, 'USD'), text);
    assert.equal(moneyOrDash(cents / 100), text);
  }
  assert.equal(moneyOrDash(null), '-');
  const day = '2026-11-01';
  const drawn = { from: day, to: day, currency: 'USD', targetCents: null };
  const chart = sparkline({ prices: [{ day, cents: 123_450 }], ...drawn });
  assert.match(chart, /Lowest \$1,234\.50, highest \$1,234\.50, last \$1,234\.50/);
});

test('the price of a piece has the decimals that it needs, two at least and four at most', () => {
  assert.equal(unitPriceText(0.5), '$0.50');
  assert.equal(unitPriceText(0.0833), '$0.0833');
  assert.equal(unitPriceText(1_234.125), '$1,234.1250');
});

test('an amount that an answer shows is kept as the same cents, whatever binary fractions make of it', () => {
  for (let cents = -10_000; cents <= 10_000_000; cents += cents < 100_000 ? 1 : 997) {
    assert.equal(hundredths(dollars(cents)), cents);
  }
  assert.deepEqual([1.15, 8.2, 17.99, 1_000_000].map(hundredths), [115, 820, 1_799, 100_000_000]);
});

test('an amount in another currency is followed by its code', () => {
  assert.deepEqual(
    [123_450, -10, 7_000].map((cents) => moneyText(cents, 'EUR')),
    ['1,234.50 EUR', '-0.10 EUR', '70.00 EUR'],
  );
  assert.equal(moneyText(123_450, 'USD'), '$1,234.50');
  assert.equal(unitPriceText(0.0833, 'EUR'), '0.0833 EUR');
});

test('an amount has the decimals of its currency, in a notice, on a chart and in a command (ISO 4217)', () => {
  for (const [units, currency, amount, text] of [
    [30_000, 'KRW', 30_000, '30,000 KRW'],
    [7, 'JPY', 7, '7 JPY'],
    [-1_234, 'CLP', -1_234, '-1,234 CLP'],
    [1_234, 'KWD', 1.234, '1.234 KWD'],
    [5, 'BHD', 0.005, '0.005 BHD'],
    [307_500, 'CLF', 30.75, '30.7500 CLF'],
    [12_050, 'HUF', 120.5, '120.50 HUF'],
  ] as const) {
    assert.equal(moneyText(units, currency), text);
    assert.equal(moneyOrDash(amount, currency), text);
    const day = '2026-11-01';
    const drawn = { from: day, to: day, currency, targetCents: null };
    assert.ok(sparkline({ prices: [{ day, cents: units }], ...drawn }).includes(`last ${text}`));
  }
  assert.equal(unitPriceText(833.33, 'JPY'), '833.3300 JPY');
  assert.equal(unitPriceText(0.125, 'KWD'), '0.125 KWD');
});
