import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { newestSuspicion } from '../../../src/rules/history/daily-bars.ts';
import { suspectPrices } from '../../../src/rules/history/price-glitch.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';

/** Returns daily prices; a pair states the hours since the previous one. */
function days(...prices: readonly (number | readonly [cents: number, hours: number])[]) {
  let observedAtMs = 0;
  return prices.map((each) => {
    const [priceCents, hours] = typeof each === 'number' ? [each, 24] : each;
    observedAtMs += hours * HOUR_MS;
    return { observedAtMs, priceCents };
  });
}

type Case = readonly [
  name: string,
  prices: ReturnType<typeof days>,
  marked: Readonly<Record<number, string>>,
];

const CASES: readonly Case[] = [
  ['nothing', [], {}],
  ['one price has nobody to speak against it', days(1), {}],
  ['two prices that differ: nobody knows which', days(2_000, 20), {}],
  ['a lost decimal point', days(2_000, 2_000, 20_000, 2_000, 2_000), { 2: 'above_level' }],
  ['twelve times the price', days(2_000, 2_000, 24_100, 2_000, 2_000), { 2: 'above_level' }],
  ['a hundredth of the price', days(2_000, 2_000, 20, 2_000, 2_000), { 2: 'hundredth' }],
  [
    'one cent, again and again within the hour',
    days(2_000, 2_000, 1, [1, 0.5], [1, 0.4], 2_000, 2_000),
    { 2: 'hundredth', 3: 'hundredth', 4: 'hundredth' },
  ],
  ['a sale of nine tenths, seen once', days(2_000, 2_000, 200, 2_000, 2_000), {}],
  ['a sale of nine tenths that lasts', days(2_000, 2_000, 200, 200, 200, 200, 2_000, 2_000), {}],
  ['four times the price for a day', days(2_000, 2_000, 8_000, 2_000, 2_000), {}],
  [
    'seven and a half times the price, however often',
    days(2_000, 2_000, 2_000, 15_100, 15_100, 15_100),
    {
      3: 'above_level',
      4: 'above_level',
      5: 'above_level',
    },
  ],
  ['the first price of all', days(20, 2_000, 2_000, 2_000), { 0: 'hundredth' }],
  [
    'two slips near each other do not support each other',
    days(2_000, 2_000, 20, 2_000, 20, 2_000, 2_000),
    { 2: 'hundredth', 4: 'hundredth' },
  ],
  [
    'three days with another slip each',
    days(2_000, 2_000, 2_000, 24_100, 20, 200_000, 2_000),
    { 3: 'above_level', 4: 'hundredth', 5: 'above_level' },
  ],
  [
    'pesos read as dollars',
    days(2_000, 2_000, 2_000, 36_800, 36_900, 2_000),
    {
      3: 'currency',
      4: 'currency',
    },
  ],
  ['a deep fall, seen once', days(2_000, 2_000, 2_000, 120), { 3: 'deep_fall' }],
  ['a deep fall, seen once and over', days(2_000, 2_000, 2_000, 120, 2_000), { 3: 'deep_fall' }],
  [
    'a deep fall, repeated after half an hour',
    days(2_000, 2_000, 2_000, 120, [120, 0.5]),
    {
      3: 'deep_fall',
      4: 'deep_fall',
    },
  ],
  ['a deep fall, repeated after an hour', days(2_000, 2_000, 2_000, 120, [120, 1], [120, 1]), {}],
  [
    'after a deep fall that was believed the ordinary price is one',
    days(2_000, 2_000, 2_000, 120, 120, 120, 120, 2_000),
    {},
  ],
  [
    'a hundredth after which the price is back is a slip, however often it was seen',
    days(2_000, 2_000, 1_900, 20, 20, 20, 2_000),
    { 3: 'hundredth', 4: 'hundredth', 5: 'hundredth' },
  ],
  [
    'ten times the price of a sale, and the sale goes on',
    days(10_000, 10_000, 10_000, 1_700, 1_700, 17_000, 1_700, 1_700),
    { 5: 'above_level' },
  ],
  ['the end of a sale', days(10_000, 10_000, 10_000, 1_500, 1_500, 1_500, 1_500, 10_000), {}],
];

