// Converts answers of retailer_e's Browse API, one item (getItem, by legacy id) or the items of a variation group, to a
// listing, or to the single offer that a listing of this marketplace is.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { offerOfListing } from '../../../base/listing/listing-offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import {
  countAt,
  lineAt,
  proseAt,
  specsAt,
  starCounts,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { measuresIn } from '../../page-data/specifications.ts';
import { browseAnswer } from './browse-answer.ts';
import { browseShipping, isAuctionOnly, sharedFacts } from './browse-values.ts';
import { lotCount, specificFacts, stated } from './listing-values.ts';
import { productAnswer } from '../expected-fields.ts';

/** Returns the stock of an entry from its words, otherwise from its exact or hidden quantity ("more than 10"). */
function isAvailable(entry: unknown, words: UnknownWords): boolean | null {
  const status = textAt(entry, 'estimatedAvailabilityStatus');
  const said = status === null ? null : (words.note(readAvailability(status))?.inStock ?? null);
  if (said !== null) return said;
  const quantity = countAt(entry, 'estimatedAvailableQuantity');
  if (quantity !== null) return quantity > 0;
  return textAt(entry, 'availabilityThresholdType') === 'MORE_THAN' ? true : null;
}

type Stock = Pick<Listing, 'inStock' | 'unavailable'>;

/**
 * Returns the stock of an item. A listing whose end precedes the time of the answer has ended, regardless of its stock.
 */
function stockOf(item: unknown, nowMs: number, words: UnknownWords): Stock {
  const end = textAt(item, 'itemEndDate');
  const endMs = end === null ? Number.NaN : Date.parse(end.slice(0, 40));
  if (endMs <= nowMs) return { inStock: false, unavailable: true };
  const entries = listAt(item, 'estimatedAvailabilities', 50);
  const known = entries.map((entry) => isAvailable(entry, words)).filter((is) => is !== null);
  if (known.includes(true)) return { inStock: true, unavailable: false };
  const isOut = known.length > 0 && known.length === entries.length;
  return isOut ? { inStock: false, unavailable: false } : { inStock: null, unavailable: null };
}

function barcodeOf(item: unknown): Gtin14 | null {
  const codes = [
    textAt(item, 'gtin'),
    ...listAt(item, 'product.gtins', 20).map((code) => textAt(code)),
  ];
  for (const code of codes) {
    const gtin = code === null ? null : readGtin(code);
    if (gtin !== null) return gtin;
  }
  return null;
}

/** Stars "5" to "1" -> number of reviews. */
function distributionOf(item: unknown): Readonly<Record<string, number>> | null {
  const counts: (number | null)[] = [null, null, null, null, null];
  for (const row of listAt(item, 'primaryProductReviewRating.ratingHistograms', 20)) {
    const star = numberAt(row, 'rating');
    if (star !== null && Number.isInteger(star) && star >= 1 && star <= 5) {
      counts[star - 1] = countAt(row, 'count');
    }
  }
  return starCounts(counts);
}

function listingOf(item: unknown, page: Page, words: UnknownWords): Listing {
  const specs = specsAt(item, 'localizedAspects');
  const specifics = specificFacts(specs);
  const shared = sharedFacts(item, words);
  const stock = stockOf(item, page.fetchedAtMs, words);
  return {
    ...EMPTY_LISTING,
    ...shared,
    ...stock,
    // The price of an ended listing is no longer an offer.
    price: stock.unavailable === true ? null : (shared.price ?? null),
    gtin: barcodeOf(item) ?? specifics.gtin,
    brand:
      stated(lineAt(item, 'brand', 300)) ??
      stated(lineAt(item, 'product.brand', 300)) ??
      specifics.brand,
    mpn:
      stated(lineAt(item, 'mpn', 200)) ??
      stated(lineAt(item, 'product.mpns.0', 200)) ??
      specifics.mpn,
    model: specifics.model,
    packCount: lotCount(numberAt(item, 'lotSize')) ?? specifics.packCount,
    description: proseAt(item, 'description') ?? proseAt(item, 'shortDescription'),
    categories: (lineAt(item, 'categoryPath', 2000) ?? '').split('|').filter((name) => name !== ''),
    specs,
    ...measuresIn(specs),
    rating: starsAt(item, 'primaryProductReviewRating.averageRating'),
    reviewCount: countAt(item, 'primaryProductReviewRating.reviewCount'),
    ratingDistribution: distributionOf(item),
  };
}

const DAYS = /^(?:CALENDAR_)?DAY$/;

/** Returns the single offer of a listing. */
function offerOf(item: unknown, listing: Listing): Offer {
  const shipping = browseShipping(item);
  const accepts = boolAt(item, 'returnTerms.returnsAccepted');
  const isInDays = DAYS.test(textAt(item, 'returnTerms.returnPeriod.unit') ?? '');
  const payer = textAt(item, 'returnTerms.returnShippingCostPayer');
  return {
    ...offerOfListing(listing),
    offerId: listing.itemId,
    shipping: shipping?.isFree === true ? { cents: 0, currency: 'USD' } : (shipping?.cost ?? null),
    deliveryDate: shipping?.day ?? null,
    maxDeliveryDate: shipping?.lastDay ?? null,
    maxOrderQuantity: countAt(item, 'quantityLimitPerBuyer'),
    quantityAvailable: countAt(item, 'estimatedAvailabilities.0.estimatedAvailableQuantity'),
    returnable: accepts,
    returnWindowDays:
      accepts === true && isInDays ? countAt(item, 'returnTerms.returnPeriod.value') : null,
    freeReturns: payer === null ? null : accepts === true && payer === 'SELLER',
  };
}

type ServedItem = { readonly item: unknown; readonly listing: Listing };

/** Returns the item in the answer; from a group, the first available one, otherwise the first. */
function servedItem(body: unknown, page: Page, words: UnknownWords): ServedItem | null {
  const group = listAt(body, 'items', 200);
  const items = group.length > 0 ? group : [body];
  const all = items
    .map((item) => ({ item, listing: listingOf(item, page, words) }))
    .filter(({ listing }) => listing.title !== null && listing.itemId !== null);
  return all.find(({ listing }) => listing.inStock === true) ?? all[0] ?? null;
}

type ServedVerdict = { readonly kind: 'served'; readonly served: ServedItem } | PageVerdict<never>;

function readServed(page: Page, words: UnknownWords): ServedVerdict {
  const answer = browseAnswer(page);
  if (!answer.ok) return answer.verdict;
  const served = servedItem(answer.body, page, words);
  if (served === null) return { kind: 'unreadable', why: 'a response without an item' };
  return { kind: 'served', served };
}

/** Reads an item, or a variation group, as a product. */
export function readBrowseItem(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = readServed(page, words);
  if (answer.kind !== 'served') return answer;
  const { item, listing } = answer.served;
  const remarks = isAuctionOnly(item) ? ['an auction: the current bid is not a price'] : [];
  return productAnswer(listing, remarks);
}

/** Reads an item as the list of its single offer. */
export function readBrowseOffers(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = readServed(page, words);
  if (answer.kind !== 'served') return answer;
  const { item, listing } = answer.served;
  const offers = { offers: [offerOf(item, listing)], totalOffers: 1 };
  return { kind: 'read', value: { kind: 'offers', offers }, notes: { missing: [], remarks: [] } };
}
