// The data that a retailer publishes about a product's reviews: its own totals and the single reviews of a page.

export type Review = {
  /** The retailer's review id: each review is counted once (D42). */
  readonly id: string | null;
  /** UTC day of publication. */
  readonly day: string | null;
  /** 1 to 5. */
  readonly rating: number | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly isVerifiedPurchase: boolean | null;
  readonly author: string | null;
};

export type ReviewPage = {
  /** 0 to 5. */
  readonly averageRating: number | null;
  readonly totalReviews: number | null;
  /** Stars "5".."1" to number of reviews. */
  readonly ratingDistribution: Readonly<Record<string, number>> | null;
  readonly reviews: readonly Review[];
};
