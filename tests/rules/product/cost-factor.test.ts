// A cost is for one unit of what the code identifies (D77): a listing's pack relative to the record's decides how often a
// sale pays it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { totalFeeCents } from '../../../src/rules/fees/charges-at-price.ts';
import { feesOf } from '../../../src/rules/fees/listing-fees.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { comparedOffers, type ComparedOffer } from '../../../src/rules/product/comparison.ts';
import {
  costFactorOf,
  isOtherPack,
  mostWithin,
  packsOf,
  timesFactor,
  type CostPer,
} from '../../../src/rules/product/cost-factor.ts';
import { profitOf, type SellerCosts } from '../../../src/rules/product/profit.ts';
import { integerBelow, randomFrom } from '../../support/random.ts';

const DAY = '2026-11-20';

const costsOf = (costs: Partial<SellerCosts>): SellerCosts => ({
  costCents: null,
  shippingCents: 0,
  prepCents: 0,
  costPer: 'code',
  roiBasisPoints: null,
  ...costs,
});

const saleOf = (priceCents: number, feesCents: number, [listing, record]: Stated) => ({
  priceCents,
  feesCents,
  packs: packsOf(listing, record),
});

/** The pack counts that a listing and its record state. */
type Stated = readonly [listing: number | null, record: number | null];

test('a set of six with its own barcode pays its cost once; counted by the piece it would pay six', () => {
  const sale = saleOf(1_939, 304, [6, 6]);
  const costs = costsOf({ costCents: 708, shippingCents: 400 });
  const set = profitOf(sale, costs);
  assert.deepEqual(
    [set.costFactor, set.outlayCents, set.profitCents, set.roiPercent],
    [1, 1_108, 527, 47.56],
  );
  const pieces = profitOf(sale, { ...costs, costPer: 'piece' });
  assert.deepEqual([pieces.costFactor, pieces.outlayCents, pieces.profitCents], [6, 6_648, -5_013]);
});

test('a listing of the same code that states no pack is the same set', () => {
  const costs = costsOf({ costCents: 708, shippingCents: 400 });
  const stated = profitOf(saleOf(1_939, 304, [6, 6]), costs);
  assert.deepEqual(profitOf(saleOf(1_939, 304, [null, 6]), costs), stated);
  assert.equal(isOtherPack(packsOf(null, 6)), false);
});

test('one mug in a pack of two pays two costs', () => {
  const costs = costsOf({ costCents: 500, shippingCents: 100 });
  const pair = profitOf(saleOf(2_198, 600, [2, null]), costs);
  assert.deepEqual([pair.costFactor, pair.outlayCents, pair.profitCents], [2, 1_200, 398]);
  assert.equal(isOtherPack(packsOf(2, null)), true);
});

test('one piece of a set of six pays a sixth, rounded once with halves up', () => {
  const sixth = costFactorOf(packsOf(1, 6), 'code');
  for (const [cents, paid] of [
    [0, 0],
    [2, 0],
    [3, 1],
    [8, 1],
    [9, 2],
    [1_108, 185],
  ] as const) {
    assert.equal(timesFactor(cents, sixth), paid, `a sixth of ${cents} cents`);
  }
  // Rounded separately, a third of 0.50, 0.50 and 0.50 would be 0.51.
  const costs = costsOf({ costCents: 50, shippingCents: 50, prepCents: 50 });
  assert.equal(profitOf(saleOf(1_000, 0, [1, 3]), costs).outlayCents, 50);
});

