// Reviews of retailer_w's items: individual reviews, each stored once and never dropped, and the totals published with them
// (D42). The author of a review is not stored.

import { createHash } from 'node:crypto';

import type { Day } from '../../base/clock.ts';
import type {
  DayRange,
  ReviewCount,
  ReviewText,
  ReviewTotals,
} from '../../rules/product/review-summary.ts';
import type { Review, ReviewPage } from '../../base/listing/review.ts';
import { COMMON_VIEW, notExpired, type View } from './layers.ts';
import type { Origin } from '../../base/listing/origin.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { mayReplace, originValues } from '../statement-values.ts';

type StoredTotals = ReviewTotals & { readonly fetchedAtMs: number };

export type Reviews = {
  /** Returns the published totals; null if the reviews of this item were never read. */
  findTotals(itemId: string): Promise<StoredTotals | null>;
  /** Counts the reviews in the day range by month, stars and verification. */
  countReviews(itemId: string, range: DayRange): Promise<readonly ReviewCount[]>;
  /** Returns reviews with a text, newest first. */
  findNewestReviews(itemId: string, range: DayRange, most: number): Promise<readonly ReviewText[]>;
  countAll(itemId: string): Promise<number>;
  hasAll(itemId: string, ids: readonly string[]): Promise<boolean>;
};

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

function bounds({ from, to }: DayRange): readonly [Day, Day] {
  return [from ?? FIRST_DAY, to ?? LAST_DAY];
}

export function createReviews(sql: Sql, view: View = COMMON_VIEW): Reviews {
  const single = { at: 'seen_at_ms', of: 'facts' } as const;
  return {
    async findTotals(itemId) {
      const given = notExpired(view, { at: 'fetched_at_ms', of: 'facts' }, 2);
      const rows = await sql.all(
        `select * from review_totals where item_id = $1 and ${given.text}`,
        [itemId, ...given.params],
      );
      return rows.map(toTotals)[0] ?? null;
    },
    async countReviews(itemId, range) {
      const given = notExpired(view, single, 4);
      const rows = await sql.all(
        `select substr(day, 1, 7) as month, stars, is_verified, count(*) as stored from reviews
         where item_id = $1 and day >= $2 and day <= $3 and ${given.text}
         group by substr(day, 1, 7), stars, is_verified`,
        [itemId, ...bounds(range), ...given.params],
      );
      return rows.map((row) => ({
        month: String(row['month']),
        stars: Number(row['stars']),
        isVerified: flagOf(row['is_verified']),
        count: Number(row['stored']),
      }));
    },
    async findNewestReviews(itemId, range, most) {
      const given = notExpired(view, single, 5);
      const rows = await sql.all(
        `select * from reviews
         where item_id = $1 and day >= $2 and day <= $3 and body is not null and ${given.text}
         order by day desc, review_id desc limit $4`,
        [itemId, ...bounds(range), most, ...given.params],
      );
      return rows.map(toText);
    },
    async countAll(itemId) {
      const rows = await sql.all('select count(*) as stored from reviews where item_id = $1', [
        itemId,
      ]);
      return Number(rows[0]?.['stored'] ?? 0);
    },
    async hasAll(itemId, ids) {
      if (ids.length === 0) return true;
      const places = ids.map((_, index) => `$${index + 2}`).join(', ');
      const rows = await sql.all(
        `select count(*) as stored from reviews where item_id = $1 and review_id in (${places})`,
        [itemId, ...ids],
      );
      return Number(rows[0]?.['stored'] ?? 0) === new Set(ids).size;
    },
  };
}

function flagOf(value: Row[string] | undefined): boolean | null {
  return typeof value === 'number' ? value === 1 : null;
}

function toTotals(row: Row): StoredTotals {
  const { average, total, distribution } = row;
  return {
    average: typeof average === 'number' ? average : null,
    total: typeof total === 'number' ? total : null,
    // SAFETY: only `upsertReviewTotals` writes it, from this type.
    distribution:
      typeof distribution === 'string'
        ? (JSON.parse(distribution) as NonNullable<ReviewTotals['distribution']>)
        : null,
    fetchedAtMs: Number(row['fetched_at_ms']),
  };
}

