// Reads reviews of retailer_w's affiliate product API: the published totals and one page of single reviews, which have no
// id. Numbers are strings.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { Review } from '../../../base/listing/review.ts';
import { listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import {
  countAt,
  dayAt,
  lineAt,
  proseAt,
  starCounts,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { jsonBody } from '../json-body.ts';
import { readAffiliateFailure } from './affiliate-answer.ts';

const REVIEW_LIMIT = 200;
const REVIEW_LENGTH = 10_000;

function reviewOf(node: unknown): Review {
  const rating = numberAt(node, 'overallRating.rating');
  return {
    id: null,
    day: dayAt(node, 'submissionTime'),
    rating: rating !== null && rating >= 1 && rating <= 5 ? rating : null,
    title: lineAt(node, 'title'),
    text: proseAt(node, 'reviewText', REVIEW_LENGTH),
    isVerifiedPurchase: null,
    author: lineAt(node, 'reviewer', 200),
  };
}

/** Returns stars to counts, from `[{ratingValue: "5", count: "3"}]`. */
function distributionOf(root: unknown): Readonly<Record<string, number>> | null {
  const counts: (number | null)[] = [null, null, null, null, null];
  for (const row of listAt(root, 'reviewStatistics.ratingDistributions', 10)) {
    const stars = numberAt(row, 'ratingValue');
    if (stars !== null && [1, 2, 3, 4, 5].includes(stars))
      counts[stars - 1] = countAt(row, 'count');
  }
  return starCounts(counts);
}

/** Reads an item's reviews. */
export function readAffiliateReviews(page: Page): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const early = readAffiliateFailure(page, root);
  if (early !== null) return early;
  const asked = /\/reviews\/(\d+)$/.exec(URL.parse(page.requestedUrl)?.pathname ?? '')?.[1];
  const itemId = textAt(root, 'itemId');
  if (itemId === null || (asked !== undefined && itemId !== asked)) {
    return { kind: 'unreadable', why: 'not the reviews of this item' };
  }
  const totalReviews =
    countAt(root, 'reviewStatistics.totalReviewCount') ?? countAt(root, 'numReviews');
  const averageRating =
    starsAt(root, 'reviewStatistics.averageOverallRating') ?? starsAt(root, 'customerRating');
  const value: RetailerAnswer = {
    kind: 'reviews',
    reviews: {
      averageRating: totalReviews === 0 ? null : averageRating,
      totalReviews,
      ratingDistribution: totalReviews === 0 ? null : distributionOf(root),
      reviews: listAt(root, 'reviews', REVIEW_LIMIT)
        .map(reviewOf)
        .filter(({ rating, text }) => (rating ?? text) !== null),
    },
  };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
