// Terms of two sources whose facts are kept together (D81): one must forbid whatever the other forbids.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  isAsStrict,
  termsWith,
  TERMS_SOURCES,
  type Terms,
} from '../../../src/rules/terms/profiles.ts';

const usual = termsWith(new Map());

test('a page binds nobody, and every source is as strict as itself', () => {
  for (const source of TERMS_SOURCES) {
    assert.ok(isAsStrict(usual(source), null), source);
    assert.ok(!isAsStrict(null, usual(source)), source);
    assert.ok(isAsStrict(usual(source), usual(source)), source);
  }
  assert.ok(isAsStrict(null, null));
});

/** The stricter one first. */
const ORDERED: readonly (readonly [string, string])[] = [
  ['retailer_a.creators', 'retailer_a.selling_partner'],
  ['retailer_w.affiliate', 'retailer_w.marketplace'],
];

test('what a partner programme states may not be kept as a seller’s own', () => {
  for (const [strict, loose] of ORDERED) {
    assert.ok(isAsStrict(usual(strict), usual(loose)), strict);
    assert.ok(!isAsStrict(usual(loose), usual(strict)), loose);
  }
});

const OPEN: Terms = {
  priceHours: null,
  identityHours: null,
  history: true,
  alerts: true,
  merge: 'yes',
  pictures: 'store',
  export: true,
  audience: 'everyone',
  notice: null,
};

const LIMITS: readonly Partial<Terms>[] = [
  { priceHours: 24 },
  { identityHours: 24 },
  { history: false },
  { alerts: false },
  { merge: 'isolated' },
  { pictures: 'link' },
  { pictures: 'none' },
  { export: false },
  { audience: 'operator' },
  { notice: 'Prices may have changed.' },
];

for (const limit of LIMITS) {
  test(`${JSON.stringify(limit)} is a limit that the other has to have`, () => {
    const limited = { ...OPEN, ...limit };
    assert.ok(isAsStrict(limited, OPEN));
    assert.ok(!isAsStrict(OPEN, limited));
  });
}

test('of two that each forbid something else neither covers the other', () => {
  const one = { ...OPEN, history: false };
  const other = { ...OPEN, priceHours: 6 };
  assert.ok(!isAsStrict(one, other) && !isAsStrict(other, one));
  assert.ok(isAsStrict({ ...OPEN, priceHours: 6 }, { ...OPEN, priceHours: 24 }));
  assert.ok(!isAsStrict({ ...OPEN, notice: 'a' }, { ...OPEN, notice: 'b' }));
});