for (const [name, prices, marked] of CASES) {
  const places = Object.keys(marked);
  test(`${name}: ${places.length === 0 ? 'none' : `places ${places.join(', ')}`} marked`, () => {
    assert.deepEqual(Object.fromEntries(suspectPrices(prices)), marked);
  });
}

const KNOWN = days(2_000, 2_000, 2_000);
const RUN = Array.from({ length: 40 }, (_, day) => ({
  observedAtMs: (day + 4) * DAY_MS,
  priceCents: 24_100,
}));

test('a run is marked as a whole until it has lasted 30 days, and not at all from then on', () => {
  for (const length of [1, 2, 10, 30]) {
    const marked = suspectPrices([...KNOWN, ...RUN.slice(0, length)]);
    assert.equal(marked.size, length, `${length} days`);
  }
  assert.equal(suspectPrices([...KNOWN, ...RUN.slice(0, 31)]).size, 0);
  // If it ends earlier, it was never a price.
  const back = { observedAtMs: 40 * DAY_MS, priceCents: 2_000 };
  assert.equal(suspectPrices([...KNOWN, ...RUN.slice(0, 10), back]).size, 10);
});

test('what was before a price that lasted 30 days may be where it goes back to', () => {
  const back = days(...Array.from({ length: 5 }, () => 2_000)).map((each) => ({
    ...each,
    observedAtMs: each.observedAtMs + 50 * DAY_MS,
  }));
  const low = RUN.map((each) => ({ ...each, priceCents: 200_000 }));
  assert.equal(suspectPrices([...KNOWN, ...low, ...back]).size, 0);
});

test('another retailer that comes within a factor of two ends the suspicion of a run', () => {
  const prices = [...KNOWN, ...RUN.slice(0, 5)];
  const at = (priceCents: number, day: number) => [{ observedAtMs: day * DAY_MS, priceCents }];
  const cases: readonly (readonly [string, number, number, number])[] = [
    ['twice as much', 48_200, 6, 0],
    ['half as much', 12_050, 6, 0],
    ['more than twice as much', 48_300, 6, 5],
    ['less than half as much', 12_000, 6, 5],
    ['seen the day before the run', 24_100, 3, 0],
    ['seen long before the run', 24_100, 1, 5],
    ['seen after the newest price', 24_100, 20, 0],
  ];
  for (const [name, cents, day, marked] of cases) {
    assert.equal(suspectPrices(prices, at(cents, day)).size, marked, name);
  }
  const ended = [...prices, { observedAtMs: 9 * DAY_MS, priceCents: 2_000 }];
  assert.equal(suspectPrices(ended, at(24_100, 20)).size, 5, 'seen when the run was over');
});

test('only prices of others that are not slip themselves support one', () => {
  const seen = (prices: readonly { observedAtMs: number; priceCents: number }[]) =>
    prices.map((each) => ({ ...each, inStock: true }));
  const own = seen([...KNOWN, ...RUN.slice(0, 5)]);
  assert.equal(newestSuspicion(own), 'above_level');
  assert.equal(newestSuspicion(own, [seen([...KNOWN, ...RUN.slice(0, 5)])]), 'above_level');
  assert.equal(newestSuspicion(own, [seen(RUN.slice(0, 5))]), null);
});

test('prices that stay within four times each other are never marked', (t) => {
  const seed = seedOf(41);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 300; round += 1) {
    const calm = Array.from({ length: integerBelow(random, 50) }, (_, at) => ({
      observedAtMs: at * DAY_MS + integerBelow(random, DAY_MS),
      priceCents: 1_000 + integerBelow(random, 3_000),
    }));
    assert.equal(suspectPrices(calm).size, 0);
  }
});

test('of any prices whatever some are believed, and marks are the same in every order of their peers', (t) => {
  const seed = seedOf(42);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 300; round += 1) {
    const wild = Array.from({ length: 1 + integerBelow(random, 60) }, (_, at) => ({
      observedAtMs: at * DAY_MS + integerBelow(random, DAY_MS),
      priceCents: Math.ceil(10 ** (random() * 7)),
    }));
    const peers = wild.map((each) => ({ ...each, priceCents: Math.ceil(10 ** (random() * 7)) }));
    const marked = suspectPrices(wild, peers);
    assert.ok(marked.size < wild.length);
    assert.ok([...marked.keys()].every((place) => wild[place] !== undefined));
    assert.deepEqual([...suspectPrices(wild, peers.toReversed())], [...marked]);
  }
});
