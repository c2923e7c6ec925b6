import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import type { Review, ReviewPage } from '../../src/base/listing/review.ts';
import { EMPTY_SELLER } from '../../src/base/listing/seller.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import {
  upsertReviews,
  upsertReviewTotals,
  isCounted,
  reviewIdOf,
} from '../../src/data/answers/reviews.ts';
import { upsertSellerProfile, upsertSeller } from '../../src/data/answers/sellers.ts';
import { openTestStore } from '../support/stores.ts';

const HEX = 'A'.repeat(32);
const OTHER = 'B'.repeat(32);
const ALWAYS = { from: null, to: null };

const open = () => openTestStore();
const byHex = (value: string) => ({ kind: 'hex', value }) as const;
const byNumber = (value: string) => ({ kind: 'catalog', value }) as const;

test('a seller is found under each id it was met with, and keeps what is known of it', async () => {
  await using store = await open();
  assert.equal(await store.sellers.findSeller(byHex(HEX)), null);
  await store.sql.write([
    ...upsertSeller({ hexId: HEX, catalogId: '101', type: '3p' }, 5),
    // Seen again without the number: it is not forgotten.
    ...upsertSeller({ hexId: HEX, catalogId: null, type: null }, 6),
    ...upsertSeller({ hexId: null, catalogId: null, type: '1p' }, 7),
  ]);
  const met = { hexId: HEX, catalogId: '101', type: '3p', stored: null, offeredAtMs: null };
  assert.deepEqual(await store.sellers.findSeller(byHex(HEX)), met);
  assert.deepEqual(await store.sellers.findSeller(byNumber('101')), met);
});

test('a number that changed hands belongs to whom it was seen with last, whichever write comes last', async () => {
  await using store = await open();
  const first = upsertSeller({ hexId: HEX, catalogId: '101', type: '3p' }, 5);
  const later = upsertSeller({ hexId: OTHER, catalogId: '101', type: '3p' }, 9);
  await store.sql.write([...later, ...first]);
  assert.equal((await store.sellers.findSeller(byNumber('101')))?.hexId, OTHER);
});

test('a number alone is a seller, until its 32 characters are met', async () => {
  await using store = await open();
  await store.sql.write(upsertSeller({ hexId: null, catalogId: '101', type: null }, 9));
  assert.equal((await store.sellers.findSeller(byNumber('101')))?.hexId, null);
  await store.sql.write(upsertSeller({ hexId: HEX, catalogId: '101', type: null }, 5));
  assert.equal((await store.sellers.findSeller(byNumber('101')))?.hexId, HEX);
});

test('the latest offer of a seller is found under either id, whichever is written last', async () => {
  await using store = await open();
  const page = { source: null };
  await store.sql.write([
    ...upsertSeller({ hexId: HEX, catalogId: '101', type: '3p' }, 5, page),
    ...upsertSeller({ hexId: HEX, catalogId: null, type: '3p' }, 4, page),
    ...upsertSeller({ hexId: HEX, catalogId: '101', type: '3p' }, 9),
  ]);
  assert.equal((await store.sellers.findSeller(byHex(HEX)))?.offeredAtMs, 5);
  await store.sql.write(upsertSeller({ hexId: null, catalogId: '101', type: null }, 7, page));
  assert.equal((await store.sellers.findSeller(byHex(HEX)))?.offeredAtMs, 7);
});

test('an older profile never replaces a newer one', async () => {
  await using store = await open();
  const met = { hexId: HEX, catalogId: '101', type: '3p' } as const;
  const named = (name: string) => ({ ...EMPTY_SELLER, sellerId: HEX, name });
  await store.sql.write(upsertSellerProfile(met, named('new'), 20));
  await store.sql.write(upsertSellerProfile(met, named('old'), 10));
  const { stored } = (await store.sellers.findSeller(byHex(HEX))) ?? { stored: null };
  assert.deepEqual(stored, { profile: named('new'), fetchedAtMs: 20 });
});

test('a reading replaces one from a clock that was set back since', async () => {
  await using store = await open();
  const [ahead, now] = [900 * DAY_MS, 2 * DAY_MS];
  const met = { hexId: HEX, catalogId: '101', type: '3p' } as const;
  const page = { averageRating: 4, ratingDistribution: null, reviews: [] };
  const place = { retailer: 'shop', key: 'https://shop.example/p', url: '', gtin: null };
  await writeChanges(store.sql, [{ kind: 'imported-listing', listing: place }]);
  const listingId = listingIdOf(place.retailer, place.key);
  for (const [atMs, count] of [
    [ahead, 1],
    [now, 2],
    [now - 1, 3],
  ] as const) {
    const profile = { ...EMPTY_SELLER, sellerId: HEX, ratingCount: count };
    const currency = ['', 'EUR', 'USD', 'CAD'][count] ?? '';
    await writeChanges(store.sql, [
      { kind: 'seller-profile', seller: met, profile, fetchedAtMs: atMs },
      {
        kind: 'review-totals',
        itemId: '1',
        page: { ...page, totalReviews: count },
        fetchedAtMs: atMs,
      },
      {
        kind: 'reviews',
        itemId: '1',
        reviews: [{ ...review({ id: 'r' }), day: '2026-01-31', rating: count }],
        seenAtMs: atMs,
      },
      { kind: 'offer-list', listingId, list: { fetchedAtMs: atMs, offersCount: count } },
      {
        kind: 'shop-facts',
        facts: { host: 'shop.example', platform: 'hosted', currency, learnedAtMs: atMs },
      },
    ]);
  }
  const { sellers, reviews, offers, shops } = store;
  assert.equal((await sellers.findSeller(byHex(HEX)))?.stored?.profile.ratingCount, 2);
  assert.equal((await reviews.findTotals('1'))?.total, 2);
  assert.equal((await offers.findOfferList(listingId))?.offersCount, 2);
  assert.equal((await shops.findShopFacts('shop.example'))?.currency, 'USD');
  const [kept] = await store.sql.all('select stars, seen_at_ms from reviews');
  assert.deepEqual([kept?.['stars'], kept?.['seen_at_ms']], [2, now]);
});

