// Finds which listing an address shows now, if it has shown others before (D90). Only reads.

import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Listings } from '../../data/answers/listings.ts';

/** Maximum number of addresses followed, each leading to the next. A longer chain is a mistake of the shop, or a trap. */
const MOST_MOVES = 5;

/**
 * Returns the listing that the address of `stored` shows now: itself, unless it has moved. Null if that listing is not stored,
 * so that the address must be read.
 */
export async function shownAt(
  listings: Pick<Listings, 'findListingById'>,
  stored: StoredListing,
): Promise<StoredListing | null> {
  let shown: StoredListing | null = stored;
  for (let moves = 0; shown?.moved !== undefined; moves += 1) {
    if (moves === MOST_MOVES) return null;
    shown = await listings.findListingById(shown.moved.toId);
  }
  return shown;
}
