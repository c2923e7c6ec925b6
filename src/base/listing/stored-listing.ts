// A listing as it is stored: what one retailer stated, where and when it was read, and how its address became known.

import { HOUR_MS } from '../clock.ts';
import type { Listing } from './listing.ts';
import type { Slug } from '../retailer.ts';

/** How a listing's address became known (D39). */
export type FoundVia =
  | 'native_catalog'
  | 'retailer_a_catalog'
  | 'search_provider'
  | 'submitted_url';

/** Where a listing's product went: its address has shown another listing since (D90). */
export type Move = {
  /** Id of the listing that the address shows now. */
  readonly toId: string;
  /** The first of the consecutive readings that showed another product, ms since 1970. */
  readonly sinceMs: number;
  /** The last one. */
  readonly readAtMs: number;
};

/** Returns whether a second reading, at least an hour after the first, confirmed it. */
export function isSureMove({ sinceMs, readAtMs }: Move): boolean {
  return readAtMs - sinceMs >= HOUR_MS;
}

/** A listing as it is stored. */
export type StoredListing = {
  readonly id: string;
  readonly retailer: Slug;
  /** The retailer's identifier, or the reduced address for a shop without identifiers (D9). */
  readonly key: string;
  /** Where it was read. */
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  /** Present while its address shows another product. `fetchedAtMs` is then the last reading of this product. */
  readonly moved?: Move;
};

/** Returns when the listing's address was last read. */
export function addressReadAtMs({ fetchedAtMs, moved }: StoredListing): number {
  return moved?.readAtMs ?? fetchedAtMs;
}

/** A listing identified by its address. */
export type ListingAddress = { readonly retailer: Slug; readonly url: string };
