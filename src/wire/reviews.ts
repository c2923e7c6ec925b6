// Reviews of a product as they stand on the wire (specification: reviews summary, D42): schema, and
// domain -> wire.

import { z } from '@hono/zod-openapi';

import type { ProductReviews } from '../product/review-summary.ts';
import { tokenFields } from './token-fields.ts';
import { count } from './fields.ts';

const average = z
  .number()
  .min(0)
  .max(5)
  .nullable()
  .meta({ description: 'Weighted average over the months; null without reviews.' });

const reviews = (what: string) => z.int().nonnegative().meta({ description: what });

const Sentiment = z
  .strictObject({
    positive: reviews('With 4 and 5 stars.'),
    neutral: reviews('With 3 stars.'),
    negative: reviews('With 1 and 2 stars.'),
  })
  .meta({ description: 'Reviews with 4 and 5, with 3, with 1 and 2 stars.' });

export const RatingDistribution = z
  .record(z.enum(['5', '4', '3', '2', '1']), reviews('Reviews with so many stars.'))
  .nullable()
  .meta({ description: 'Reviews by stars, as published; null when the page states no histogram.' });

const Summary = z.strictObject({
  average_rating: average,
  total_reviews: count(
    'Reviews of the months in `monthly_breakdown`; without any month and without dates the number ' +
      'that the retailer publishes.',
  ),
  sentiment: Sentiment.nullable(),
  verified_purchases: count('Null when no review tells.'),
  non_verified_purchases: count('Null when no review tells.'),
  rating_distribution: RatingDistribution.meta({
    description: 'Published by the retailer, over all reviews; null with dates.',
  }),
});

const Month = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: 'Month of publication (UTC).' }),
  total_reviews: z.int().positive().meta({ description: 'Reviews of the month.' }),
  average_rating: z.number().min(1).max(5).meta({ description: 'Mean of their stars, 1 to 5.' }),
  sentiment: Sentiment,
});

const Text = z.strictObject({
  review_id: z.string().meta({ description: 'Id of the review at the retailer.' }),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .meta({ description: 'Day of publication, YYYY-MM-DD (UTC).' }),
  rating: z.int().min(1).max(5).meta({ description: 'Stars.' }),
  title: z.string().nullable().meta({ description: 'Heading; null when it has none.' }),
  text: z.string().meta({ description: 'The review as plain text.' }),
  verified_purchase: z
    .boolean()
    .nullable()
    .meta({ description: 'Marked as written by a buyer. Null: the page does not say.' }),
});

const parts = {
  summary: Summary.meta({ description: 'Over all months of the answer.' }),
  monthly_breakdown: z
    .array(Month)
    .meta({ description: 'Reviews that this service has seen, newest month first.' }),
  top_reviews: z
    .array(Text)
    .meta({ description: 'The newest with a text, at most 10, without their authors.' }),
};

/** `reviews` of the record. */
export const ReviewsBlock = z.strictObject(parts);

export const ReviewsRecord = z
  .strictObject({
    identifier: z
      .string()
      .meta({ description: 'Normal form of what was sent; barcodes have 14 digits.' }),
    ...parts,
    ...tokenFields,
  })
  .openapi('ProductReviews');

export type ReviewsRecord = z.infer<typeof ReviewsRecord>;

type ReviewsParts = z.infer<typeof ReviewsBlock>;

/** Summary, months and texts: what the reviews route answers beside identifier and tokens. */
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

/** Every star has its number, five first. */
export function distributionOf(
  stars: Readonly<Record<string, number>> | null,
): z.infer<typeof RatingDistribution> {
  if (stars === null) return null;
  const of = (star: string): number => stars[star] ?? 0;
  return { 5: of('5'), 4: of('4'), 3: of('3'), 2: of('2'), 1: of('1') };
}
