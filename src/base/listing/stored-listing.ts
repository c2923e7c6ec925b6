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

/** Where the product of a listing went: its address shows another listing since (D90). */
export type Move = {
  /** Id of the listing that the address shows now. */
  readonly toId: string;
  /** The first reading in a row that showed another product, ms since 1970. */
  readonly sinceMs: number;
  /** The last one. */
  readonly readAtMs: number;
};

/** Whether a second reading, at least an hour after the first, said the same. */
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
  /** Present while its address shows another product. `fetchedAtMs` is then the last reading of this one. */
  readonly moved?: Move;
};

/** When the listing's address was last read. */
export function addressReadAtMs({ fetchedAtMs, moved }: StoredListing): number {
  return moved?.readAtMs ?? fetchedAtMs;
}

/** A listing by its address. */
export type ListingAddress = { readonly retailer: Slug; readonly url: string };
