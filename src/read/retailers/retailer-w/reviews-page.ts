// Reads retailer_w's reviews: the published totals and the individual reviews of one page. Months are not published; they
// are computed from the days of individual reviews (D42).

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { Review } from '../../../base/listing/review.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt, dayAt, lineAt, proseAt, starsAt } from '../../page-data/json/json-values.ts';
import { absenceOf, isState, partsOf, readPageState } from './page-state.ts';
import { distributionOf } from './state-listing.ts';

const REVIEW_LIMIT = 200;
const REVIEW_LENGTH = 10_000;

/** Whether the reviewer is a verified buyer, according to the badges: an empty list means no; null without a list. */
function isVerified(node: unknown): boolean | null {
  if (at(node, 'badges') === undefined) return null;
  return listAt(node, 'badges', 50).some((badge) =>
    [textAt(badge, 'id'), textAt(badge, 'glassBadge.id')].includes('VerifiedPurchaser'),
  );
}

function reviewOf(node: unknown): Review {
  const rating = numberAt(node, 'rating');
  return {
    id: textAt(node, 'reviewId')?.slice(0, 100) ?? null,
    day: dayAt(node, 'reviewSubmissionTime'),
    rating: rating !== null && rating >= 1 && rating <= 5 ? rating : null,
    title: lineAt(node, 'reviewTitle'),
    text: proseAt(node, 'reviewText', REVIEW_LENGTH),
    isVerifiedPurchase: isVerified(node),
    author: lineAt(node, 'userNickname', 200),
  };
}

/** Reads an item's reviews page, or any state with its reviews. */
export function readReviewsPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const state = readPageState(page, words);
  if (!isState(state)) return state;
  const { reviews, product } = partsOf(state.initial);
  if (reviews === null) {
    const absence = absenceOf(state, 'reviews');
    return product === null && absence.kind === 'unreadable'
      ? absenceOf(state, 'product')
      : absence;
  }
  const totalReviews = countAt(reviews, 'totalReviewCount') ?? countAt(product, 'numberOfReviews');
  const averageRating =
    starsAt(reviews, 'averageOverallRating') ?? starsAt(product, 'averageRating');
  const seen = new Set<string>();
  const single = listAt(reviews, 'customerReviews', REVIEW_LIMIT)
    .map(reviewOf)
    .filter(({ id, rating, text }) => (id ?? rating ?? text) !== null)
    .filter(({ id }) => id === null || (!seen.has(id) && seen.add(id)));
  const value: RetailerAnswer = {
    kind: 'reviews',
    reviews: {
      averageRating: totalReviews === 0 ? null : averageRating,
      totalReviews,
      ratingDistribution: totalReviews === 0 ? null : distributionOf(reviews),
      reviews: single,
    },
  };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
