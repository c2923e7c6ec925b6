// Fulfilment fees: billed weight, size tiers and price bands at their boundaries, and parcels without a fee.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fulfillmentFee } from '../../../src/rules/fees/fulfillment-fee.ts';
import type { ParcelInput } from '../../../src/rules/fees/parcel.ts';
import { FULFILLMENT_CARDS } from '../../../src/rules/fees/rate-cards.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const W = 'retailer_w.wfs.2024';
const A = 'retailer_a.fba.2026-01-15';
const OLD = 'retailer_a.fba.2024-04-15';

const BOX: ParcelInput = {
  sidesIn: [9, 7, 3],
  weightLbs: 1.5,
  priceCents: 2500,
  isApparel: false,
  isHazmat: false,
};

function feeOf(id: string, parcel: Partial<ParcelInput>) {
  const card = FULFILLMENT_CARDS.find((each) => each.id === id);
  assert.ok(card, id);
  return fulfillmentFee(card, { ...BOX, ...parcel });
}

/** Returns cents, the tier and the billed pounds, or why there is no fee. */
function answered(id: string, parcel: Partial<ParcelInput>): readonly unknown[] {
  const fee = feeOf(id, parcel);
  if (fee.kind === 'unknown') return [fee.because];
  return [fee.cents, fee.sizeTier, fee.billedWeightLbs];
}

const cents = (id: string, parcel: Partial<ParcelInput>) => answered(id, parcel)[0];

test('retailer_w bills whole pounds of the greater weight and its packing', () => {
  for (const [sides, pounds, billed, fee] of [
    // Under a pound the unit weight counts, whatever its size.
    [[20, 20, 4], 0.99, 2, 495],
    [[20, 20, 4], 1, 12, 895],
    [[9, 7, 3], 0.75, 1, 345],
    [[9, 7, 3], 0.7501, 2, 495],
    [[9, 7, 3], 19.75, 20, 1215],
    [[9, 7, 3], 19.76, 21, 1555],
    [[9, 7, 3], 29.75, 30, 1915],
    [[9, 7, 3], 30, 31, 1455],
    [[9, 7, 3], 50, 51, 1755],
    [[9, 7, 3], 149.75, 150, 5715],
  ] as const) {
    const expected = [fee, 'standard', billed];
    assert.deepEqual(answered(W, { sidesIn: sides, weightLbs: pounds }), expected, `${pounds} lb`);
  }
});

test('retailer_w adds for clothing, dangerous goods, low prices and size', () => {
  const plain = cents(W, {});
  assert.equal(plain, 495);
  assert.equal(cents(W, { isApparel: true }), 545);
  assert.equal(cents(W, { isHazmat: true }), 545);
  assert.equal(cents(W, { isApparel: true, isHazmat: true, priceCents: 999 }), 695);
  assert.equal(cents(W, { priceCents: 1000 }), 495);
  const flat = (longest: number, median = 2) => answered(W, { sidesIn: [1, median, longest] });
  assert.deepEqual(flat(48), [495, 'standard', 2]);
  assert.deepEqual(flat(48.01), [795, 'oversize', 2]);
  assert.deepEqual(flat(31, 30)[1], 'standard');
  assert.deepEqual(flat(31, 30.01)[1], 'oversize');
  assert.deepEqual(flat(96)[1], 'oversize');
  // If lighter than 90 lb it counts as that: 90.25 rounds up.
  assert.deepEqual(flat(96.01), [1755 + 40 * 40 + 2000, 'additional_oversize', 91]);
  assert.deepEqual(flat(108)[1], 'additional_oversize');
});

test('what retailer_w adds for size is likely only, its table of weights sure', () => {
  for (const [longest, confidence] of [
    [48, 'sure'],
    [49, 'likely'],
    [100, 'likely'],
    [110, 'likely'],
  ] as const) {
    const fee = feeOf(W, { sidesIn: [1, 2, longest] });
    assert.equal(fee.kind === 'fee' && fee.confidence, confidence, String(longest));
  }
});

test('retailer_w looks at length and girth too', () => {
  const around = (side: number) => answered(W, { sidesIn: [45, side, 15] })[1];
  assert.equal(around(15), 'standard');
  assert.equal(around(15.01), 'oversize');
  assert.equal(around(27.5), 'oversize');
  assert.equal(around(27.51), 'additional_oversize');
  assert.equal(around(45), 'additional_oversize');
  assert.equal(answered(W, { sidesIn: [45, 45, 15.01] })[1], 'big_and_bulky');
});

