// A listing as it is stored: what one retailer stated, where and when it was read, and how its address became known.

import type { Listing } from './listing.ts';
import type { Slug } from '../core/retailer.ts';

/** How a listing's address became known (D39). */
export type FoundVia =
  | 'native_catalog'
  | 'retailer_a_catalog'
  | 'search_provider'
  | 'submitted_url';

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
};

/** A listing by its address. */
export type ListingAddress = { readonly retailer: Slug; readonly url: string };
