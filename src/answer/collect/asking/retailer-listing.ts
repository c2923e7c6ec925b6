// Asks a known retailer for a listing: the combined facts of its sources, the identifier that the listing belongs to, and
// its stored form.

import { isDoneSince, type Clock } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { ReadNotes } from '../../../base/listing/page.ts';
import type { Origin } from '../../../base/listing/origin.ts';
import type { FoundVia } from '../../../base/listing/stored-listing.ts';
import { ADAPTERS } from '../../../read/retailers/adapters.ts';
import {
  originOfSource,
  type RetailerQuestion,
  type Source,
} from '../../../read/retailers/adapter.ts';
import { identifierOfListing } from '../../../read/retailers/addresses/own-identifier.ts';
import { missingFields } from '../../../read/retailers/expected-fields.ts';
import { filledGaps } from '../../../read/retailers/generic/filled-gaps.ts';
import { listingIdOf } from '../../../data/answers/listings.ts';
import type { Store } from '../../../data/store.ts';
import {
  askRetailer,
  askSource,
  sourcesFor,
  type AnsweredBy,
  type AskParts,
  type FailedOutcome,
  type RetailerOutcome,
} from './ask-retailer.ts';
import { STALE_MS } from '../freshness.ts';
import type { ListingToStore } from '../storing/store-listing.ts';

/** A listing that was read, with the source that answered. */
export type AnsweredListing = AnsweredBy & {
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** Whether it was found through a search engine. */
  readonly viaSearch?: boolean;
  /** The failure of an official source that could have stated more. */
  readonly failedBefore?: FailedOutcome;
};

/** A listing's own retailer identifier, and its page address. */
export type OwnAddress = { readonly key: string; readonly url: string };

/** Returns the product in an answer. Null for an answer that is neither a product nor a search with a single hit. */
function productOf(outcome: Extract<RetailerOutcome, { kind: 'read' }>): AnsweredListing | null {
  const { answer } = outcome;
  if (answer.kind === 'product') return { ...outcome, listing: answer.listing };
  // A search by the retailer's own id with one hit found that product. A hit has few facts.
  const [only, second] = answer.kind === 'search' ? answer.hits : [];
  return only === undefined || second !== undefined ? null : { ...outcome, listing: only };
}

/**
 * Returns the address for the identifier that the listing itself states, which need not be the requested one. Null if it
 * states none.
 */
export function ownAddressOf(retailer: KnownSlug, listing: Listing): OwnAddress | null {
  const identifier = identifierOfListing(retailer, listing);
  const url = identifier === null ? null : ADAPTERS[retailer].book.productUrl(identifier);
  return identifier === null || url === null ? null : { key: identifier.value, url };
}

export function listingToStore(
  retailer: KnownSlug,
  { key, url }: OwnAddress,
  answered: AnsweredListing,
): ListingToStore {
  const { fetchedAtMs, listing, notes, source, origin } = answered;
  const foundVia = catalogOf(retailer);
  return { retailer, key, url, foundVia, source, origin, fetchedAtMs, listing, notes };
}

/** How a listing is found by its retailer's own id (D39): the same whoever reads it, so that no later reading changes it. */
function catalogOf(retailer: KnownSlug): FoundVia {
  return retailer === 'retailer_a' ? 'retailer_a_catalog' : 'native_catalog';
}

/** How a retailer's answer for a barcode was found (D39). retailer_a is searched by words, not by the barcode. */
export function answerFoundVia(
  retailer: KnownSlug,
  { viaSearch }: Pick<AnsweredListing, 'viaSearch'>,
): FoundVia {
  return viaSearch === true ? 'search_provider' : catalogOf(retailer);
}

type AskProductParts = AskParts & { readonly store: Store; readonly clock: Clock };

type ProductOutcome =
  /** Null if the answer is not a product. */
  | { readonly kind: 'read'; readonly product: AnsweredListing | null }
  | Exclude<RetailerOutcome, { kind: 'read' }>;

/** Asks a retailer for one of its products. */
export async function askProduct(
  parts: AskProductParts,
  retailer: KnownSlug,
  identifier: Identifier,
  context: FetchContext,
): Promise<ProductOutcome> {
  const outcome = await askRetailer(parts, retailer, { kind: 'product', identifier }, context);
  if (outcome.kind === 'failed') {
    const product = await statedByBarcode(parts, retailer, { identifier, outcome }, context);
    return product === null ? outcome : await unlessLost(parts, retailer, product);
  }
  if (outcome.kind === 'miss') return outcome;
  const answered = productOf(outcome);
  if (answered === null) return { kind: 'read', product: null };
  return await unlessLost(parts, retailer, await completed(parts, retailer, answered, context));
}

async function unlessLost(
  parts: AskProductParts,
  retailer: KnownSlug,
  product: AnsweredListing,
): Promise<ProductOutcome> {
  return (await lossOf(parts, retailer, product)) ?? { kind: 'read', product };
}

/**
 * Asks the official sources that take barcodes and no identifiers, for the barcode under which the listing was found before: what
 * they state is the listing, whichever question they take (D78). Null if none of them states it.
 */
