// Price texts and structured amounts: vectors shared with other languages, then properties.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isCurrencyCode, MINOR_DIGITS } from '../../../src/base/listing/money/currencies.ts';
import { dollars } from '../../../src/base/dollars.ts';
import { currencyOf, readAmount, readMoney } from '../../../src/base/listing/money/money.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const vectors = readFileSync(new URL('../../vectors/prices.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

test('a price text gives its first amount in minor units and the currency next to it', () => {
  assert.ok(vectors.length > 140, 'the vector file is there');
  for (const [text = '', cents = '', currency = '', hint = ''] of vectors) {
    const expected =
      cents === '' ? null : { cents: Number(cents), currency: currency === '' ? null : currency };
    const got = readMoney(text, hint === '' ? {} : { currency: hint });
    const shown = got === null ? null : { cents: got.cents, currency: got.currency };
    assert.deepEqual(shown, expected, `${text} (${hint})`);
  }
});

test('a structured amount is read by schema.org rules, with the shops’ own habits understood', () => {
  const table: readonly [unknown, number | null, string?][] = [
    [1299, 129900],
    [12.5, 1250],
    [0.1 + 0.2, 30],
    [19.989999999999998, 1999],
    [1.005, 101],
    ['1299', 129900],
    ['1299.00', 129900],
    ['1299.0000', 129900],
    ['1,299.00', 129900],
    ['1.299,00', 129900],
    ['1 299,00', 129900],
    ['1\u200a299,90', 129990],
    ['1\u2005299,90', 129990],
    ['1\u2032299.90', 129990],
    // A mark that no language writes in numbers: no part of them is an amount.
    ['1_299.90', null],
    ['1,299', 129900],
    ['1,29,999.00', 12999900],
    ['12,5', 1250],
    ['26,00 €', 2600],
    ['$1,299.00', 129900],
    ['USD 5.00', 500],
    ['.99', 99],
    ['+5.00', 500],
    ['1299.', 129900],
    [' 26 ', 2600],
    ['1.5e3', 150000],
    ['1.299E+03', 129900],
    ['٢٦٫٥٠', 2650],
    // Three digits after a single point: the currency's decimals decide.
    ['19.990', 1999],
    ['19.990', 19990, 'CLP'],
    ['1.299', 129900, 'EUR'],
    ['12.345', 12345, 'KWD'],
    ['12.3456', 123456, 'CLF'],
    ['129,900', 129900, 'TND'],
    ['25.000', 25000000, 'IQD'],
    ['1980.50', 1981, 'JPY'],
    [0.4, null, 'JPY'],
    [4.5675, 4568, 'KWD'],
    ['¥1,980', 198000],
    ['¥1,980', 1980, 'JPY'],
    ['0.345', 35],
    // No price (D26), or no number.
    [0, null],
    ['0', null],
    ['0.00', null],
    [0.004, null],
    [-5, null],
    ['-5', null],
    ['-5.00 €', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    ['NaN', null],
    ['Infinity', null],
    ['1e999', null],
    [1e21, null],
    [1e-9, null],
    ['9'.repeat(20), null],
    ['9'.repeat(1_000_000), null],
    ['1,1,1', null],
    ['', null],
    ['call us', null],
    [null, null],
    [undefined, null],
    [true, null],
    [{}, null],
    [[5], null],
  ];
  for (const [value, cents, currency] of table) {
    const got = readAmount(value, currency === undefined ? {} : { currency });
    assert.equal(got, cents, `${String(value).slice(0, 40)} ${currency ?? ''}`);
  }
});

test('Indian groups with blanks are one amount, next to a sign of the region or in its currency', () => {
  const table: readonly (readonly [string, number | null, string | null])[] = [
    ['₹ 1 23 456', 12345600, 'INR'],
    ['₹1 23 456.50', 12345650, 'INR'],
    ['Rs. 12 34 567', 123456700, 'INR'],
    ['1 00 000 ₹', 10000000, 'INR'],
    ['INR 1\u00a023\u00a0456', 12345600, 'INR'],
    ['1\u202f23\u202f45\u202f678 INR', 1234567800, 'INR'],
    ['MRP ₹ 1 50 000', 15000000, 'INR'],
    ['৳ 1 25 500', 12550000, 'BDT'],
    ['₹ 23 456', 2345600, 'INR'],
    ['₹ 450 12 reviews', 45000, 'INR'],
    ['₹ 99 20 left', 9900, 'INR'],
  ];
  for (const [text, cents, currency] of table) {
    const got = readMoney(text, { currency });
    assert.deepEqual([got?.cents ?? null, got?.currency ?? null], [cents, currency], text);
  }
  assert.equal(readAmount('1 23 456', { currency: 'INR' }), 12345600);
  assert.equal(readAmount('12 34 567', { currency: 'PKR' }), 123456700);
});

test('a currency is recognized by code, sign or name, an ambiguous sign by its hint only', () => {
  const table: readonly [string, string | null, string?][] = [
    ['USD', 'USD'],
    ['usd', 'USD'],
    [' eur ', 'EUR'],
    ['€', 'EUR'],
    ['EUR (€)', 'EUR'],
    ['US dollars', 'USD'],
    ['Pounds Sterling', 'GBP'],
    ['Kč', 'CZK'],
    ['zł', 'PLN'],
    ['Prices in USD', 'USD'],
    ['12,00 €', 'EUR'],
    ['$', null],
    ['$', 'USD', 'USD'],
    ['$', null, 'EUR'],
    ['$19.99', null],
    ['$19.99', 'AUD', 'AUD'],
    ['kr', null],
    ['kr', 'NOK', 'NOK'],
    ['¥', null],
    ['£', 'GBP', 'USD'],
    ['CAD', 'CAD'],
    ['a CAD program', null],
    ['TOP quality', null],
    ['XYZ', null],
    ['XAU', null],
    ['', null],
  ];
  for (const [text, code, hint] of table) {
    assert.equal(currencyOf(text, hint ?? null), code, `${text} (${hint ?? ''})`);
  }
});

test('every code is three capitals, has its minor digits, and is read from its own text', () => {
  assert.ok(MINOR_DIGITS.size > 150);
  for (const [code, digits] of MINOR_DIGITS) {
    assert.match(code, /^[A-Z]{3}$/);
    assert.ok([0, 2, 3, 4].includes(digits));
    assert.equal(currencyOf(code), code);
    // A unit of account counts only where a field is of a currency.
    const isOfPrices = isCurrencyCode(code);
    const text = `${code} 12.50`;
    const cents = Math.round(12.5 * 10 ** digits);
    assert.deepEqual(
      readMoney(text),
      isOfPrices ? { cents, currency: code } : { cents: 1250, currency: null },
      text,
    );
  }
});

test('hundredths become the number with at most two decimals, and come back', () => {
  for (const [cents, value] of [
    [1, 0.01],
    [10, 0.1],
    [110, 1.1],
    [1999, 19.99],
    [129900, 1299],
    [123456789012345, 1234567890123.45],
  ] as const) {
    assert.equal(dollars(cents), value);
    assert.equal(readAmount(dollars(cents)), cents);
  }
});

/** How a country writes an amount; `cents` has at least one whole unit. */
type Style = readonly [thousands: string, decimal: string, before: string, after: string];

const STYLES: readonly Style[] = [
  [',', '.', 'US$', ''],
  [',', '.', '£', ''],
  ['.', ',', '', ' €'],
  ['\u00a0', ',', '', '\u00a0€'],
  ['\u202f', ',', '', ' €'],
  [' ', ',', '', ' Kč'],
  ['.', ',', 'R$ ', ''],
  ['\u2019', '.', 'CHF ', ''],
  [',', '.', 'HK$', ''],
  [' ', ',', '', ' zł'],
  ['.', ',', '', ' TL'],
  [',', '.', 'AED ', ''],
  ['', '.', '', ' SEK'],
  ['.', ',', '₺', ''],
];

function written(cents: number, [thousands, decimal, before, after]: Style): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${before}${whole}${decimal}${String(cents % 100).padStart(2, '0')}${after}`;
}

test('an amount written in the style of any country is read back', () => {
  const seed = seedOf(20261120);
  const random = randomFrom(seed);
  for (let round = 0; round < 20_000; round += 1) {
    const cents = 1 + integerBelow(random, 10 ** (1 + integerBelow(random, 10)));
    const text = written(cents, pick(random, STYLES));
    assert.equal(readMoney(text)?.cents, cents, `${text}, seed ${seed}`);
  }
});

test('any text at all is read without throwing, and amounts are whole and positive', () => {
  const seed = seedOf(4711);
  const random = randomFrom(seed);
  const pieces = [
    ..."0 1 2 3 4 5 6 7 8 9 . , ' - € $ £ % e E ( ) / : k r".split(' '),
    ' ',
    '\u00a0',
    'USD',
    'Rs.',
    '٣',
    '٫',
    '\ud800',
    '½',
    '{}',
    '\0',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: integerBelow(random, 24) }, () => pick(random, pieces)).join(
      '',
    );
    for (const cents of [readMoney(text)?.cents ?? null, readAmount(text)]) {
      const fits = cents === null || (Number.isSafeInteger(cents) && cents > 0);
      assert.ok(fits, `${JSON.stringify(text)}, seed ${seed}`);
    }
    currencyOf(text);
  }
});

test('a text of any length ends in an answer', () => {
  for (const text of [
    '1,'.repeat(50_000),
    '1 '.repeat(50_000),
    '$'.repeat(100_000),
    '9'.repeat(1e6),
  ]) {
    assert.equal(readAmount(text), null);
    readMoney(text);
    currencyOf(text);
  }
  assert.deepEqual(readMoney(`$5.00 ${'x '.repeat(100_000)}`), { cents: 500, currency: null });
  assert.equal(readMoney(`${'x '.repeat(100_000)} $5.00`), null, 'a page is not a price text');
});