function toText(row: Row): ReviewText {
  return {
    id: String(row['review_id']),
    day: String(row['day']),
    stars: Number(row['stars']),
    title: typeof row['title'] === 'string' ? row['title'] : null,
    text: String(row['body']),
    isVerified: flagOf(row['is_verified']),
  };
}

/** A review with a month and stars. Others cannot be counted. */
export type CountedReview = Review & { readonly day: Day; readonly rating: number };

/** Whether a review has the fields that totals need. */
export function isCounted(review: Review): review is CountedReview {
  return review.day !== null && review.rating !== null;
}

/** Ids that are derived from the content of a review. */
const DERIVED = 'said-';

/** Returns the retailer's id of the review. If there is none, derives an id from the review's content. */
export function reviewIdOf({ id, day, rating, author, text }: Review): string {
  if (id !== null) return id;
  const said = JSON.stringify([day, rating, author, text]);
  return `${DERIVED}${createHash('sha256').update(said).digest('base64url').slice(0, 22)}`;
}

/**
 * Writes single reviews; a changed review replaces the old one. One without the retailer's id is the same as one with it that
 * has the same day, stars and text: each review is counted once, whichever source it was read from (D42).
 */
export function upsertReviews(
  itemId: string,
  reviews: readonly CountedReview[],
  seenAtMs: number,
  origin?: Origin,
): readonly Statement[] {
  const written = reviews.map((review) => upsertReview(itemId, review, seenAtMs, origin));
  return written.length === 0 ? [] : [...written, deleteTwins(itemId)];
}

/** Deletes reviews with a derived id that are also stored with the retailer's. */
function deleteTwins(itemId: string): Statement {
  return {
    text: `delete from reviews where item_id = $1 and review_id like '${DERIVED}%' and exists
        (select 1 from reviews as named where named.item_id = reviews.item_id
          and named.review_id not like '${DERIVED}%' and named.day = reviews.day
          and named.stars = reviews.stars and named.body = reviews.body)`,
    params: [itemId],
  };
}

function upsertReview(
  itemId: string,
  review: CountedReview,
  seenAtMs: number,
  origin: Origin | undefined,
): Statement {
  return {
    text: `insert into reviews
        (item_id, review_id, day, stars, is_verified, title, body, seen_at_ms, source, door)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (item_id, review_id) do update set day = excluded.day, stars = excluded.stars,
        is_verified = excluded.is_verified, title = excluded.title, body = excluded.body,
        seen_at_ms = excluded.seen_at_ms, source = excluded.source, door = excluded.door
      where ${mayReplace('reviews', 'seen_at_ms')}`,
    params: [
      itemId,
      reviewIdOf(review),
      review.day,
      // The retailer gives whole stars. A half star is rounded up.
      Math.round(review.rating),
      review.isVerifiedPurchase === null ? null : Number(review.isVerifiedPurchase),
      review.title,
      review.text,
      seenAtMs,
      ...originValues(origin),
    ],
  };
}

/** Writes the published totals. An older page never replaces a newer one. */
export function upsertReviewTotals(
  itemId: string,
  page: ReviewPage,
  fetchedAtMs: number,
  origin?: Origin,
): Statement {
  const { averageRating, totalReviews, ratingDistribution } = page;
  return {
    text: `insert into review_totals (item_id, average, total, distribution, fetched_at_ms, source, door)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (item_id) do update set average = excluded.average, total = excluded.total,
        distribution = excluded.distribution, fetched_at_ms = excluded.fetched_at_ms,
        source = excluded.source, door = excluded.door
      where ${mayReplace('review_totals', 'fetched_at_ms')}`,
    params: [
      itemId,
      averageRating,
      totalReviews,
      ratingDistribution === null ? null : JSON.stringify(ratingDistribution),
      fetchedAtMs,
      ...originValues(origin),
    ],
  };
}

export function deleteReviewsOf(itemId: string): readonly Statement[] {
  return [
    { text: 'delete from reviews where item_id = $1', params: [itemId] },
    { text: 'delete from review_totals where item_id = $1', params: [itemId] },
  ];
}

/** Deletes all reviews. They are only stored for retailer_w's items (D42), and are deleted with it. */
export function deleteAllReviews(): readonly Statement[] {
  return [{ text: 'delete from reviews' }, { text: 'delete from review_totals' }];
}