async function statedByBarcode(
  parts: AskProductParts,
  slug: KnownSlug,
  { identifier, outcome }: { readonly identifier: Identifier; readonly outcome: FailedOutcome },
  context: FetchContext,
): Promise<AnsweredListing | null> {
  const searches = sourcesFor(parts, slug, context).filter(
    ({ isOfficial, takes }) =>
      isOfficial === true && takes?.includes('barcode') === true && !takes.includes('product'),
  );
  if (searches.length === 0) return null;
  const gtin = await parts.store.barcodeAnswers.findBarcodeOf(listingIdOf(slug, identifier.value));
  if (gtin === null) return null;
  const question = { kind: 'barcode', gtin } as const;
  for (const source of searches) {
    const read = await askSource(parts, { slug, source, question }, context);
    const hits = read?.kind === 'read' && read.answer.kind === 'search' ? read.answer.hits : [];
    const listing = hits.find((hit) => identifierOfListing(slug, hit)?.value === identifier.value);
    if (read?.kind === 'read' && listing !== undefined) {
      return { ...read, listing, failedBefore: outcome };
    }
  }
  return null;
}

/**
 * Returns the failure of an official source if what the others stated would remove a stored price or stock: stored data has its
 * own time, and a record has one time for all of its facts. Null if nothing is lost.
 */
export async function lossOf(
  parts: AskProductParts,
  retailer: KnownSlug,
  { listing, failedBefore }: AnsweredListing,
): Promise<FailedOutcome | null> {
  if (failedBefore === undefined || saysWhatItCosts(listing)) return null;
  const address = ownAddressOf(retailer, listing);
  const stored =
    address === null ? null : await parts.store.listings.findListing(retailer, address.key);
  if (stored === null || !saysWhatItCosts(stored.listing)) return null;
  const nowMs = parts.clock.now();
  return isDoneSince(stored.fetchedAtMs, nowMs - STALE_MS, nowMs) ? failedBefore : null;
}

function saysWhatItCosts({ price, inStock }: Listing): boolean {
  return price !== null || inStock !== null;
}

/**
 * Completes the listing from an API (D78): from its own list of offers if that has the price, then from the retailer's next
 * sources, until price and stock are known. A source that does not answer removes nothing. What two sources state together
 * is the stricter one's (D81); a source is not asked if its terms and those of the answer do not agree.
 */
export async function completed(
  parts: AskParts,
  retailer: KnownSlug,
  answered: AnsweredListing,
  context: FetchContext,
): Promise<AnsweredListing> {
  const identifier = identifierOfListing(retailer, answered.listing);
  if (answered.origin.door === 'page' || identifier === null) return answered;
  let { listing, origin, failedBefore } = answered;
  for (const { source, question } of stepsAfter(parts, retailer, { origin, identifier }, context)) {
    if (isPriced(listing)) break;
    const other = originOfSource(retailer, source);
    const stricter = parts.access.stricterOf(origin, other);
    if (stricter === null) continue;
    const more = await askSource(parts, { slug: retailer, source, question }, context);
    if (more?.kind === 'failed' && source.isOfficial === true) failedBefore = more;
    const stated = more?.kind === 'read' ? statedBy(more) : null;
    if (stated === null || isOfAnother(retailer, stated, identifier)) continue;
    listing = filledGaps(listing, stated);
    origin = stricter;
  }
  const notes = { missing: missingFields(listing), remarks: answered.notes.remarks };
  const failed = failedBefore === undefined ? {} : { failedBefore };
  return { ...answered, ...failed, listing, origin, notes };
}

type Step = { readonly source: Source; readonly question: RetailerQuestion };

/** The sources that are asked to complete an answer, in order. */
function stepsAfter(
  parts: AskParts,
  retailer: KnownSlug,
  { origin, identifier }: { readonly origin: Origin; readonly identifier: Identifier },
  context: FetchContext,
): readonly Step[] {
  const sources = sourcesFor(parts, retailer, context);
  const at = sources.findIndex(
    (source) => originOfSource(retailer, source).source === origin.source,
  );
  const own = sources[at];
  // Another one than those that this call may ask stated it.
  if (own === undefined) return [];
  return [
    ...(own.pricesByOffers === true
      ? [{ source: own, question: { kind: 'offers', identifier } as const }]
      : []),
    ...sources
      .slice(at + 1)
      .map((source) => ({ source, question: { kind: 'product', identifier } as const })),
  ];
}

/** Whether nothing of a sale is left to ask for. */
function isPriced({ price, inStock }: Listing): boolean {
  return inStock === false || (price !== null && inStock !== null);
}

/** Returns the facts in an answer about the product itself. */
function statedBy(read: Extract<RetailerOutcome, { kind: 'read' }>): Listing | null {
  const { answer } = read;
  return answer.kind === 'offers' ? (answer.product ?? null) : (productOf(read)?.listing ?? null);
}

function isOfAnother(retailer: KnownSlug, stated: Listing, { value }: Identifier): boolean {
  const own = identifierOfListing(retailer, stated);
  return own !== null && own.value !== value;
}
