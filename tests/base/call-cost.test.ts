import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  ADD_ON_TOKENS,
  costOf,
  mostItCanCost,
  type AddOn,
  type AddOns,
} from '../../src/base/call-cost.ts';

const ADD_ONS = Object.keys(ADD_ON_TOKENS) as readonly AddOn[];
const HELD = { barsHeld: true };
const NONE = { barsHeld: false };

function product(...asked: readonly AddOn[]) {
  return { kind: 'product' as const, addOns: flags(asked) };
}

function flags(asked: readonly AddOn[]): AddOns {
  return Object.fromEntries(asked.map((name) => [name, true]));
}

test('calls cost what the table of the specification says', () => {
  const table: readonly [number, readonly AddOn[]][] = [
    [1, []],
    [3, ['includeCrossRetailer']],
    [4, ['includeSellerContext']],
    [6, ['includeOffersReviews']],
    [6, ['includeOffers']],
    [6, ['includeOffersHistory']],
    [11, ['includePriceSeries']],
    [11, ['includeCrossRetailer', 'includeSellerContext', 'includeOffersReviews']],
    [6, ['includeOffers', 'includeOffersReviews']],
    [4, ['includeForceRefresh']],
  ];
  for (const [tokens, asked] of table) {
    assert.equal(costOf(product(...asked), HELD), tokens, asked.join(' + '));
    assert.equal(mostItCanCost(product(...asked)), tokens, asked.join(' + '));
  }
});

test('each other endpoint has its price', () => {
  assert.equal(mostItCanCost({ kind: 'history' }), 2);
  assert.equal(mostItCanCost({ kind: 'reviews' }), 3);
  assert.equal(mostItCanCost({ kind: 'seller' }), 2);
  assert.equal(mostItCanCost({ kind: 'compare' }), 3);
  assert.equal(mostItCanCost({ kind: 'free' }), 0);
  assert.equal(mostItCanCost({ kind: 'refresh', addOns: { includeOffersReviews: true } }), 9);
  assert.equal(mostItCanCost({ kind: 'refresh', addOns: { includeOffersReviews: false } }), 4);
  const refreshed = { kind: 'refresh' as const, addOns: { includeForceRefresh: true } };
  assert.equal(mostItCanCost(refreshed), 4, 'a refresh is paid once');
});

test('a price series with no bars costs nothing', () => {
  assert.equal(costOf(product('includePriceSeries'), NONE), 1);
  assert.equal(costOf(product('includePriceSeries', 'includeOffers'), NONE), 6);
});

test('every combination is the base plus each add-on asked for, live offers once', () => {
  const extra: Record<AddOn, number> = {
    includeOffersReviews: 5,
    includeOffers: 5,
    includeCrossRetailer: 2,
    includeSellerContext: 3,
    includeOffersHistory: 5,
    includePriceSeries: 10,
    includeForceRefresh: 3,
  };
  assert.equal(ADD_ONS.length, 7);
  for (let bits = 0; bits < 2 ** ADD_ONS.length; bits += 1) {
    const asked = ADD_ONS.filter((_, index) => (bits & (1 << index)) !== 0);
    const both = asked.includes('includeOffers') && asked.includes('includeOffersReviews');
    const full = asked.reduce((sum, name) => sum + extra[name], 1) - (both ? 5 : 0);
    const series = asked.includes('includePriceSeries') ? 10 : 0;
    for (const kind of ['product', 'refresh'] as const) {
      const forced = kind === 'refresh' && !asked.includes('includeForceRefresh') ? 3 : 0;
      const call = { kind, addOns: flags(asked) };
      const name = `${kind} ${asked.join(' + ')}`;
      assert.equal(mostItCanCost(call), full + forced, name);
      assert.equal(costOf(call, HELD), full + forced, name);
      assert.equal(costOf(call, NONE), full + forced - series, name);
    }
  }
});