test('what is big and bulky at retailer_w has a fee of its own, and what it does not take has none', () => {
  const long = (longest: number, pounds: number) =>
    answered(W, { sidesIn: [longest, 5, 5], weightLbs: pounds });
  assert.deepEqual(long(108.01, 90), [15_500, 'big_and_bulky', 90]);
  assert.deepEqual(long(120, 91.5), [15_620, 'big_and_bulky', 91.5]);
  assert.deepEqual(long(20, 150.5), [20_340, 'big_and_bulky', 150.5]);
  assert.deepEqual(long(20, 500), [48_300, 'big_and_bulky', 500]);
  for (const [sides, pounds] of [
    [[120.01, 5, 5], 10],
    [[110, 105.01, 5], 10],
    [[100, 100, 93.01], 10],
    [[9, 7, 3], 500.01],
  ] as const) {
    assert.deepEqual(answered(W, { sidesIn: sides, weightLbs: pounds }), ['not_accepted']);
  }
});

test('a parcel is in the first size tier of retailer_a that it fits', () => {
  for (const [sides, pounds, tier] of [
    [[15, 12, 0.75], 1, 'small_standard'],
    [[15, 12, 0.76], 1, 'large_standard'],
    [[15, 12.01, 0.75], 1, 'large_standard'],
    [[15, 12, 0.75], 1.01, 'large_standard'],
    [[18, 14, 8], 20, 'large_standard'],
    [[18, 14, 8], 20.01, 'small_bulky'],
    [[18, 14, 8.01], 1, 'small_bulky'],
    [[37, 14, 13], 50, 'small_bulky'],
    [[37.01, 14, 13], 50, 'large_bulky'],
    [[59, 20, 5], 50, 'large_bulky'],
    [[59.01, 20, 5], 50, 'extra_large_0_50'],
    [[59, 33, 3], 50.01, 'extra_large_50_70'],
    [[59, 33, 3], 70, 'extra_large_50_70'],
    [[59, 33, 3], 70.01, 'extra_large_70_150'],
    [[59, 33, 3], 150, 'extra_large_70_150'],
    [[59, 33, 3], 150.01, 'extra_large_150_plus'],
    // 59 + 2 x (33 + 3) is 131 around.
    [[59, 33, 3], 20, 'extra_large_0_50'],
    [[59, 32.5, 3], 20, 'large_bulky'],
  ] as const) {
    const shuffled = [sides[1], sides[2], sides[0]];
    assert.equal(
      answered(A, { sidesIn: shuffled, weightLbs: pounds })[1],
      tier,
      `${sides.join()} ${pounds}`,
    );
  }
  assert.equal(answered(OLD, { sidesIn: [18, 14, 8.01] })[1], 'large_bulky');
});

test('a bracket of retailer_a ends with its weight', () => {
  const envelope = (ounces: number) => cents(A, { sidesIn: [9, 6, 0.5], weightLbs: ounces / 16 });
  assert.deepEqual([2, 2.01, 4, 10, 14.5, 16].map(envelope), [332, 342, 342, 368, 396, 396]);
  const box = (pounds: number) => cents(A, { sidesIn: [3, 3, 3], weightLbs: pounds });
  assert.deepEqual([0.25, 0.26, 1, 1.01, 2.75, 2.76, 3, 3.01, 3.25, 3.26, 20].map(box), [
    373,
    395,
    460,
    504,
    626,
    667,
    667,
    705,
    705,
    713,
    697 + 68 * 8,
  ]);
  // 21 x 13.9 x 10 in is exactly 21 lb; in binary fractions it is more.
  assert.deepEqual(answered(A, { sidesIn: [21, 13.9, 10] }), [755 + 38 * 20, 'small_bulky', 21]);
  const heavy = (pounds: number) => cents(A, { sidesIn: [30, 10, 5], weightLbs: pounds });
  // 30 x 10 x 5 in counts as 10.79 lb.
  assert.deepEqual([1, 11, 11.01].map(heavy), [755 + 380, 755 + 380, 755 + 418]);
});

test('clothing over 3 lb goes by half pounds', () => {
  const coat = (pounds: number) =>
    cents(A, { sidesIn: [4, 4, 4], weightLbs: pounds, isApparel: true });
  assert.deepEqual([3, 3.25, 3.5, 3.51].map(coat), [690, 713, 713, 729]);
});

test('dangerous goods have their table, clothing or not', () => {
  const parcel = { sidesIn: [4, 4, 4], weightLbs: 0.5, isHazmat: true } as const;
  assert.equal(cents(A, parcel), 476);
  assert.equal(cents(A, { ...parcel, isApparel: true }), 476);
  const fee = feeOf(A, parcel);
  assert.deepEqual(fee.kind === 'fee' && [fee.table, fee.confidence], [
    'dangerous_goods',
    'likely',
  ]);
});