function review(given: Partial<Review>): Review {
  return {
    id: null,
    day: '2026-01-31',
    rating: 5,
    title: null,
    text: 'Good.',
    isVerifiedPurchase: true,
    author: 'Somebody',
    ...given,
  };
}

test('a review is kept once, as it was seen last, and never dropped', async () => {
  await using store = await open();
  const file = (given: readonly Review[], atMs: number) =>
    store.sql.write(upsertReviews('1', given.filter(isCounted), atMs));
  await file([review({ id: 'a' }), review({ id: 'b', rating: 2 })], 10);
  await file([review({ id: 'a', rating: 4 }), review({ id: 'c', day: '2026-02-01' })], 20);
  await file([review({ id: 'a', rating: 1 })], 5);
  await file([review({ id: 'd', day: null }), review({ id: 'e', rating: null })], 30);
  assert.equal(await store.reviews.countAll('1'), 3);
  assert.equal(await store.reviews.hasAll('1', ['a', 'b', 'c']), true);
  assert.equal(await store.reviews.hasAll('1', ['a', 'd']), false);
  const counts = await store.reviews.countReviews('1', ALWAYS);
  assert.deepEqual(
    counts.map(({ month, stars, count }) => `${month} ${stars} ${count}`).toSorted(),
    ['2026-01 2 1', '2026-01 4 1', '2026-02 5 1'],
  );
  const january = await store.reviews.countReviews('1', { from: '2026-01-31', to: '2026-01-31' });
  assert.equal(january.length, 2);
  assert.deepEqual(await store.reviews.countReviews('2', ALWAYS), []);
});

test('a review read with its id from one source and without from another is counted once', async () => {
  await using store = await open();
  const file = (item: string, ...given: readonly Review[]) =>
    store.sql.write(upsertReviews(item, given.filter(isCounted), 10));
  const named = review({ id: 'a', author: 'Some Body' });
  const nameless = review({ isVerifiedPurchase: null });
  // Another day, other stars, another text, no text: other reviews.
  const others = [
    review({ day: '2026-01-30' }),
    review({ rating: 4 }),
    review({ text: 'Good!' }),
    review({ text: null }),
  ];
  await file('1', named);
  await file('1', nameless, ...others);
  await file('2', nameless, ...others);
  await file('2', named);
  await file('3', nameless, review({ author: 'Else' }));
  assert.equal(await store.reviews.countAll('1'), 5);
  assert.equal(await store.reviews.countAll('2'), 5);
  assert.equal(await store.reviews.countAll('3'), 2, 'two people may say the same');
  for (const item of ['1', '2']) assert.equal(await store.reviews.hasAll(item, ['a']), true);
});

test('reviews without an id are distinguished by what they say', () => {
  const said = reviewIdOf(review({}));
  assert.equal(reviewIdOf(review({})), said);
  for (const other of [
    { text: 'Bad.' },
    { author: 'Else' },
    { rating: 4 },
    { day: '2026-01-30' },
  ]) {
    assert.notEqual(reviewIdOf(review(other)), said);
  }
  assert.equal(reviewIdOf(review({ id: 'a' })), 'a');
});

test('texts are listed newest first, reviews without one are omitted, and authors are never stored', async () => {
  await using store = await open();
  const given = [
    review({ id: 'a', day: '2026-01-01' }),
    review({ id: 'b', day: '2026-01-03', text: null }),
    review({ id: 'c', day: '2026-01-02' }),
  ];
  await store.sql.write(upsertReviews('1', given.filter(isCounted), 10));
  const texts = await store.reviews.findNewestReviews('1', ALWAYS, 10);
  assert.deepEqual(
    texts.map(({ id }) => id),
    ['c', 'a'],
  );
  assert.equal((await store.reviews.findNewestReviews('1', ALWAYS, 1)).length, 1);
  const rows = await store.sql.all('select * from reviews');
  assert.ok(!JSON.stringify(rows).includes('Somebody'));
});

test('published totals are those that were fetched last', async () => {
  await using store = await open();
  const page = (totalReviews: number): ReviewPage => ({
    averageRating: 4.4,
    totalReviews,
    ratingDistribution: { 5: totalReviews, 4: 0, 3: 0, 2: 0, 1: 0 },
    reviews: [],
  });
  await store.sql.write([
    upsertReviewTotals('1', page(8), 20),
    upsertReviewTotals('1', page(7), 10),
  ]);
  assert.deepEqual(await store.reviews.findTotals('1'), {
    average: 4.4,
    total: 8,
    distribution: { 5: 8, 4: 0, 3: 0, 2: 0, 1: 0 },
    fetchedAtMs: 20,
  });
});
