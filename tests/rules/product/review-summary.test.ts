import assert from 'node:assert/strict';
import { test } from 'node:test';

import { summarizeReviews, type ReviewCount } from '../../../src/rules/product/review-summary.ts';
import { randomFrom } from '../../support/random.ts';

const PUBLISHED = {
  average: 4.4,
  total: 120,
  distribution: { 5: 80, 4: 20, 3: 10, 2: 4, 1: 6 },
};

function countsFrom(seed: number): readonly ReviewCount[] {
  const random = randomFrom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: 1 + upTo(30) }, () => ({
    month: `202${upTo(7)}-0${1 + upTo(9)}`,
    stars: 1 + upTo(5),
    isVerified: [true, false, null][upTo(3)] ?? null,
    count: 1 + upTo(9),
  }));
}

test('the summary is the sum of its months, whatever the reviews', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const counts = countsFrom(seed);
    const { average, total, sentiment, months } = summarizeReviews(counts, PUBLISHED, false);
    const sum = (pick: (month: (typeof months)[number]) => number): number =>
      months.reduce((all, month) => all + pick(month), 0);
    assert.equal(
      total,
      sum((month) => month.total),
      `seed ${seed}`,
    );
    assert.deepEqual(
      sentiment,
      {
        positive: sum((month) => month.sentiment.positive),
        neutral: sum((month) => month.sentiment.neutral),
        negative: sum((month) => month.sentiment.negative),
      },
      `seed ${seed}`,
    );
    const weighted = sum((month) => month.average * month.total) / (total ?? 0);
    assert.ok(Math.abs((average ?? 0) - weighted) <= 0.001, `seed ${seed}`);
    const names = months.map(({ month }) => month);
    assert.deepEqual(names, names.toSorted().toReversed(), `seed ${seed}`);
    for (const month of months) {
      const { positive, neutral, negative } = month.sentiment;
      assert.equal(positive + neutral + negative, month.total, `seed ${seed}`);
    }
  }
});

test('without a month and without dates the retailer’s own totals stand', () => {
  assert.deepEqual(summarizeReviews([], PUBLISHED, false), {
    average: 4.4,
    total: 120,
    sentiment: { positive: 100, neutral: 10, negative: 10 },
    verified: null,
    notVerified: null,
    distribution: PUBLISHED.distribution,
    months: [],
  });
});

test('what is not published is null, not zero', () => {
  const { average, total, sentiment, distribution } = summarizeReviews([], null, false);
  assert.deepEqual([average, total, sentiment, distribution], [null, null, null, null]);
});

test('with dates and no month there are no reviews, and no average of them', () => {
  const { average, total, sentiment, distribution } = summarizeReviews([], PUBLISHED, true);
  assert.deepEqual([average, total, distribution], [null, 0, null]);
  assert.deepEqual(sentiment, { positive: 0, neutral: 0, negative: 0 });
});

test('verification that no review states is unknown, and the histogram never stands with dates', () => {
  const counts = [{ month: '2026-01', stars: 5, isVerified: null, count: 3 }];
  const { verified, notVerified, distribution } = summarizeReviews(counts, PUBLISHED, true);
  assert.deepEqual([verified, notVerified, distribution], [null, null, null]);
  const answered = [...counts, { month: '2026-01', stars: 1, isVerified: false, count: 2 }];
  const summary = summarizeReviews(answered, PUBLISHED, false);
  assert.deepEqual([summary.verified, summary.notVerified], [0, 2]);
  assert.deepEqual(summary.distribution, PUBLISHED.distribution);
});
