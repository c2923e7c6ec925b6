// Finds a product's listings whose price is now suspect (D68). Each is judged by its own history, as in its record.

import { LOOK_BACK_MS, newestSuspicion } from '../../../rules/history/daily-bars.ts';
import type { SuspectReason } from '../../../rules/history/suspect-reason.ts';
import { peersOf, type PeerParts } from '../../collect/price-peers.ts';
import type { Reads } from '../cache/read-session.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { Cell } from '../../../rules/product/cell.ts';
import { shownPriceCents } from '../../../rules/product/shown-price.ts';

type PricedCells = {
  readonly cells: readonly Cell[];
  /** Listings that publish the barcode. */
  readonly carriers: readonly StoredListing[];
  /** The currency in which the histories are read: prices in others are not judged. */
  readonly currency: string;
  readonly nowMs: number;
};

/**
 * Returns why a listing's price is suspect, by listing id. The histories of all listings are one read. A marked price needs
 * one more read for each of its peers.
 */
export async function suspectListings(
  parts: PeerParts & { readonly store: Pick<Reads, 'observations'> },
  { cells, carriers, currency, nowMs }: PricedCells,
): Promise<ReadonlyMap<string, SuspectReason>> {
  const priced = cells.flatMap(({ stored }) =>
    stored === null || shownPriceCents(stored.listing, stored.listing.price, currency) === null
      ? []
      : [stored],
  );
  const suspect = new Map<string, SuspectReason>();
  if (priced.length === 0) return suspect;
  const fromMs = nowMs - LOOK_BACK_MS;
  const byListing = await parts.store.observations.findOfSeveral(priced, fromMs);
  for (const own of priced) {
    const observations = byListing.get(own.id) ?? [];
    const peers = await peersOf(parts, { own, observations, carriers, fromMs });
    const reason = newestSuspicion(observations, peers);
    if (reason !== null) suspect.set(own.id, reason);
  }
  return suspect;
}
