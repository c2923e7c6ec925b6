// Amounts as integers in the minor unit of their currency (D87): the table of decimals, and what is written is read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MINOR_DIGITS } from '../../../src/base/listing/money/currencies.ts';
import {
  amountOf,
  decimalText,
  decimalsOf,
  inCurrency,
  isSameAmount,
  moneyOfDigits,
  ofHundredths,
} from '../../../src/base/listing/money/minor-units.ts';
import { readMoney, readValue } from '../../../src/base/listing/money/money.ts';
import { isMoneyOfNines, isPriceBacked } from '../../../src/base/listing/money/nines.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

/** The codes in use by ISO 4217, without metals and test codes, by their number of decimals. */
const ISO: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
    COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD
    PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD
    TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
/** Not in use any more, but on pages that were recorded. */
const FORMER = ['ANG', 'HRK'];

test('the table has every code of ISO 4217 with its decimals, and an unknown currency is counted in hundredths', () => {
  const codes = Object.entries(ISO).flatMap(([decimals, text]) =>
    text.split(/\s+/).map((code) => [code, Number(decimals)] as const),
  );
  assert.equal(new Set(codes.map(([code]) => code)).size, codes.length);
  for (const [code, decimals] of codes) assert.equal(decimalsOf(code), decimals, code);
  const known = [...codes.map(([code]) => code), ...FORMER];
  assert.deepEqual([...MINOR_DIGITS.keys()].toSorted(), known.toSorted());
  assert.equal(decimalsOf(null), 2);
});

test('an amount is written with the decimals of its currency, and as the number nearest to that text', () => {
  const table: readonly (readonly [number, string | null, string, number])[] = [
    [1980, 'JPY', '1980', 1980],
    [1, 'JPY', '1', 1],
    [1990, 'USD', '19.90', 19.9],
    [5, 'EUR', '0.05', 0.05],
    [4567, 'KWD', '4.567', 4.567],
    [7, 'KWD', '0.007', 0.007],
    [123_456, 'CLF', '12.3456', 12.3456],
    [1990, null, '19.90', 19.9],
  ];
  for (const [cents, currency, text, number] of table) {
    assert.equal(decimalText({ cents, currency }), text);
    assert.equal(amountOf({ cents, currency }), number);
  }
});

test('digits are rounded half up to the decimals of the currency; zero and more than fifteen digits are not an amount', () => {
  const table: readonly (readonly [string, string, string | null, number | null])[] = [
    ['1980', '', 'JPY', 1980],
    ['1980', '499', 'JPY', 1980],
    ['1980', '5', 'JPY', 1981],
    ['0', '4', 'JPY', null],
    ['0', '5', 'JPY', 1],
    ['4', '567', 'KWD', 4567],
    ['4', '5675', 'KWD', 4568],
    ['19', '995', 'USD', 2000],
    ['12', '34565', 'CLF', 123_457],
    ['999999999999', '999', 'KWD', 999_999_999_999_999],
    ['9999999999999', '999', 'KWD', null],
    ['', '', 'USD', null],
  ];
  for (const [integer, fraction, currency, cents] of table) {
    const money = moneyOfDigits(integer, fraction, currency);
    assert.equal(money?.cents ?? null, cents, `${integer}.${fraction} ${currency}`);
  }
});

test('an amount whose currency is only known later is counted in its unit then, with the decimals that were stated', () => {
  const yen = readValue('1980', null);
  const dinars = readValue(4.567, null);
  assert.ok(yen !== null && dinars !== null);
  assert.deepEqual(inCurrency(yen, 'JPY'), { cents: 1980, currency: 'JPY' });
  assert.deepEqual(inCurrency(yen, 'USD'), { cents: 198_000, currency: 'USD' });
  assert.deepEqual(inCurrency(dinars, 'KWD'), { cents: 4567, currency: 'KWD' });
  assert.deepEqual(inCurrency(dinars, 'EUR'), { cents: 457, currency: 'EUR' });
  assert.deepEqual(inCurrency(dinars, 'JPY'), { cents: 5, currency: 'JPY' });
  assert.equal(inCurrency({ cents: 49, currency: null }, 'JPY'), null);
  assert.deepEqual(ofHundredths(0, 'JPY'), { cents: 0, currency: 'JPY' });
  assert.deepEqual(ofHundredths(457, 'KWD'), { cents: 4570, currency: 'KWD' });
  assert.ok(isSameAmount(yen, { cents: 1980, currency: 'JPY' }));
  assert.ok(isSameAmount({ cents: 4567, currency: 'KWD' }, dinars));
  assert.ok(!isSameAmount({ cents: 4570, currency: 'KWD' }, dinars));
  assert.ok(!isSameAmount({ cents: 1980, currency: 'JPY' }, { cents: 1980, currency: 'USD' }));
});

