// retailer_w: reviews of its affiliate API.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { missedFields } from '../../../../src/read/retailers/expected-fields.ts';
import { AFFILIATE_BASE } from '../../../../src/read/retailers/retailer-w/address-book.ts';
import type { PageOptions } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as given from './fixtures.ts';

const URL = `${AFFILIATE_BASE}/reviews/100200300?page=1&format=json`;
const { read } = readersOf('retailer_w');

const verdictOn = (answer: unknown, options: PageOptions = {}) =>
  read(given.jsonPage(answer, { url: URL, ...options }), 'api:affiliate_reviews');

function reviewsIn(answer: unknown) {
  const verdict = verdictOn(answer);
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'reviews', JSON.stringify(verdict));
  return verdict.value.reviews;
}

test('reviews have their totals, days, stars and texts, and no ids', () => {
  const reviews = reviewsIn(given.AFFILIATE_REVIEWS);
  assert.deepEqual(reviews, {
    averageRating: 4.2,
    totalReviews: 1100,
    ratingDistribution: { 5: 70, 4: 0, 3: 0, 2: 0, 1: 1030 },
    reviews: [
      {
        id: null,
        day: '2026-02-15',
        rating: 5,
        title: 'Good',
        text: 'Keeps tea & coffee warm.',
        isVerifiedPurchase: null,
        author: 'Somebody',
      },
      {
        id: null,
        day: '2025-12-01',
        rating: 2,
        title: null,
        text: 'Chipped.',
        isVerifiedPurchase: null,
        author: null,
      },
    ],
  });
  const answer = { kind: 'reviews', reviews } as const;
  assert.deepEqual(missedFields(answer, 'retailer_w', 'api:affiliate_reviews'), []);
});

const { reviewStatistics, ...BARE } = given.AFFILIATE_REVIEWS;
const TOTALS: readonly (readonly [string, object, number | null, number | null])[] = [
  ['nothing', { ...BARE, reviews: [] }, null, null],
  ['the totals of the item alone', { ...BARE, customerRating: '4.6', numReviews: 12 }, 12, 4.6],
  [
    'no reviews',
    {
      ...BARE,
      reviews: [],
      reviewStatistics: { averageOverallRating: '0', totalReviewCount: '0' },
    },
    0,
    null,
  ],
  [
    'an average outside of the stars',
    { ...BARE, reviewStatistics: { ...reviewStatistics, averageOverallRating: '84' } },
    1100,
    null,
  ],
];
for (const [what, answer, total, average] of TOTALS) {
  test(`an answer that states ${what} has a total of ${total} and an average of ${average}`, () => {
    const { totalReviews, averageRating } = reviewsIn(answer);
    assert.deepEqual([totalReviews, averageRating], [total, average]);
  });
}

const VERDICTS: readonly (readonly [string, unknown, PageOptions, string])[] = [
  ['the reviews of another item', { ...given.AFFILIATE_REVIEWS, itemId: 1 }, {}, 'unreadable'],
  ['an unknown item', { errors: [{ code: 4023, message: 'No item found' }] }, {}, 'not_found'],
  ['an unknown address', {}, { status: 404 }, 'not_found'],
  ['too many calls', {}, { status: 429 }, 'blocked'],
  ['another shape', { reviews: [] }, {}, 'unreadable'],
  ['a list', [], {}, 'unreadable'],
];
for (const [what, answer, options, kind] of VERDICTS) {
  test(`${what}: ${kind}`, () => assert.equal(verdictOn(answer, options).kind, kind));
}