test('a pack of 0, of a fraction or of more than readers take is not a pack that is stated', () => {
  for (const absurd of [0, -3, 2.5, 100_001, Number.NaN, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(packsOf(absurd, 6), { sold: 6, named: 6 }, `${absurd} beside 6`);
    assert.deepEqual(packsOf(6, absurd), { sold: 6, named: 1 }, `6 beside ${absurd}`);
  }
  assert.deepEqual(packsOf(null, null), { sold: 1, named: 1 });
});

test('without a cost only the highest one is known, and it too is of one of what the code names', () => {
  const costs = costsOf({ shippingCents: 400, roiBasisPoints: 3_000 });
  for (const [stated, highest] of [
    [[6, 6], 857],
    [[3, 6], 2_114],
    [[12, 6], 228],
  ] as const) {
    const { outlayCents, profitCents, highestCostCents } = profitOf(
      saleOf(1_939, 304, stated),
      costs,
    );
    assert.deepEqual([outlayCents, profitCents, highestCostCents], [null, null, highest]);
  }
});

/** Exact, unlike the code under test: fractions of unlimited integers. */
function exactOutlay(cents: number, [listing, record]: Stated, per: CostPer): number {
  const named = BigInt(record ?? 1);
  const over = per === 'piece' ? 1n : named;
  const times = listing === null ? named : BigInt(listing);
  return Number((2n * BigInt(cents) * times + over) / (2n * over));
}

/** Draws amounts of up to a million dollars and packs of up to 100,000, small ones more often. */
function drawer(seed: number) {
  const random = randomFrom(seed);
  const upTo = (most: number) => integerBelow(random, most + 1);
  const amount = () => upTo([40, 5_000, 100_000_000][upTo(2)] ?? 0);
  const pack = () => [null, 1 + upTo(11), 1 + upTo(11), 1 + upTo(99_999)][upTo(3)] ?? null;
  return { upTo, amount, pack };
}

test('an outlay is the exact fraction rounded once, and never falls when a cost or the pack grows (seeded)', () => {
  const seed = 77;
  const { amount, pack, upTo } = drawer(seed);
  for (let round = 0; round < 20_000; round += 1) {
    const stated: Stated = [pack(), pack()];
    const costPer = upTo(1) === 0 ? 'code' : 'piece';
    const [costCents, shippingCents, prepCents] = [amount(), amount(), amount()];
    const costs = costsOf({ costCents, shippingCents, prepCents, costPer });
    const of = (more: number, [listing, record]: Stated) =>
      profitOf(saleOf(1_000, 0, [listing, record]), { ...costs, costCents: costCents + more })
        .outlayCents ?? -1;
    const drawn = `seed ${seed}, round ${round}: ${JSON.stringify({ stated, costs })}`;
    const paid = of(0, stated);
    assert.equal(paid, exactOutlay(costCents + shippingCents + prepCents, stated, costPer), drawn);
    assert.ok(of(1, stated) >= paid, drawn);
    const [listing, record] = stated;
    if (listing !== null && listing < 100_000) {
      assert.ok(of(0, [listing + 1, record]) >= paid, drawn);
    }
    // Packs in the same proportion pay the same, if the cost is for what the code identifies.
    if (costPer === 'code' && (listing ?? 1) < 10_000 && (record ?? 1) < 10_000) {
      const scaled: Stated = [listing === null ? null : listing * 7, (record ?? 1) * 7];
      assert.equal(of(0, scaled), paid, drawn);
    }
  }
});

test('the highest cost reaches the wanted return, and a cent more does not (seeded)', () => {
  const seed = 4;
  const { amount, pack, upTo } = drawer(seed);
  let reached = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const stated: Stated = [pack(), pack()];
    const roiBasisPoints = upTo([0, 3_000, 100_000_000][upTo(2)] ?? 0);
    const costPer = upTo(1) === 0 ? 'code' : 'piece';
    const costs = costsOf({ prepCents: upTo(300), roiBasisPoints, costPer });
    const sale = saleOf(amount(), upTo(2_000), stated);
    const highest = profitOf(sale, costs).highestCostCents;
    /** Exact, where a percentage with two decimals would round. */
    const isReached = (costCents: number): boolean => {
      const { profitCents, outlayCents } = profitOf(sale, { ...costs, costCents });
      return (
        BigInt(profitCents ?? -1) * 10_000n >= BigInt(roiBasisPoints) * BigInt(outlayCents ?? 0)
      );
    };
    const drawn = `seed ${seed}, round ${round}: ${JSON.stringify({ sale, costs, highest })}`;
    if (highest === null) {
      assert.equal(isReached(0), false, drawn);
      continue;
    }
    reached += 1;
    assert.ok(isReached(highest), drawn);
    assert.ok(!isReached(highest + 1), drawn);
  }
  assert.ok(reached > 5_000, `${reached} rounds had a highest cost`);
});

