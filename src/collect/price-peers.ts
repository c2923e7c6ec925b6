// The prices of the same product at the others of the seven retailers, which end the suspicion of a slip (D68). They are
// read only where one is marked, so that an ordinary answer reads none.

import { isKnownSlug } from '../core/retailer.ts';
import { mayBeSupported, type Observation, type Peers } from '../history/daily-bars.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Store } from '../store/store.ts';

type Listed = Pick<StoredListing, 'retailer' | 'listing'>;

export type PeerQuestion = {
  readonly own: Listed;
  /** Of `own`, as they will be judged. */
  readonly observations: readonly Observation[];
  /** Listings of the same barcode that do not contradict it; `own` may be among them. */
  readonly others: readonly StoredListing[];
  readonly fromMs: number;
};

/** Whether the price of another listing of the product can support this one's: of another of the seven, and of the same pack. */
function isPeer(own: Listed, { retailer, listing }: Listed): boolean {
  return (
    retailer !== own.retailer &&
    isKnownSlug(retailer) &&
    (listing.packCount ?? 1) === (own.listing.packCount ?? 1)
  );
}

/** One list for each of the seven retailers that lists the same pack; empty where nothing is marked that they could support. */
export async function peersOf(
  store: Pick<Store, 'observations'>,
  { own, observations, others, fromMs }: PeerQuestion,
): Promise<Peers> {
  if (!mayBeSupported(observations)) return [];
  const peers = others.filter((each) => isPeer(own, each));
  const held = peers.map((each) => store.observations.findSinceOf(each, fromMs));
  return (await Promise.all(held)).map((each) => each.observations);
}
