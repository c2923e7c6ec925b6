// A product's reviews (D42): schema and presentation.

import { z } from 'zod';

import type { ProductReviews } from '../../../rules/product/review-summary.ts';
import { count, DAY, tokenFields } from '../fields.ts';

const average = z
  .number()
  .min(0)
  .max(5)
  .nullable()
  .meta({
    description:
      'The average rating in stars over all months, weighted by their reviews; `null` if there are no ' +
      'reviews.',
  });

const reviews = (what: string) => z.int().nonnegative().meta({ description: what });

const Sentiment = z
  .strictObject({
    positive: reviews('The number of reviews with 4 or 5 stars.'),
    neutral: reviews('The number of reviews with 3 stars.'),
    negative: reviews('The number of reviews with 1 or 2 stars.'),
  })
  .meta({ description: 'The number of reviews by sentiment.' });

export const RatingDistribution = z
  .record(z.enum(['5', '4', '3', '2', '1']), reviews('The number of reviews with this many stars.'))
  .nullable()
  .meta({
    description:
      'The number of reviews by stars, as published; `null` if the page states no distribution.',
  });

const Summary = z.strictObject({
  average_rating: average,
  total_reviews: count(
    'The number of reviews in `monthly_breakdown`. If it has no month and the request has no dates, ' +
      'the number that the retailer publishes.',
  ),
  sentiment: Sentiment.nullable(),
  verified_purchases: count(
    'The number of reviews by verified buyers; `null` if no review states it.',
  ),
  non_verified_purchases: count('The number of other reviews; `null` if no review states it.'),
  rating_distribution: RatingDistribution.meta({
    description:
      'The number of reviews by stars, over all reviews, as the retailer publishes it; `null` if the ' +
      'request has dates.',
  }),
});

const Month = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: 'The month of publication, YYYY-MM (UTC).' }),
  total_reviews: z.int().positive().meta({ description: 'The number of reviews in the month.' }),
  average_rating: z
    .number()
    .min(1)
    .max(5)
    .meta({ description: 'The mean of their ratings in stars, 1 to 5.' }),
  sentiment: Sentiment,
});

const Text = z.strictObject({
  review_id: z.string().meta({ description: 'The ID of the review at the retailer.' }),
  date: DAY.meta({ description: 'The day of publication, YYYY-MM-DD (UTC).' }),
  rating: z.int().min(1).max(5).meta({ description: 'The rating in stars.' }),
  title: z
    .string()
    .nullable()
    .meta({ description: 'The heading of the review; `null` if it has none.' }),
  text: z.string().meta({ description: 'The review as plain text.' }),
  verified_purchase: z.boolean().nullable().meta({
    description:
      'Whether the page marks the author as a verified buyer; `null` if the page does not state it.',
  }),
});

const parts = {
  summary: Summary.meta({ description: 'The totals over all months of the response.' }),
  monthly_breakdown: z
    .array(Month)
    .meta({ description: 'The reviews that this service has collected, by month, newest first.' }),
  top_reviews: z.array(Text).meta({
    description: 'The newest reviews that have a text, at most 10, without their authors.',
  }),
};

/** `reviews` of the record. */
export const ReviewsBlock = z.strictObject(parts);

export const ReviewsRecord = z
  .strictObject({
    identifier: z
      .string()
      .meta({ description: 'The identifier in its normal form; barcodes have 14 digits.' }),
    ...parts,
    ...tokenFields,
  })
  .meta({ id: 'ProductReviews' });

export type ReviewsRecord = z.infer<typeof ReviewsRecord>;

type ReviewsParts = z.infer<typeof ReviewsBlock>;

/** Presents summary, months and newest texts. */
export function presentReviews({ summary, top }: ProductReviews): ReviewsParts {
  return {
    summary: {
      average_rating: summary.average,
      total_reviews: summary.total,
      sentiment: summary.sentiment,
      verified_purchases: summary.verified,
      non_verified_purchases: summary.notVerified,
      rating_distribution: distributionOf(summary.distribution),
    },
    monthly_breakdown: summary.months.map(({ month, total, average: stars, sentiment }) => ({
      month,
      total_reviews: total,
      average_rating: stars,
      sentiment,
    })),
    top_reviews: top.map(({ id, day, stars, title, text, isVerified }) => ({
      review_id: id,
      date: day,
      rating: stars,
      title,
      text,
      verified_purchase: isVerified,
    })),
  };
}

/** Returns the count for each number of stars, five first. */
export function distributionOf(
  stars: Readonly<Record<string, number>> | null,
): z.infer<typeof RatingDistribution> {
  if (stars === null) return null;
  const of = (star: string): number => stars[star] ?? 0;
  return { 5: of('5'), 4: of('4'), 3: of('3'), 2: of('2'), 1: of('1') };
}
