// What the chart draws from observations: every observed price has a mark.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasGap, loneDays, seriesOf } from '../../console/series.js';

const DAY_MS = 86_400_000;
const TO_MS = Date.parse('2026-11-26T12:00:00Z');

/** The last 30 days of one shop, checked this many days ago at these prices. */
function shopOf(looks: readonly (readonly [daysAgo: number, price: number | null])[]) {
  const observations = looks.map(([daysAgo, price]) => ({
    observed_at: new Date(TO_MS - daysAgo * DAY_MS).toISOString(),
    price,
    in_stock: price !== null,
    retailer: 'retailer_w',
  }));
  const span = { fromMs: TO_MS - 29 * DAY_MS, toMs: TO_MS, withSuspect: false };
  const [shop] = seriesOf(observations, span).shops;
  assert.ok(shop);
  return shop;
}

const ALONE = [
  { name: 'one look', looks: [[10, 5]], alone: [10] },
  { name: 'today alone', looks: [[0, 5]], alone: [0] },
  {
    name: 'a look between two silences',
    looks: [
      [25, 5],
      [24, 5],
      [15, 4],
      [1, 5],
      [0, 5],
    ],
    alone: [15],
  },
  {
    name: 'a look between two days out of stock',
    looks: [
      [12, null],
      [11, 5],
      [10, null],
    ],
    alone: [11],
  },
  {
    name: 'looks that a held price joins',
    looks: [
      [7, 5],
      [0, 4],
    ],
    alone: [],
  },
] as const;

for (const { name, looks, alone } of ALONE) {
  test(`a price that no line reaches is a point: ${name}`, () => {
    const drawn = shopOf(looks).close;
    assert.deepEqual(
      loneDays(drawn).map((at) => drawn.length - 1 - at),
      alone,
    );
  });
}

const SILENCES = [
  {
    name: 'two looks within a week',
    looks: [
      [8, 5],
      [1, 4],
    ],
    has: false,
  },
  {
    name: 'two looks with more between them',
    looks: [
      [9, 5],
      [1, 4],
    ],
    has: true,
  },
  {
    name: 'a week out of stock between two prices',
    looks: [
      [14, 5],
      [7, null],
      [0, 5],
    ],
    has: false,
  },
  { name: 'a look long ago, and none since', looks: [[25, 5]], has: false },
] as const;

for (const { name, looks, has } of SILENCES) {
  test(`a gap is told of where a line has one: ${name}`, () => {
    assert.equal(hasGap(shopOf(looks)), has);
  });
}