test('the middle price band has both its borders', () => {
  const at = (priceCents: number) => cents(A, { sidesIn: [4, 4, 4], weightLbs: 0.5, priceCents });
  assert.deepEqual([999, 1000, 5000, 5001].map(at), [313, 395, 395, 421]);
  const before = (priceCents: number) =>
    cents(OLD, { sidesIn: [4, 4, 4], weightLbs: 0.5, priceCents });
  assert.deepEqual([999, 1000, 5001].map(before), [313, 390, 390]);
});

test('the flat sides of what is bulky count as two inches', () => {
  // 60 x 20 x 0.5 in: 60 x 20 x 2 / 139 = 17.27 lb.
  assert.deepEqual(answered(A, { sidesIn: [60, 20, 0.5], weightLbs: 3 }), [
    2633 + 38 * 17,
    'extra_large_0_50',
    17.2662,
  ]);
  // Standard parcels are measured as they are: 16 x 10 x 1 in is 1.151 lb.
  assert.deepEqual(answered(A, { sidesIn: [16, 10, 1], weightLbs: 1 }), [
    504,
    'large_standard',
    1.1511,
  ]);
});

test('over 150 lb the unit counts; a lighter thing whose volume counts for more is in no tier', () => {
  assert.deepEqual(answered(A, { sidesIn: [60, 40, 40], weightLbs: 151 }), [
    19_495,
    'extra_large_150_plus',
    151,
  ]);
  assert.equal(cents(A, { sidesIn: [60, 40, 40], weightLbs: 160.2 }), 19_495 + 19 * 10);
  assert.deepEqual(answered(A, { sidesIn: [60, 40, 40], weightLbs: 100 }), ['size_not_covered']);
});

test('what is too large for ordinary belts is marked, because a surcharge is not in its fee', () => {
  const isOvermax = (sides: readonly number[], weightLbs: number) => {
    const fee = feeOf(A, { sidesIn: sides, weightLbs });
    return fee.kind === 'fee' && fee.isOvermax;
  };
  assert.equal(isOvermax([96, 8, 8], 20), false);
  assert.equal(isOvermax([96.1, 8, 8], 20), true);
  assert.equal(isOvermax([60, 20, 15.1], 60), true);
  assert.equal(isOvermax([97, 8, 8], 151), false);
});

test('a table that is not held is not replaced by another', () => {
  for (const kind of [{ isApparel: true }, { isHazmat: true }]) {
    assert.deepEqual(answered(OLD, kind), ['table_not_held']);
  }
});

test('a parcel of which something is missing has no fee', () => {
  for (const { id } of FULFILLMENT_CARDS) {
    for (const [parcel, because] of [
      [{ priceCents: null }, 'no_price'],
      [{ weightLbs: null }, 'no_weight'],
      [{ weightLbs: 0 }, 'no_weight'],
      [{ weightLbs: Number.NaN }, 'no_weight'],
      [{ sidesIn: [9, 7, null] }, 'no_dimensions'],
      [{ sidesIn: [9, 7, 0] }, 'no_dimensions'],
      [{ sidesIn: [9, 7] }, 'no_dimensions'],
      [{ sidesIn: [9, 7, 3, 2] }, 'no_dimensions'],
      [{ sidesIn: [9, 7, Number.POSITIVE_INFINITY] }, 'no_dimensions'],
      [{ isApparel: null }, 'kind_of_goods_unknown'],
      [{ isHazmat: null }, 'kind_of_goods_unknown'],
    ] as const) {
      assert.deepEqual(answered(id, parcel), [because], `${id} ${JSON.stringify(parcel)}`);
    }
  }
});

test('any parcel has a fee in whole cents or a reason, and turning it changes nothing', () => {
  const seed = seedOf(1999);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const number = (most: number) => integerBelow(random, most * 100) / 100;
  for (let round = 0; round < 5_000; round += 1) {
    const { id } = pick(random, FULFILLMENT_CARDS);
    const size = pick(random, [4, 20, 60, 130]);
    const [a, b, c] = [number(size), number(size), number(size)];
    const parcel = {
      weightLbs: number(pick(random, [2, 30, 200, 600])),
      priceCents: 1 + integerBelow(random, 10_000),
      isApparel: random() < 0.3,
      isHazmat: random() < 0.3,
    };
    const fee = feeOf(id, { ...parcel, sidesIn: [a, b, c] });
    assert.deepEqual(feeOf(id, { ...parcel, sidesIn: [c, a, b] }), fee, `round ${round}`);
    if (fee.kind === 'fee') assert.ok(Number.isSafeInteger(fee.cents) && fee.cents > 0);
  }
});
