import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { seenIn, spanOfSeen } from '../../../src/rules/history/seen-in.ts';
import type { StoredObservation } from '../../../src/rules/history/year-state.ts';

const at = (day: number, cents: number | null, currency: string | null): StoredObservation => ({
  observedAtMs: day * DAY_MS,
  inStock: cents !== null,
  priceCents: currency === 'USD' ? cents : null,
  native: currency === 'USD' || cents === null ? null : { cents, currency },
});

const STORED = [
  at(10, 2_000, 'USD'),
  at(11, 1_900, 'EUR'),
  at(12, null, 'USD'),
  at(13, 1_800, null),
  at(14, 1_950, 'EUR'),
];

test('in dollars observations are as they are stored', () => {
  assert.equal(seenIn(STORED, 'USD'), STORED);
});

test('in another currency its prices count, dollars are another currency, and an unknown one is in none', () => {
  const cents = (currency: string) => seenIn(STORED, currency).map(({ priceCents }) => priceCents);
  assert.deepEqual(cents('EUR'), [null, 1_900, null, null, 1_950]);
  assert.deepEqual(cents('JPY'), [null, null, null, null, null]);
  const natives = seenIn(STORED, 'EUR').map(({ native }) => native?.currency);
  assert.deepEqual(natives, ['USD', undefined, undefined, null, undefined]);
});

test('a span counts the days with a price in the currency, and ends where the history does', () => {
  assert.deepEqual(spanOfSeen(seenIn(STORED, 'EUR')), {
    firstDay: '1970-01-11',
    lastDay: '1970-01-15',
    daysCovered: 2,
  });
  assert.equal(spanOfSeen([]).firstDay, null);
});
