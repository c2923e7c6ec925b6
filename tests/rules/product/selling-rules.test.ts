import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Dimensions } from '../../../src/base/listing/listing.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import {
  restrictedSomewhere,
  ruledOut,
  type Measures,
} from '../../../src/rules/product/selling-rules.ts';
import type { Restriction } from '../../../src/base/listing/seller.ts';

const NOTHING: Measures = {
  weightLbs: null,
  weightAssembledLbs: null,
  weightPackageLbs: null,
  dimensionsPackage: null,
};

const isRuledOut = (measures: Partial<Measures>, retailer = 'retailer_w') => {
  const found = ruledOut(retailer, { ...NOTHING, ...measures });
  assert.ok(found === null || !found.enabled, 'a rule never gives a yes');
  return found !== null;
};

test('over 500 lb retailer_w does not fulfil; at 500 lb, or without a weight, nothing is known', () => {
  assert.deepEqual(ruledOut('retailer_w', { ...NOTHING, weightPackageLbs: 500.01 }), {
    enabled: false,
    reason: 'Over 500 lb: not accepted for fulfilment.',
  });
  assert.ok(!isRuledOut({ weightPackageLbs: 500 }));
  assert.ok(!isRuledOut({}));
  assert.ok(isRuledOut({ weightLbs: 501 }), 'packed it weighs no less');
  assert.ok(isRuledOut({ weightAssembledLbs: 501 }));
  assert.ok(
    !isRuledOut({ weightPackageLbs: 40, weightLbs: 501 }),
    "the package's own weight counts",
  );
});

const sides = (
  heightIn: number | null,
  widthIn: number | null,
  lengthIn: number | null,
): Dimensions => ({ heightIn, widthIn, lengthIn });

test('a package over 120 x 105 x 93 in is ruled out, whichever side is called what', () => {
  const cases: readonly (readonly [Dimensions, boolean])[] = [
    [sides(120, 105, 93), false],
    [sides(93, 120, 105), false],
    [sides(10, 10, 121), true],
    [sides(106, 10, 110), true],
    [sides(94, 95, 94), true],
    [sides(10, 10, 119), false],
  ];
  for (const [dimensionsPackage, isOut] of cases) {
    assert.equal(isRuledOut({ dimensionsPackage }), isOut, JSON.stringify(dimensionsPackage));
  }
});

test('sides that are not known can only make it larger', () => {
  assert.ok(isRuledOut({ dimensionsPackage: sides(121, null, null) }));
  assert.ok(isRuledOut({ dimensionsPackage: sides(null, 106, 106) }));
  assert.ok(!isRuledOut({ dimensionsPackage: sides(null, 110, null) }));
  assert.ok(!isRuledOut({ dimensionsPackage: sides(null, 110, 100) }));
  assert.ok(!isRuledOut({ dimensionsPackage: sides(null, null, null) }));
});

test('no other retailer has such a rule here', () => {
  const huge = { weightPackageLbs: 9_000, dimensionsPackage: sides(900, 900, 900) };
  for (const slug of [...KNOWN_SLUGS, 'somewhere', 'constructor']) {
    assert.equal(isRuledOut(huge, slug), slug === 'retailer_w', slug);
  }
});

const listing = (retailer: string, restriction: Restriction | null) => ({
  retailer,
  url: `https://${retailer}.example/`,
  restriction,
  fulfillmentEligibility: null,
});
const FREE: Restriction = { flag: false, reason: null };

test('without an answer the restriction is unknown, which is not "no restriction"', () => {
  assert.equal(restrictedSomewhere([]), null);
  assert.equal(restrictedSomewhere([listing('retailer_w', null)]), null);
});

test('the answers are summed up: where it is restricted, and the first reason that is stated', () => {
  assert.deepEqual(
    restrictedSomewhere([listing('retailer_w', null), listing('retailer_a', FREE)]),
    {
      any: false,
      retailers: [],
      primaryReason: null,
    },
  );
  const found = restrictedSomewhere([
    listing('retailer_w', FREE),
    listing('retailer_a', { flag: true, reason: null }),
    listing('retailer_e', { flag: true, reason: 'ask first' }),
  ]);
  assert.deepEqual(found, {
    any: true,
    retailers: ['retailer_a', 'retailer_e'],
    primaryReason: 'ask first',
  });
});
