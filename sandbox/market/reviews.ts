// The reviews of a listing, each with its day; the published totals are computed from them.

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { chance, chanceBetween, chanceOf } from '../chance.ts';
import type { CatalogProduct } from './catalog.ts';

export type MarketReview = {
  readonly id: string;
  readonly day: string;
  readonly stars: number;
  readonly title: string;
  readonly text: string;
  readonly isVerified: boolean;
  readonly author: string;
};

export type ReviewTotals = {
  readonly count: number;
  /** One decimal; null without reviews. */
  readonly average: number | null;
  /** Stars "5".."1" to number of reviews. */
  readonly distribution: Readonly<Record<string, number>>;
};

const STARS = [5, 5, 5, 5, 4, 4, 3, 2, 1] as const;
const TITLES = ['Does its job', 'Better than expected', 'It is all right', 'Not for me'] as const;
const MOST_REVIEWS = 60;

/** Returns reviews published up to an instant, newest first. */
export function reviewsAt(
  seed: number,
  slug: KnownSlug,
  product: CatalogProduct,
  atMs: number,
): readonly MarketReview[] {
  const key = ['review', slug, product.index];
  const count =
    chance(seed, [...key, 'any']) < 0.25 ? 0 : chanceBetween(seed, key, 1, MOST_REVIEWS);
  const born = Date.parse(`${product.firstDay}T00:00:00Z`);
  const reviews: MarketReview[] = [];
  let at = born;
  for (let number = 0; number < count; number += 1) {
    // One in six weeks on average, so that products of 2023 still get reviews in 2027.
    at += chanceBetween(seed, [...key, number, 'gap'], 1, 80) * DAY_MS;
    if (at > atMs) break;
    const stars = chanceOf(seed, [...key, number, 'stars'], STARS);
    reviews.push({
      id: String(700_000_000 + product.index * MOST_REVIEWS + number),
      day: dayOf(at),
      stars,
      title: chanceOf(seed, [...key, number, 'title'], TITLES),
      text: `Used it for ${number + 2} weeks. ${stars} of 5 from me.`,
      isVerified: chance(seed, [...key, number, 'verified']) < 0.8,
      author: `Reader ${number + 1}`,
    });
  }
  return reviews.toReversed();
}

export function totalsOf(reviews: readonly MarketReview[]): ReviewTotals {
  const distribution: Record<string, number> = { 5: 0, 4: 0, 3: 0, 2: 0, 1: 0 };
  let sum = 0;
  for (const { stars } of reviews) {
    distribution[stars] = (distribution[stars] ?? 0) + 1;
    sum += stars;
  }
  const count = reviews.length;
  return { count, average: count === 0 ? null : Math.round((sum / count) * 10) / 10, distribution };
}
