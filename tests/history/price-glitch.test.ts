import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../src/core/clock.ts';
import { glitchesIn } from '../../src/history/price-glitch.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';

/** Prices once a day; a pair gives the hours since the one before. */
function days(...prices: readonly (number | readonly [cents: number, hours: number])[]) {
  let observedAtMs = 0;
  return prices.map((each) => {
    const [priceCents, hours] = typeof each === 'number' ? [each, 24] : each;
    observedAtMs += hours * HOUR_MS;
    return { observedAtMs, priceCents };
  });
}

const CASES: readonly (readonly [string, ReturnType<typeof days>, readonly number[]])[] = [
  ['nothing', [], []],
  ['one price has nobody to speak against it', days(1), []],
  ['two prices that differ: nobody knows which', days(2_000, 20), []],
  ['a lost decimal point', days(2_000, 2_000, 20_000, 2_000, 2_000), [2]],
  ['cents read as dollars', days(2_000, 2_000, 200_000, 2_000, 2_000), [2]],
  ['a hundredth of the price', days(2_000, 2_000, 20, 2_000, 2_000), [2]],
  [
    'seen again and again within the hour',
    days(2_000, 2_000, 1, [1, 0.5], [1, 0.4], 2_000, 2_000),
    [2, 3, 4],
  ],
  ['a sale of nine tenths, seen once', days(2_000, 2_000, 200, 2_000, 2_000), []],
  ['a sale of nine tenths that lasts', days(2_000, 2_000, 200, 200, 200, 200, 2_000, 2_000), []],
  ['four times the price for a day', days(2_000, 2_000, 8_000, 2_000, 2_000), []],
  [
    'a jump that stays, once three prices agree',
    days(2_000, 2_000, 2_000, 20_000, 20_000, 20_000),
    [],
  ],
  ['a jump that is new is marked until then', days(2_000, 2_000, 2_000, 20_000), [3]],
  ['the first price of all', days(20, 2_000, 2_000, 2_000), [0]],
  [
    'two glitches near each other do not support each other',
    days(2_000, 2_000, 20, 2_000, 20, 2_000, 2_000),
    [2, 4],
  ],
];

for (const [name, prices, marked] of CASES) {
  test(`${name}: ${marked.length === 0 ? 'none' : `places ${marked.join(', ')}`} marked`, () => {
    assert.deepEqual([...glitchesIn(prices)], marked);
  });
}

test('a scale does not matter, and a price that nothing contradicts is never marked', (t) => {
  const seed = seedOf(41);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 300; round += 1) {
    const calm = Array.from({ length: integerBelow(random, 50) }, (_, at) => ({
      observedAtMs: at * DAY_MS + integerBelow(random, DAY_MS),
      priceCents: 1_000 + integerBelow(random, 3_000),
    }));
    assert.equal(glitchesIn(calm).size, 0);
    const wild = calm.map((each) => ({ ...each, priceCents: 1 + integerBelow(random, 1_000_000) }));
    const scaled = wild.map((each) => ({ ...each, priceCents: each.priceCents * 3 }));
    assert.deepEqual([...glitchesIn(scaled)], [...glitchesIn(wild)]);
  }
});