test('what times the factor is within an amount is found exactly (seeded)', () => {
  const seed = 9;
  const { pack, upTo } = drawer(seed);
  for (let round = 0; round < 5_000; round += 1) {
    const factor = costFactorOf(packsOf(pack(), pack()), 'code');
    const most = upTo(100_000_000);
    const cents = mostWithin(most, factor);
    const drawn = `seed ${seed}: ${JSON.stringify({ factor, most, cents })}`;
    assert.ok(cents >= 0 ? timesFactor(cents, factor) <= most : true, drawn);
    assert.ok(timesFactor(cents + 1, factor) > most, drawn);
  }
});

/** A listing whose fees change with its price. */
const CUP: Listing = {
  ...EMPTY_LISTING,
  categories: ['Home & Garden'],
  price: { cents: 1_939, currency: 'USD' },
  inStock: true,
  weightPackageLbs: 0.9,
  dimensionsPackage: { lengthIn: 6, widthIn: 5, heightIn: 5 },
};

function offerAt(retailer: string, listing: Listing, record: number | null, costs: SellerCosts) {
  const priceCents = listing.price?.cents ?? null;
  const fees = feesOf(listing, retailer, DAY, priceCents);
  const row = {
    retailer,
    status: 'ok',
    identity: 'confirmed',
    url: `https://${retailer}.example/1`,
    refreshedAtMs: 0,
    priceCents,
    packCount: listing.packCount,
    inStock: true,
    native: null,
    fees,
    feesCents: totalFeeCents(fees),
    warnings: ['stale', 'hazmat'],
    stored: {
      id: '1',
      retailer,
      key: '1',
      url: `https://${retailer}.example/1`,
      foundVia: 'native_catalog',
      fetchedAtMs: 0,
      listing,
    },
  } as const;
  const facts = { packCount: record, day: DAY, currency: 'USD' };
  const [offer] = comparedOffers(facts, [row], costs);
  assert.ok(offer);
  return offer;
}

test('at its break-even price a listing of any pack earns nothing or the first cents, and a cent below it loses (seeded)', () => {
  const seed = 31;
  const { pack, upTo } = drawer(seed);
  for (let round = 0; round < 400; round += 1) {
    const retailer = ['retailer_w', 'retailer_a', 'retailer_e'][upTo(2)] ?? '';
    const costPer = upTo(1) === 0 ? 'code' : 'piece';
    const costs = costsOf({ costCents: upTo(4_000), shippingCents: upTo(500), costPer });
    const record = pack();
    const listing = { ...CUP, packCount: pack() };
    const even = offerAt(retailer, listing, record, costs).breakEvenCents;
    // No search above a million dollars.
    if (even === null) continue;
    const profitAt = (cents: number) =>
      offerAt(retailer, { ...listing, price: { cents, currency: 'USD' } }, record, costs)
        .profitCents ?? Number.NaN;
    const drawn = `seed ${seed}, round ${round}: ${retailer} ${listing.packCount} of ${record}`;
    assert.ok(profitAt(even) >= 0, drawn);
    if (even > 1) assert.ok(profitAt(even - 1) < 0, drawn);
  }
});

test('a listing of another pack is compared by the piece, and one that states none by the record’s', () => {
  const costs = costsOf({ costCents: 708, shippingCents: 400 });
  const of = (packCount: number | null): ComparedOffer =>
    offerAt('retailer_e', { ...CUP, packCount }, 6, costs);
  const [set, unsaid, single, dozen] = [of(6), of(null), of(1), of(12)];
  assert.deepEqual(
    [set.feesCents, set.profitCents, set.roiPercent, set.warnings],
    [304, 527, 47.56, ['stale', 'hazmat']],
  );
  assert.deepEqual({ ...unsaid, packCount: 6, stored: null }, { ...set, stored: null });
  assert.deepEqual([single.costFactor, single.outlayCents], [1 / 6, 185]);
  assert.deepEqual([dozen.costFactor, dozen.outlayCents], [2, 2_216]);
  for (const [offer, pieces] of [
    [set, 6],
    [single, 1],
    [dozen, 12],
  ] as const) {
    assert.equal(offer.unitPriceCents, 1_939 / pieces);
    assert.equal(offer.unitProfitCents, (offer.profitCents ?? 0) / pieces);
  }
  for (const offer of [single, dozen]) {
    assert.deepEqual(offer.warnings, ['other_pack', 'stale', 'hazmat']);
  }
});
