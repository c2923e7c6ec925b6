// Decides whether a page reviews a product instead of selling it. Product pages contain reviews too, so no single sign is
// sufficient.

import { compile } from '../../../base/listing/words/all-languages.ts';
import type { Graph } from './graph.ts';
import { mainNodes } from './main-product.ts';
import { hasType, isNode, listOf, plainNumber, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import type { OfferedNode } from './offers.ts';
import { PRODUCT_TYPES } from './schema-org-product.ts';
import { firstOf, titleIn } from './schema-values.ts';

/** The parts of a page that may identify it as a review. */
type ReviewSigns = {
  /** Headings and titles. */
  readonly names: readonly string[];
  /** Whether its tags call it an article. */
  readonly isCalledArticle: boolean;
  readonly graph: Graph;
};

const REVIEWS = new Set(['review', 'criticreview']);

/** Words for a single review or test; "reviews" means customer reviews. */
const REVIEW_WORDS = compile('reviewWord', (words) => `(?<!\\p{L})${words}(?!\\p{L})`);

function isReviewName(names: readonly string[]): boolean {
  return names.some((name) => REVIEW_WORDS.test(name.slice(0, 300)));
}

/** Whether the data has exactly one review of a product as a main node of the page. */
function isOneReview(graph: Graph): boolean {
  const reviews = mainNodes(graph, REVIEWS);
  const item =
    reviews.length === 1 && reviews[0] !== undefined && firstOf(reviews[0], 'itemReviewed');
  return isNode(item) && hasType(item, PRODUCT_TYPES);
}

/** Whether a product has one review and at most one rating: the review was written for the page. */
function hasOneReview(product: SchemaNode): boolean {
  const reviews = listOf(product, 'review').filter(isNode);
  const rating = firstOf(product, 'aggregateRating');
  const count = isNode(rating)
    ? (plainNumber(valueOf(rating, 'reviewCount') ?? valueOf(rating, 'ratingCount')) ?? 0)
    : 0;
  return reviews.length === 1 && count <= 1;
}

/** Whether nothing says where or by whom a product is sold. */
function isSoldNowhere({ offers }: OfferedNode): boolean {
  return offers.every(({ url, sellerName }) => url === null && sellerName === null);
}

/**
 * Whether the page is a review: its headline calls it one, its tags call it an article, its data has a single review. Two of
 * these are enough when the data has only a general price range, and all three when it has an offer without seller and address.
 */
export function isReviewPage(
  products: readonly OfferedNode[],
  { names, isCalledArticle, graph }: ReviewSigns,
): boolean {
  const title = products.map(({ node }) => titleIn(node, 'name') ?? '');
  const isNamed = isReviewName(names) && !isReviewName(title);
  const isOne = isOneReview(graph);
  if (products.length === 0) return isNamed && isOne;
  if (!products.every(isSoldNowhere)) return false;
  const isReviewed = isOne || products.some(({ node }) => hasOneReview(node));
  const signs = [isNamed, isCalledArticle, isReviewed].filter(Boolean).length;
  const isInGeneral = products.every(({ offers }) => offers.every((offer) => offer.isAggregate));
  const isNumbered = products.some(({ node }) => valueOf(node, 'sku') !== undefined);
  return signs === 3 || (signs === 2 && isInGeneral && (isNamed || !isNumbered));
}
