// The prices of the same product at the others of the seven retailers, which end the suspicion of a slip (D68). They are
// read only where one is marked, so that an ordinary answer reads none.

import { DAY_MS } from '../core/clock.ts';
import { isKnownSlug } from '../core/retailer.ts';
import { mayBeSupported, type Observation, type Peers } from '../history/daily-bars.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Store } from '../store/store.ts';

/** What a history is read for: the longest window of D29, 180 days, and the whole of its first day. */
export const WINDOW_MS = 181 * DAY_MS;

export type PeerQuestion = {
  readonly own: StoredListing;
  /** Of `own`, as they will be judged. */
  readonly observations: readonly Observation[];
  /** Listings of the same barcode that do not contradict it; `own` may be among them. */
  readonly others: readonly StoredListing[];
  readonly fromMs: number;
};

/** One list for each of the seven retailers that lists the same pack; empty where nothing is marked that they could support. */
export async function peersOf(
  store: Pick<Store, 'observations'>,
  { own, observations, others, fromMs }: PeerQuestion,
): Promise<Peers> {
  if (!mayBeSupported(observations)) return [];
  const peers = others.filter(
    ({ retailer, listing }) =>
      retailer !== own.retailer &&
      isKnownSlug(retailer) &&
      (listing.packCount ?? 1) === (own.listing.packCount ?? 1),
  );
  const held = peers.map((each) => store.observations.findSince(each.id, fromMs));
  return (await Promise.all(held)).map((each) => each.observations);
}
