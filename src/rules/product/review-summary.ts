// Summarizes individual reviews by month and in total; without individual reviews, the retailer's published totals (D42).

import type { Day } from '../../base/clock.ts';

/** UTC days, both included; null means open on that side. */
export type DayRange = { readonly from: Day | null; readonly to: Day | null };

/** The number of reviews of one month with the same stars and the same verification. */
export type ReviewCount = {
  /** YYYY-MM. */
  readonly month: string;
  /** 1 to 5. */
  readonly stars: number;
  readonly isVerified: boolean | null;
  readonly count: number;
};

/** The retailer's published totals for all reviews of an item. */
export type ReviewTotals = {
  readonly average: number | null;
  readonly total: number | null;
  /** Stars "5" to "1" -> number of reviews. */
  readonly distribution: Readonly<Record<string, number>> | null;
};

type Sentiment = {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
};

type ReviewMonth = {
  readonly month: string;
  readonly total: number;
  readonly average: number;
  readonly sentiment: Sentiment;
};

type ReviewSummary = {
  readonly average: number | null;
  readonly total: number | null;
  readonly sentiment: Sentiment | null;
  readonly verified: number | null;
  readonly notVerified: number | null;
  readonly distribution: Readonly<Record<string, number>> | null;
  /** Newest first. */
  readonly months: readonly ReviewMonth[];
};

/** One review with its text. */
export type ReviewText = {
  readonly id: string;
  readonly day: Day;
  readonly stars: number;
  readonly title: string | null;
  readonly text: string;
  readonly isVerified: boolean | null;
};

/** The reviews of a product as a record shows them. */
export type ProductReviews = {
  readonly summary: ReviewSummary;
  /** Newest first. */
  readonly top: readonly ReviewText[];
};

type StarCount = { readonly stars: number; readonly count: number };

const sumOf = (counts: readonly StarCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/**
 * Returns the mean, rounded to three decimals: with two it could differ by half a hundredth from the mean of the months.
 */
function averageOf(counts: readonly StarCount[]): number {
  const stars = counts.reduce((sum, each) => sum + each.stars * each.count, 0);
  return Math.round((stars / sumOf(counts)) * 1_000) / 1_000;
}

/** D42: 4 and 5 stars are positive, 3 neutral, 1 and 2 negative. */
function sentimentOf(counts: readonly StarCount[]): Sentiment {
  const within = (from: number, to: number): number =>
    sumOf(counts.filter(({ stars }) => stars >= from && stars <= to));
  return { positive: within(4, 5), neutral: within(3, 3), negative: within(1, 2) };
}

function ratedOf(distribution: Readonly<Record<string, number>>): readonly StarCount[] {
  return Object.entries(distribution).map(([stars, count]) => ({ stars: Number(stars), count }));
}

function monthsOf(counts: readonly ReviewCount[]): readonly ReviewMonth[] {
  const months = [...new Set(counts.map(({ month }) => month))].toSorted().toReversed();
  return months.map((month) => {
    const own = counts.filter((each) => each.month === month);
    return { month, total: sumOf(own), average: averageOf(own), sentiment: sentimentOf(own) };
  });
}

/** Summarizes the reviews in range. `isDated`: the caller set a range, so totals of all reviews do not apply. */
export function summarizeReviews(
  counts: readonly ReviewCount[],
  published: ReviewTotals | null,
  isDated: boolean,
): ReviewSummary {
  const distribution = isDated ? null : (published?.distribution ?? null);
  if (counts.length > 0) {
    const isKnown = counts.some(({ isVerified }) => isVerified !== null);
    const verified = (is: boolean): number | null =>
      isKnown ? sumOf(counts.filter(({ isVerified }) => isVerified === is)) : null;
    return {
      average: averageOf(counts),
      total: sumOf(counts),
      sentiment: sentimentOf(counts),
      verified: verified(true),
      notVerified: verified(false),
      distribution,
      months: monthsOf(counts),
    };
  }
  if (isDated) {
    const sentiment = sentimentOf([]);
    const none = { average: null, total: 0, sentiment, verified: 0, notVerified: 0 };
    return { ...none, distribution, months: [] };
  }
  return {
    average: published?.average ?? null,
    total: published?.total ?? null,
    sentiment: distribution === null ? null : sentimentOf(ratedOf(distribution)),
    verified: null,
    notVerified: null,
    distribution,
    months: [],
  };
}
