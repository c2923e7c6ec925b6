import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import type { Observation } from '../../../src/rules/history/daily-bars.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { recordedInstant } from '../../../src/rules/history/recorded-instant.ts';
import { watchObservationOf } from '../../../src/rules/watches/watch-observation.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

const seen = (cents: number, ...days: readonly number[]): readonly Observation[] =>
  days.map((day) => ({ observedAtMs: NOW - day * DAY_MS, priceCents: cents, inStock: true }));

const stored = {
  id: 'l',
  retailer: 'retailer_w',
  key: '1',
  url: 'https://shop.example/1',
  foundVia: 'native_catalog',
  fetchedAtMs: NOW,
  listing: { ...EMPTY_LISTING, price: { cents: 24_000, currency: 'USD' }, inStock: true },
} as const;

const earlier = seen(2_000, 9, 8, 7, 6, 5);

test('a price far above all before it is not believed, unless another retailer asks about as much', () => {
  const read = { stored, observedAtMs: NOW, currency: 'USD', earlier, isTied: true };
  assert.equal(watchObservationOf({ ...read, peers: [] }).suspicion, 'above_level');
  assert.equal(watchObservationOf({ ...read, peers: [seen(2_100, 0)] }).suspicion, 'above_level');
  assert.equal(watchObservationOf({ ...read, peers: [seen(22_000, 0)] }).suspicion, null);
});

test('an observation that is stored at its whole second already is not one before itself', () => {
  const fetchedAtMs = NOW + 123;
  const listing = { ...stored.listing, price: { cents: 1_500, currency: 'USD' } };
  const observations = [...earlier, ...seen(1_500, 0)];
  const observedAtMs = recordedInstant(fetchedAtMs, observations);
  const read = {
    stored: { ...stored, fetchedAtMs, listing },
    observedAtMs,
    currency: 'USD',
    earlier: observations,
  };
  const observed = watchObservationOf({ ...read, peers: [], isTied: true });
  assert.deepEqual(observed.lows, { 30: 2_000, 90: 2_000 });
  assert.equal(observed.atMs, fetchedAtMs);
});

test('the other currency of a price is seen where something can be bought in it', () => {
  const currencyOf = (listing: object) =>
    watchObservationOf({
      stored: { ...stored, listing: { ...stored.listing, ...listing } },
      observedAtMs: NOW,
      currency: 'USD',
      earlier: [],
      peers: [],
      isTied: true,
    }).otherCurrency;
  const price = { cents: 1_500, currency: 'CAD' };
  assert.equal(currencyOf({}), null);
  assert.equal(currencyOf({ price }), 'CAD');
  assert.equal(currencyOf({ price: { cents: 1_500, currency: null } }), '');
  assert.equal(currencyOf({ price, inStock: false }), null);
  assert.equal(currencyOf({ price: null }), null);
});
