// GET /v1/products/{id}/reviews: from any identifier to retailer_w's item to its reviews (D42). This file finds the item;
// `item-reviews.ts` reads the reviews.

import type { FetchContext } from '../../base/fetch-context.ts';
import { dayOf, type Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { Product } from '../../rules/product/product.ts';
import type { DayRange, ProductReviews } from '../../rules/product/review-summary.ts';
import type { Collect } from '../collect/collect.ts';
import { FRESH_MS } from '../collect/freshness.ts';
import { parseAllowedInput, type IsAllowedUrl } from './steps/parse-input.ts';
import type { ItemReviews } from './add-ons/item-reviews.ts';
import type { LookupProduct } from './lookup-product.ts';
import { isRetailerB, lookupOf, type ParsedLookup } from './steps/parse-lookup.ts';

type ReviewsRequest = {
  /** The identifier as sent, decoded once. */
  readonly text: string;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
};

type ParsedReviewsRequest = {
  /** The input in its normal form, as the answer repeats it. */
  readonly identifier: string;
  readonly product: ParsedLookup;
  readonly range: DayRange;
};

export type LookupReviews = {
  /** Throws the fault of a request that can never be answered; reads and fetches nothing. */
  parse(request: ReviewsRequest): ParsedReviewsRequest;
  /** Answers from the store. Null if something must be fetched first. */
  fromStore(request: ParsedReviewsRequest): Promise<ProductReviews | null>;
  fromShops(request: ParsedReviewsRequest, context: FetchContext): Promise<ProductReviews>;
};

type LookupReviewsParts = {
  readonly clock: Clock;
  readonly collect: Collect;
  readonly lookupProduct: Pick<LookupProduct, 'fromStore' | 'fromShops'>;
  readonly itemReviews: ItemReviews;
  readonly isAllowedUrl: IsAllowedUrl;
};

export function createLookupReviews(parts: LookupReviewsParts): LookupReviews {
  return {
    parse: (request) => parse(parts, request),
    fromStore: (request) => fromStore(parts, request),
    fromShops: (request, context) => fromShops(parts, request, context),
  };
}

function parse(
  parts: LookupReviewsParts,
  { text, startDate, endDate }: ReviewsRequest,
): ParsedReviewsRequest {
  const range = rangeOf(dayOf(parts.clock.now()), startDate, endDate);
  const input = parseAllowedInput(parts.isAllowedUrl, text);
  // Only reviews of retailer_w are known. An item id or a barcode can be looked up there, so no other retailer is asked. A
  // possible retailer_b SKU is looked up at retailer_b first, for its barcode (D66).
  const isOfW = input.identifiers.some((each) => each.kind === 'item_id' || 'gtin14' in each);
  const retailer = isOfW && !input.identifiers.some(isRetailerB) ? 'retailer_w' : undefined;
  const product = lookupOf(input, { retailer, forceRefresh: false, anchorOnly: true });
  const first = product.keys[0]?.identifier;
  const identifier =
    first === undefined ? text.trim() : 'gtin14' in first ? first.gtin14 : first.value;
  return { identifier, product, range };
}

/** D42: UTC days, both inclusive. Without dates the range is everything; with `end_date` alone it has no start. */
function rangeOf(today: string, from: string | undefined, end: string | undefined): DayRange {
  for (const [parameter, day] of Object.entries({ start_date: from, end_date: end })) {
    if (day !== undefined && !isDay(day)) {
      throw badDate(parameter, `"${parameter}" is not a valid date. Send YYYY-MM-DD.`);
    }
  }
  if (from === undefined) return { from: null, to: end ?? null };
  const to = end ?? today;
  if (from > to) {
    const of = end === undefined ? 'today, the default of `end_date`' : '`end_date`';
    throw badDate(
      'start_date',
      `"start_date" is after ${of}. Send a start date that is not after the end date.`,
    );
  }
  return { from, to };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(atMs) && dayOf(atMs) === text;
}

function badDate(parameter: string, detail: string): FaultError {
  return new FaultError({ code: 'invalid_parameter', parameter, detail });
}

async function fromStore(
  parts: LookupReviewsParts,
  request: ParsedReviewsRequest,
): Promise<ProductReviews | null> {
  const product = await parts.lookupProduct.fromStore(request.product);
  const itemId = product?.itemId ?? null;
  return itemId === null ? null : parts.itemReviews.fromStore(itemId, request.range);
}

async function fromShops(
  parts: LookupReviewsParts,
  request: ParsedReviewsRequest,
  context: FetchContext,
): Promise<ProductReviews> {
  const product =
    (await parts.lookupProduct.fromStore(request.product)) ??
    (await parts.lookupProduct.fromShops(request.product, context));
  const itemId = await itemIdOf(parts, product, context);
  const answer = await parts.itemReviews.fromShops(itemId, request.range, context);
  if ('summary' in answer) return answer;
  throw new FaultError(answer);
}

/** Returns the retailer_w item: the product's own, else the one that retailer_w sells under its barcode. */
async function itemIdOf(
  parts: LookupReviewsParts,
  product: Product,
  context: FetchContext,
): Promise<string> {
  if (product.itemId !== null) return product.itemId;
  const { gtin } = product;
  if (gtin === null) throw new FaultError(NOT_LISTED);
  const sinceMs = parts.clock.now() - FRESH_MS;
  const collected = await parts.collect.collectBarcode('retailer_w', gtin, sinceMs, context);
  if (collected.kind === 'failed') throw new FaultError(collected.fault);
  if (collected.kind === 'miss' || collected.identity?.state === 'mismatch') {
    throw new FaultError(NOT_LISTED);
  }
  return collected.stored.key;
}

const NOT_LISTED = {
  code: 'not_found',
  detail:
    'retailer_w has no listing of this product, and reviews are available from retailer_w only.',
} as const;
