// Referral and final value fees: rates at tier boundaries, minimums, surcharges, rounding.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RATE_CARDS, REFERRAL_CARDS } from '../../../src/rules/fees/rate-cards.ts';
import { categoryOnCard, referralFee } from '../../../src/rules/fees/referral-fee.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const W = 'retailer_w.referral.2025-03';
const A = 'retailer_a.referral.2026';
const E = 'retailer_e.fvf.nostore.2025-02';
const STORE = 'retailer_e.fvf.store.2025-02';

function cents(id: string, category: string, base: number): number | string {
  const card = REFERRAL_CARDS.find((each) => each.id === id);
  assert.ok(card, id);
  const fee = referralFee(card, category, base);
  return fee.kind === 'fee' ? fee.cents : fee.because;
}

type Row = readonly [card: string, category: string, base: number, fee: number];

function holds(rows: readonly Row[]): void {
  for (const [card, category, base, fee] of rows) {
    assert.equal(cents(card, category, base), fee, `${card} ${category} ${base}`);
  }
}

test('the tier that holds the base gives the rate of all of it, and its end belongs to it', () => {
  holds([
    [W, 'beauty_health', 999, 80],
    [W, 'beauty_health', 1000, 80],
    [W, 'beauty_health', 1001, 150],
    [A, 'apparel_accessories', 1501, 150],
    [A, 'apparel_accessories', 2000, 200],
    [A, 'apparel_accessories', 2001, 340],
    [A, 'mowers_snow_throwers', 50_000, 7500],
    [A, 'mowers_snow_throwers', 50_001, 4000],
    [E, 'jewelry', 500_000, 75_040],
    [E, 'jewelry', 500_001, 45_040],
    [STORE, 'womens_bags', 200_001, 14_040],
  ]);
});

test('with marginal rates each slice has its own, so that the fee never jumps', () => {
  holds([
    [W, 'jewelry', 25_000, 5000],
    [W, 'jewelry', 25_001, 5000],
    [W, 'jewelry', 25_010, 5001],
    [W, 'furniture', 20_000, 3000],
    [W, 'furniture', 20_100, 3010],
    [A, 'fine_art', 10_000, 2000],
    [A, 'fine_art', 100_000, 15_500],
    [A, 'fine_art', 500_000, 55_500],
    [E, 'watches', 100_000, 15_040],
    [E, 'watches', 750_000, 57_290],
    [E, 'watches', 800_000, 58_790],
    [STORE, 'bullion', 1_100_000, 58_290],
  ]);
});

test('the last tier that starts at or below the base counts where tiers have a start', () => {
  holds([
    [E, 'athletic_shoes', 14_999, 2080],
    [E, 'athletic_shoes', 15_000, 1200],
    [STORE, 'athletic_shoes', 14_999, 1945],
    [STORE, 'athletic_shoes', 15_000, 1050],
  ]);
});

test('a minimum stands in for less, closing fees and fees for each order come on top', () => {
  holds([
    [A, 'home_kitchen', 199, 30],
    [A, 'home_kitchen', 200, 30],
    [A, 'home_kitchen', 207, 31],
    [A, 'gift_cards', 100, 20],
    [A, 'media', 100, 195],
    [A, 'video_games', 5999, 1080],
    [A, 'video_game_consoles', 49_999, 4180],
    [W, 'toys_games', 1, 0],
    [E, 'most', 1000, 166],
    [E, 'most', 1001, 176],
    [E, 'nft', 1000, 80],
  ]);
});

test('half a cent is rounded up, once, and before anything is added', () => {
  holds([
    // 15% of 0.10 is 1.5 cents; 8% of 0.06 is 0.48.
    [W, 'books', 10, 2],
    [W, 'camera_photo', 6, 0],
    // 12.35% of 1.00 is 12.35 cents, and 30 for the order.
    [STORE, 'coins_cards_comics', 100, 42],
    // 13.25% of 0.02 is 0.265.
    [E, 'coins_cards_comics', 2, 30],
  ]);
});

test('a category that the other card of a retailer has is counted to the wider one', () => {
  assert.equal(cents(STORE, 'nft', 10_000), cents(STORE, 'most', 10_000));
  assert.equal(cents(E, 'coins', 10_000), cents(E, 'coins_cards_comics', 10_000));
  assert.notEqual(cents(STORE, 'coins', 10_000), cents(STORE, 'coins_cards_comics', 10_000));
});

test('what is not known has no fee', () => {
  const [card] = REFERRAL_CARDS;
  assert.ok(card);
  const because = (category: string | null, base: number | null) => {
    const fee = referralFee(card, category, base);
    return fee.kind === 'unknown' ? fee.because : fee.cents;
  };
  assert.equal(because('books', null), 'no_price');
  assert.equal(because(null, 1000), 'no_category');
  for (const key of ['Books', 'no such row', '', 'constructor', '__proto__', 'toString']) {
    assert.equal(because(key, 1000), 'category_not_on_card', key);
  }
});

test('the largest price there can be is charged exactly', () => {
  assert.equal(cents(W, 'books', 999_999_999_999_999), 150_000_000_000_000);
});

test('every row of every card has rates up to any base, in rising order, and a key of its own', () => {
  for (const card of REFERRAL_CARDS) {
    const keys = card.categories.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, card.id);
    for (const category of card.categories) {
      const borders =
        category.mode === 'whole_from'
          ? category.tiers.map(({ fromCents }) => fromCents)
          : category.tiers.map(({ upToCents }) => upToCents ?? Number.POSITIVE_INFINITY);
      assert.deepEqual(
        borders,
        borders.toSorted((a, b) => a - b),
        `${card.id} ${category.key}`,
      );
      const end = category.mode === 'whole_from' ? borders[0] : borders.at(-1);
      assert.equal(end, category.mode === 'whole_from' ? 0 : Number.POSITIVE_INFINITY);
      assert.equal(category.mode === 'flat', category.tiers.length === 1);
    }
    for (const key of Object.values(card.standIns)) assert.ok(categoryOnCard(card, key));
  }
  assert.equal(new Set(RATE_CARDS.map(({ id }) => id)).size, RATE_CARDS.length);
});

test('marginal fees grow with the base by no more than the highest rate', () => {
  const seed = seedOf(4711);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 3_000; round += 1) {
    const card = pick(random, REFERRAL_CARDS);
    const category = pick(random, card.categories);
    if (category.mode !== 'marginal') continue;
    const base = 1 + integerBelow(random, 2_000_000);
    const more = 1 + integerBelow(random, 1_000);
    const fees = [base, base + more].map((each) => {
      const fee = referralFee(card, category.key, each);
      assert.ok(fee.kind === 'fee');
      return fee.percentageCents;
    });
    const [low = 0, high = 0] = fees;
    const most = Math.max(...category.tiers.map(({ basisPoints }) => basisPoints));
    const text = `${card.id} ${category.key} ${base} + ${more}`;
    assert.ok(high >= low && high - low <= Math.ceil((more * most) / 10_000) + 1, text);
  }
});
