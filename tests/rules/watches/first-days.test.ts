// Prices of the first days of a watched listing (D89): which of them watches use, and which wait for a second reading.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import type { Observation } from '../../../src/rules/history/daily-bars.ts';
import { watchDoubt, watchedBars } from '../../../src/rules/watches/first-days.ts';

const START_MS = Date.UTC(2026, 10, 1, 12);

/** `35` a day after the price before, `35@2h` two hours after it; `-` is out of stock. */
function readings(text: string): readonly Observation[] {
  let observedAtMs = START_MS - DAY_MS;
  return text.split(' ').map((each) => {
    const [price = '', after = '24h'] = each.split('@');
    observedAtMs += Number(after.slice(0, -1)) * (after.endsWith('h') ? HOUR_MS : 60_000);
    const priceCents = price === '-' ? null : Math.round(Number(price) * 100);
    return { observedAtMs, priceCents, inStock: priceCents !== null };
  });
}

/** Per reading, as watches saw it then: `.` used, `?` waits to be repeated, `x` in doubt for another reason, `-` no price. */
function seenAs(text: string): string {
  const all = readings(text);
  return all
    .map(({ priceCents }, at) => {
      if (priceCents === null) return '-';
      const doubt = watchDoubt(all.slice(0, at + 1), []);
      return doubt === null ? '.' : doubt === 'unrepeated' ? '?' : 'x';
    })
    .join('');
}

const CASES: readonly (readonly [what: string, readings: string, seenAs: string])[] = [
  ['a slip, and the price again an hour later', '50 35 0.35 35@1h', '..?.'],
  ['a fall that is repeated', '50 20 20@1h', '.?.'],
  ['a fall that is not repeated', '20 50 20@1h 20', '.?..'],
  ['a rise that is repeated', '20 50 50@1h 50', '.?..'],
  ['a fall that is taken back', '50 20 50@1h', '.?.'],
  ['a fall that is repeated too early, and then', '50 20 20@59m 20@1m', '.??.'],
  ['a fall that is repeated the next day only', '50 20 20', '.?.'],
  ['exactly half, and exactly double', '50 25 50 100', '....'],
  ['a cent less than half, a cent more than double', '50 24.99 24.99@1h', '.?.'],
  ['a cent more than double', '50 100.01 100.01@1h', '.?.'],
  ['a fall that is repeated about as low', '50 20 24@1h', '.?.'],
  ['a fall that goes on falling', '50 20 9@1h 9', '.??.'],
  ['a fall that ends above half', '50 20 30@1h', '.?.'],
  ['three prices end the first days', '50 50 50 20', '....'],
  ['three prices within two hours end them', '50 50@1h 50@1h 20@1h', '....'],
  ['three prices within an hour do not', '50 50@20m 50@20m 20@20m', '...?'],
  ['prices that nobody repeated do not count', '50 20 50 120 50 20', '.?.?..'],
  ['a stock that ran out in between', '50 - 20 - 20', '.-?-.'],
  ['the first price of all', '0.35', '.'],
];

test('until three prices are believed, a change beyond half or double waits until a later reading repeats it', () => {
  for (const [what, text, expected] of CASES) assert.equal(seenAs(text), expected, what);
});

test('prices in another order of arrival are in the same doubt', () => {
  for (const [what, text] of CASES) {
    const all = readings(text);
    assert.equal(watchDoubt(all.toReversed(), []), watchDoubt(all, []), what);
  }
});

test('a fall that was not repeated is not a low, and a pending one is not one yet', () => {
  const lowest = (text: string): number =>
    Math.min(...watchedBars(readings(text), []).map(({ lowCents }) => lowCents));
  assert.equal(lowest('50 20 50 45'), 4_500);
  assert.equal(lowest('50 20'), 5_000);
  assert.equal(lowest('50 20 20@1h'), 2_000);
});