test('nines are nines in every unit, and a list price supports them in its own', () => {
  const nines = [
    [9999, 'JPY'],
    [999, 'KRW'],
    [999_000, 'KWD'],
    [999_900, 'KWD'],
    [999_990, 'KWD'],
    [9_999_999, 'KWD'],
    [99_990, 'USD'],
  ] as const;
  for (const [cents, currency] of nines) {
    assert.ok(isMoneyOfNines({ cents, currency }), `${cents} ${currency}`);
  }
  const others = [
    [99_900, 'JPY'],
    [99, 'JPY'],
    [999_909, 'KWD'],
    [99_900, 'KWD'],
  ] as const;
  for (const [cents, currency] of others) {
    assert.ok(!isMoneyOfNines({ cents, currency }), `${cents} ${currency}`);
  }
  const price = { cents: 9999, currency: 'JPY' };
  const listPrice = { cents: 10_500, currency: 'JPY' };
  assert.ok(isPriceBacked({ price, listPrice, instalmentTotal: null }));
});

const LOCALES =
  `en-US en-GB en-IN en-ZA en-AU de-DE de-CH de-AT fr-FR fr-CA fr-CH es-ES es-MX es-AR it-IT it-CH nl-NL nl-BE
  pt-BR pt-PT pl-PL cs-CZ sk-SK sl-SI hr-HR hu-HU ro-RO bg-BG el-GR sv-SE nb-NO da-DK fi-FI et-EE lv-LV lt-LT tr-TR ru-RU
  uk-UA ja-JP`.split(/\s+/);

test('300 prices as 40 countries write them are read back in the minor unit of their currency', () => {
  const seed = seedOf(87);
  const random = randomFrom(seed);
  assert.equal(LOCALES.length, 40);
  const codes = [...MINOR_DIGITS.keys()].filter((code) => !'CLF UYW'.includes(code));
  for (let round = 0; round < 300; round += 1) {
    const locale = pick(random, LOCALES);
    // Half of them in a currency that has not two decimals.
    const currency =
      round % 2 === 0 ? pick(random, codes) : pick(random, 'JPY KRW VND CLP KWD TND'.split(' '));
    const decimals = decimalsOf(currency);
    const digits = {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    };
    const format = new Intl.NumberFormat(locale, digits);
    const comma = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value === ',';
    // Three digits after a comma alone are thousands, but in Tunisia; after thousands there is no doubt.
    const least = decimals === 3 && comma && currency !== 'TND' ? 10_000_000 : 1;
    const cents = least + integerBelow(random, 10 ** (1 + integerBelow(random, 9)));
    const answered = `${locale} ${currency} ${cents}, seed ${seed}`;
    const money = { cents, currency };
    const shown = format.format(amountOf(money));
    if (currency !== 'IQD' && MINOR_DIGITS.has(currency) && readMoney(`${currency} 1`)?.currency) {
      assert.deepEqual(readMoney(`${currency} ${shown}`), money, answered);
      assert.deepEqual(readMoney(`${shown}\u00a0${currency}`), money, answered);
      assert.deepEqual(readMoney(shown, { currency }), money, answered);
    }
    assert.deepEqual(readValue(amountOf(money), currency), money, answered);
    if (currency !== 'IQD')
      assert.deepEqual(readValue(decimalText(money), currency), money, answered);
  }
});
