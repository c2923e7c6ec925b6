// GET /v1/products/{id}/reviews: any identifier -> retailer_w's item -> its reviews, of which every one that was
// ever seen is kept (D42). Says what must be asked; `gather-reviews.ts` asks.

import { dayOf } from '../domain/clock.ts';
import { FaultError } from '../domain/fault.ts';
import type { Product } from '../domain/product.ts';
import { summarizeReviews, type DayRange, type ReviewSummary } from '../domain/review-summary.ts';
import type { ReviewText } from '../store/reviews.ts';
import type { Store } from '../store/store.ts';
import type { AskParts } from './ask-retailer.ts';
import type { Collect } from './collect.ts';
import { FRESH_MS, STALE_MS } from './freshness.ts';
import { createReviewGathering, type GatherReviews } from './gather-reviews.ts';
import { identify } from './identify.ts';
import type { LookupProduct, Prepared } from './lookup-product.ts';

export type ReviewsRequest = {
  /** The identifier as it was sent, decoded once. */
  readonly text: string;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
};

export type PreparedReviews = {
  /** The normal form of what was sent, as the answer repeats it. */
  readonly identifier: string;
  readonly product: Prepared;
  readonly range: DayRange;
};

export type ReviewsAnswer = {
  readonly summary: ReviewSummary;
  /** Newest first, those with a text. */
  readonly top: readonly ReviewText[];
};

export type LookupReviews = {
  /** Throws the fault of a request that can never be answered; asks nobody. */
  prepare(request: ReviewsRequest): PreparedReviews;
  /** What is held, or null when something must be fetched before an answer. */
  held(prepared: PreparedReviews): Promise<ReviewsAnswer | null>;
  fetched(prepared: PreparedReviews, signal: AbortSignal): Promise<ReviewsAnswer>;
};

export type LookupReviewsParts = AskParts & {
  readonly store: Store;
  readonly collect: Collect;
  readonly lookupProduct: LookupProduct;
  readonly inBackground: (work: (signal: AbortSignal) => Promise<unknown>) => void;
};

type Parts = LookupReviewsParts & { readonly gather: GatherReviews };

const MOST_TEXTS = 10;

export function createLookupReviews(given: LookupReviewsParts): LookupReviews {
  const parts: Parts = { ...given, gather: createReviewGathering(given) };
  return {
    prepare: (request) => prepare(parts, request),
    held: (prepared) => held(parts, prepared),
    fetched: (prepared, signal) => fetched(parts, prepared, signal),
  };
}

function prepare(parts: Parts, { text, startDate, endDate }: ReviewsRequest): PreparedReviews {
  const range = rangeOf(dayOf(parts.clock.now()), startDate, endDate);
  const identified = identify(text.trim());
  // Only retailer_w matters. Where its own number or a barcode was sent, nobody else need be asked.
  const isOfW =
    identified.ok &&
    identified.candidates.some((each) => each.kind === 'item_id' || 'gtin14' in each);
  const retailer = isOfW ? 'retailer_w' : undefined;
  const product = parts.lookupProduct.prepare({ text, retailer, forceRefresh: false });
  const [first] = product.candidates;
  const identifier =
    first === undefined ? text.trim() : 'gtin14' in first ? first.gtin14 : first.value;
  return { identifier, product, range };
}

/** D42: UTC days, both included. Without dates everything; `end_date` alone is open at its start. */
function rangeOf(today: string, from: string | undefined, end: string | undefined): DayRange {
  for (const [parameter, day] of Object.entries({ start_date: from, end_date: end })) {
    if (day !== undefined && !isDay(day)) {
      throw badDate(parameter, `"${parameter}" is no day of the calendar: send YYYY-MM-DD.`);
    }
  }
  if (from === undefined) return { from: null, to: end ?? null };
  const to = end ?? today;
  if (from > to) {
    const of = end === undefined ? 'today, which `end_date` defaults to' : '`end_date`';
    throw badDate('start_date', `"start_date" is after ${of}.`);
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

async function held(parts: Parts, prepared: PreparedReviews): Promise<ReviewsAnswer | null> {
  const product = await parts.lookupProduct.held(prepared.product);
  const itemId = product?.itemId ?? null;
  const totals = itemId === null ? null : await parts.store.reviews.findTotals(itemId);
  if (itemId === null || totals === null) return null;
  const age = parts.clock.now() - totals.fetchedAtMs;
  if (age > STALE_MS) return null;
  if (age > FRESH_MS) parts.inBackground((signal) => parts.gather(itemId, signal));
  return answerOf(parts, itemId, prepared.range);
}

async function fetched(
  parts: Parts,
  prepared: PreparedReviews,
  signal: AbortSignal,
): Promise<ReviewsAnswer> {
  const product =
    (await parts.lookupProduct.held(prepared.product)) ??
    (await parts.lookupProduct.fetched(prepared.product, signal));
  const itemId = await itemIdOf(parts, product, signal);
  const gathered = await parts.gather(itemId, signal);
  const isHeld = (await parts.store.reviews.findTotals(itemId)) !== null;
  // D38: what is held is served when the fetch fails. Nothing but the page tells the day of a review.
  if (gathered.kind === 'failed' && !isHeld) throw new FaultError(gathered.fault);
  return answerOf(parts, itemId, prepared.range);
}

/** The item of retailer_w: the product's own, else the one that is sold under its barcode. */
async function itemIdOf(parts: Parts, product: Product, signal: AbortSignal): Promise<string> {
  if (product.itemId !== null) return product.itemId;
  const { gtin } = product;
  if (gtin === null) throw new FaultError(NOT_LISTED);
  const sinceMs = parts.clock.now() - FRESH_MS;
  const collected = await parts.collect.collectBarcode('retailer_w', gtin, sinceMs, signal);
  if (collected.kind === 'failed') throw new FaultError(collected.fault);
  if (collected.kind === 'miss' || collected.identity?.state === 'mismatch') {
    throw new FaultError(NOT_LISTED);
  }
  return collected.stored.key;
}

const NOT_LISTED = {
  code: 'not_found',
  detail: 'retailer_w has no listing of this product, and reviews are known from retailer_w only.',
} as const;

async function answerOf(parts: Parts, itemId: string, range: DayRange): Promise<ReviewsAnswer> {
  const { reviews, catalog } = parts.store;
  const isDated = range.from !== null || range.to !== null;
  const counts = await reviews.countReviews(itemId, range);
  const totals = await reviews.findTotals(itemId);
  const listing = (await catalog.findListing('retailer_w', itemId))?.held?.listing ?? null;
  const published = {
    average: totals?.average ?? listing?.rating ?? null,
    total: totals?.total ?? listing?.reviewCount ?? null,
    distribution: totals?.distribution ?? listing?.ratingDistribution ?? null,
  };
  return {
    summary: summarizeReviews(counts, published, isDated),
    top: await reviews.newestReviews(itemId, range, MOST_TEXTS),
  };
}
