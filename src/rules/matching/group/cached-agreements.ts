// Caches comparison results by the compared listings, so that an unchanged group is compared once instead of for every
// answer.

import type { Listing } from '../../../base/listing/listing.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';

export type CachedAgreements<Found> = {
  /** Returns the result for exactly these listings of these retailers, in this order. */
  recall(listings: readonly StoredListing[]): Found | undefined;
  keep(listings: readonly StoredListing[], found: Found): void;
};

type CachedGroup<Found> = { readonly listings: readonly StoredListing[]; readonly found: Found };

/**
 * The most groups cached per first listing. Few groups share one: a barcode is requested with and without a retailer's
 * listing, or with one disputed.
 */
const GROUPS_OF_ONE = 4;

/** Each result is released with the first listing of its group. */
export function createCachedAgreements<Found>(): CachedAgreements<Found> {
  const groups = new WeakMap<Listing, readonly CachedGroup<Found>[]>();
  return {
    recall(listings) {
      const [first] = listings;
      if (first === undefined) return undefined;
      return groups.get(first.listing)?.find((cached) => isSame(cached.listings, listings))?.found;
    },
    keep(listings, found) {
      const [first] = listings;
      if (first === undefined) return;
      const others = groups.get(first.listing) ?? [];
      groups.set(first.listing, [{ listings, found }, ...others.slice(0, GROUPS_OF_ONE - 1)]);
    },
  };
}

/** Returns whether two lists have the same listings. Comparing objects is enough, because a listing is immutable. */
function isSame(some: readonly StoredListing[], others: readonly StoredListing[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ listing, retailer }, at) => {
      const other = others[at];
      return other?.listing === listing && other.retailer === retailer;
    })
  );
}
