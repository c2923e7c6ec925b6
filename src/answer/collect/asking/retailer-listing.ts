// Asks a known retailer for a listing: what its sources answer, the identifier that the listing belongs to, and its stored
// form.

import { isDoneSince, type Clock } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { ReadNotes } from '../../../base/listing/page.ts';
import type { FoundVia } from '../../../base/listing/stored-listing.ts';
import { ADAPTERS } from '../../../read/retailers/adapters.ts';
import { identifierOfListing } from '../../../read/retailers/addresses/own-identifier.ts';
import type { Store } from '../../../data/store.ts';
import {
  askRetailer,
  type AnsweredBy,
  type AskParts,
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
};

/** A listing's own retailer identifier, and its page address. */
export type OwnAddress = { readonly key: string; readonly url: string };

/** Returns the product in an answer. Null for an answer that is neither a product nor a search with a single hit. */
export function productOf(
  outcome: Extract<RetailerOutcome, { kind: 'read' }>,
): AnsweredListing | null {
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

/**
 * Asks a retailer for one of its products. If an API failed, the fallback page may state neither price nor stock. If it would
 * remove a stored price or stock, the API's failure is returned instead: stored data has its own time, and a record has one
 * time for all of its facts.
 */
export async function askProduct(
  parts: AskProductParts,
  retailer: KnownSlug,
  identifier: Identifier,
  context: FetchContext,
): Promise<RetailerOutcome> {
  const outcome = await askRetailer(parts, retailer, { kind: 'product', identifier }, context);
  if (outcome.kind !== 'read' || outcome.failedBefore === undefined) return outcome;
  const listing = productOf(outcome)?.listing;
  if (listing === undefined || saysWhatItCosts(listing)) return outcome;
  const key = ownAddressOf(retailer, listing)?.key ?? identifier.value;
  const stored = await parts.store.listings.findListing(retailer, key);
  if (stored === null || !saysWhatItCosts(stored.listing)) return outcome;
  const nowMs = parts.clock.now();
  return isDoneSince(stored.fetchedAtMs, nowMs - STALE_MS, nowMs) ? outcome.failedBefore : outcome;
}

function saysWhatItCosts({ price, inStock }: Listing): boolean {
  return price !== null || inStock !== null;
}
