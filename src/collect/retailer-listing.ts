// A listing that a known retailer answered with: read from the answer, the identifier it belongs under, and the form in
// which it is stored.

import type { KnownSlug } from '../core/retailer.ts';
import type { Listing } from '../listing/listing.ts';
import type { ReadNotes } from '../listing/page.ts';
import type { FoundVia } from '../listing/stored-listing.ts';
import { ADAPTERS } from '../retailers/adapters.ts';
import { identifierOfListing } from '../retailers/own-identifier.ts';
import type { AnsweredBy, RetailerOutcome } from './ask-retailer.ts';
import type { ListingToStore } from './store-listing.ts';

/** A listing that was read, with the source that answered. */
export type AnsweredListing = AnsweredBy & {
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** A search engine led to it. */
  readonly viaSearch?: boolean;
};

/** The retailer's own identifier of a listing, and the address of its page. */
export type OwnAddress = { readonly key: string; readonly url: string };

/** Null for an answer that is neither a product nor a search with a single hit. */
export function productOf(
  outcome: Extract<RetailerOutcome, { kind: 'read' }>,
): AnsweredListing | null {
  const { answer } = outcome;
  if (answer.kind === 'product') return { ...outcome, listing: answer.listing };
  // A search by the retailer's own id with one hit is that product, with the few facts that a hit states.
  const [only, second] = answer.kind === 'search' ? answer.hits : [];
  return only === undefined || second !== undefined ? null : { ...outcome, listing: only };
}

/** By the identifier that the listing itself states, which need not be the requested one; null when it states none. */
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
  const { fetchedAtMs, listing, notes, source, viaSearch } = answered;
  const foundVia = viaSearch === true ? ('search_provider' as const) : catalogOf(retailer);
  return { retailer, key, url, foundVia, source, fetchedAtMs, listing, notes };
}

/** D39; retailer_a is searched by words, not by the barcode, and its links say so. */
function catalogOf(retailer: KnownSlug): FoundVia {
  return retailer === 'retailer_a' ? 'retailer_a_catalog' : 'native_catalog';
}
