// Whether the price was ever lower, as the console states it above the chart.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cheapestWords } from '../../console/chart-legend.js';
import { figuresOf, newestCheck, seriesOf } from '../../console/series.js';

const DAY_MS = 86_400_000;
const TO_MS = Date.parse('2026-11-26T12:00:00Z');

type Look = readonly [daysAgo: number, price: number | null];

function seriesFrom(shops: Readonly<Record<string, readonly Look[]>>, uncounted: string[] = []) {
  const observations = Object.entries(shops).flatMap(([retailer, looks]) =>
    looks.map(([daysAgo, price]) => ({
      observed_at: new Date(TO_MS - daysAgo * DAY_MS).toISOString(),
      price,
      in_stock: price !== null,
      retailer,
      counted: !uncounted.includes(retailer),
    })),
  );
  return seriesOf(observations, { fromMs: TO_MS - 29 * DAY_MS, toMs: TO_MS, withSuspect: false });
}

const words = (
  shops: Readonly<Record<string, readonly Look[]>>,
  sure: readonly string[] = [],
  uncounted: string[] = [],
) =>
  cheapestWords(seriesFrom(shops, uncounted), new Set(sure), {
    span: '30 days',
    currency: undefined,
  });

test('it names the lowest price, its shop and its last day, and the lowest of now', () => {
  const shops = {
    first: [
      [20, 9],
      [19, 9],
      [1, 12],
    ],
    second: [
      [20, 11],
      [1, 11],
    ],
  } as const;
  assert.equal(
    words(shops),
    'Lowest price in 30 days: $9.00 at first on 7 Nov 2026. Now: $11.00 at second.',
  );
});

test('where now is the lowest it says that it was never cheaper', () => {
  const shops = {
    first: [
      [20, 12],
      [0, 9],
    ],
  } as const;
  assert.equal(
    words(shops, ['first']),
    'Never cheaper in 30 days: $9.00 at first is the lowest confirmed price seen.',
  );
});

test('a shop that may sell another product is not called the cheapest, nor one that does not count', () => {
  const shops = {
    sure: [
      [9, 12],
      [0, 13],
    ],
    perhaps: [[0, 5]],
  } as const;
  assert.equal(
    words(shops, ['sure']),
    'Lowest confirmed price in 30 days: $12.00 at sure on 17 Nov 2026. Now: $13.00 at sure.',
  );
  assert.match(words(shops, [], ['perhaps']), /^Lowest price in 30 days: \$12\.00 at sure/);
});

test('a price of long ago, and one before it sold out, are not a price of now', () => {
  const old = { first: [[20, 9]] } as const;
  const soldOut = {
    first: [
      [5, 9],
      [0, null],
    ],
  } as const;
  assert.equal(words(old), 'Lowest price in 30 days: $9.00 at first on 6 Nov 2026.');
  assert.equal(words(soldOut), 'Lowest price in 30 days: $9.00 at first on 21 Nov 2026.');
});

test('the figures of a shop are of its days with a look', () => {
  const shop = seriesFrom({
    first: [
      [9, 10],
      [8, 8],
      [2, 8],
      [1, null],
    ],
  }).shops[0];
  assert.ok(shop);
  const at = 29 - 2;
  assert.deepEqual(figuresOf(shop), { lowest: 8, lowestAt: at, highest: 10, average: 26 / 3 });
  assert.equal(newestCheck(shop), 29 - 1);
});
