// Reads the reviews in the JSON-LD of retailer_h's product page: average, total, and the first ten individual reviews,
// without days. There is no separate review page.

import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { Review } from '../../../base/listing/review.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { chooseProduct } from '../../page-data/schema-org/main-product.ts';
import { isNode, listOf } from '../../page-data/schema-org/node.ts';
import type { SchemaNode } from '../../page-data/schema-org/node.ts';
import { ratingIn } from '../../page-data/schema-org/schema-numbers.ts';
import { firstOf, textIn } from '../../page-data/schema-org/schema-values.ts';
import { numberAt } from '../../page-data/json/json-path.ts';
import { dayAt } from '../../page-data/json/json-values.ts';
import { parsePage } from '../generic/parsed-page.ts';
import { readObstacle, readStatus } from '../page-status.ts';

const REVIEW_LIMIT = 100;
const TEXT_LENGTH = 5000;

function reviewOf(node: SchemaNode): Review {
  const rating = firstOf(node, 'reviewRating');
  const stars = isNode(rating) ? numberAt(rating, 'ratingValue') : null;
  const author = firstOf(node, 'author');
  const name = isNode(author) ? textIn(author, 'name', 200) : textIn(node, 'author', 200);
  const title = textIn(node, 'headline', 500) ?? textIn(node, 'name', 500);
  const body = firstOf(node, 'reviewBody');
  return {
    id: null,
    day: dayAt(firstOf(node, 'datePublished')),
    rating: stars !== null && stars >= 1 && stars <= 5 ? stars : null,
    title: title === null ? null : cleanText(title, 500),
    text: typeof body === 'string' ? plainTextOfHtml(body, TEXT_LENGTH) || null : null,
    isVerifiedPurchase: null,
    author: name,
  };
}

/** Reads the reviews of a product page. */
export function readReviews(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  const { jsonLd, context, signs } = parsed;
  const choice = chooseProduct(jsonLd, { context, signs, isStrict: false });
  const [product] = choice.kind === 'one' ? choice.products : [];
  if (product === undefined) {
    const obstacle = readObstacle(parsed.html, page);
    return obstacle ?? { kind: 'unreadable', why: 'no product with reviews on the page' };
  }
  const { node } = product;
  const { rating, reviewCount } = ratingIn(node);
  const reviews = listOf(node, 'review').filter(isNode).slice(0, REVIEW_LIMIT).map(reviewOf);
  return {
    kind: 'read',
    value: {
      kind: 'reviews',
      reviews: {
        averageRating: rating,
        totalReviews: reviewCount,
        ratingDistribution: null,
        reviews,
      },
    },
    notes: { missing: [], remarks: [] },
  };
}
