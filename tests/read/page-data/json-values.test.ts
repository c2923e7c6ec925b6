import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as values from '../../../src/read/page-data/json/json-values.ts';

const usd = (cents: number) => ({ cents, currency: 'USD' });

const CASES: readonly (readonly [string, unknown, unknown])[] = [
  [
    'a line with references and markup',
    values.lineAt({ a: '<mark>Blue</mark> &amp; red' }, 'a'),
    'Blue & red',
  ],
  ['no line of blanks', values.lineAt({ a: '  ' }, 'a'), null],
  ['a comparison, which is not markup', values.lineAt({ a: '5 < 10' }, 'a'), '5 < 10'],
  ['prose without its markup', values.proseAt({ a: '<p>One</p><p>two</p>' }, 'a'), 'One two'],
  ['no prose of a number', values.proseAt({ a: 7 }, 'a'), null],
  ['a count with thousands', values.countAt({ a: '4,495' }, 'a'), 4495],
  ['no count below zero', values.countAt({ a: -1 }, 'a'), null],
  ['no count with a fraction', values.countAt({ a: 1.5 }, 'a'), null],
  ['no stars of zero', values.starsAt({ a: 0 }, 'a'), null],
  ['no stars beyond five', values.starsAt({ a: 6 }, 'a'), null],
  ['stars in a text', values.starsAt({ a: '4.5' }, 'a'), 4.5],
  ['a cost of nothing', values.costAt({ a: 0 }, 'a'), 0],
  ['a cost of nothing in words', values.costAt({ a: 'FREE' }, 'a'), 0],
  ['a cost of nothing as money', values.costAt({ a: '$0.00' }, 'a'), 0],
  ['a cost', values.costAt({ a: '$5.99' }, 'a'), 599],
  ['money as a number', values.moneyAt({ a: 24.5 }, 'a', 'USD'), usd(2450)],
  ['money as a text', values.moneyAt({ a: '$24.50' }, 'a', 'USD'), usd(2450)],
  [
    'money with its own sign',
    values.moneyAt({ a: '€24.50' }, 'a', 'USD'),
    { cents: 2450, currency: 'EUR' },
  ],
  [
    'money that nobody gives a currency',
    values.moneyAt({ a: 24.5 }, 'a', null),
    { cents: 2450, currency: null },
  ],
  [
    'money as an object',
    values.moneyAt({ a: { price: 24.5, currencyUnit: 'CAD' } }, 'a', 'USD'),
    { cents: 2450, currency: 'CAD' },
  ],
  [
    'money as an object’s text',
    values.moneyAt({ a: { price: null, priceString: '$9.00' } }, 'a', 'USD'),
    usd(900),
  ],
  ['no money of zero', values.moneyAt({ a: { price: 0 } }, 'a', 'USD'), null],
  [
    'a day as written, whatever the zone',
    values.dayAt({ a: '2026-11-23T23:30:00-06:00' }, 'a'),
    '2026-11-23',
  ],
  ['an American day', values.dayAt({ a: '2/5/2023' }, 'a'), '2023-02-05'],
  ['a day in milliseconds', values.dayAt({ a: 1_608_667_200_000 }, 'a'), '2020-12-22'],
  ['no day that does not exist', values.dayAt({ a: '2026-02-30' }, 'a'), null],
  ['no day of a small number', values.dayAt({ a: 20_260_101 }, 'a'), null],
  [
    'an address without a scheme',
    values.addressAt({ a: '//i.example/x' }, 'a', new URL('https://a.example/')),
    'https://i.example/x',
  ],
  ['no address of a script', values.addressAt({ a: 'javascript:alert(1)' }, 'a'), null],
  [
    'specifications once each',
    values.specsAt({ a: [{ name: 'A', value: 1 }, { name: 'A', value: 2 }, { name: 'B' }] }, 'a'),
    [{ name: 'A', value: '1' }],
  ],
  ['counts by star', values.starCounts([1, null, 3, 4, 5]), { 5: 5, 4: 4, 3: 3, 2: 0, 1: 1 }],
  ['no counts at all', values.starCounts([null, null]), null],
];

for (const [what, got, expected] of CASES) {
  test(`a path into a state gives ${what}`, () => {
    assert.deepEqual(got, expected);
  });
}
