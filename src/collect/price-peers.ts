// The prices of the same product at the others of the seven retailers, which end the suspicion of a slip (D68). They are
// read only where one is marked, so that an ordinary answer reads none.

import { isKnownSlug } from '../core/retailer.ts';
import { mayBeSupported, type Observation, type Peers } from '../history/daily-bars.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { MatchingLater } from '../matching/matching-later.ts';
import { anchorOrder } from '../product/source-order.ts';
import type { Store } from '../store/store.ts';

type Listed = Pick<StoredListing, 'retailer' | 'listing'>;

export type PeerParts = {
  readonly store: Pick<Store, 'observations'>;
  readonly matching: Pick<MatchingLater, 'agreementOf'>;
};

export type PeerQuestion = {
  readonly own: StoredListing;
  /** Of `own`, as they will be judged. */
  readonly observations: readonly Observation[];
  /** Listings that publish the barcode; `own` may be among them. */
  readonly carriers: readonly StoredListing[];
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

/**
 * One list for each of the seven retailers that agrees with the listing and sells the same pack; empty where nothing is marked that
 * they could support. Who agrees is asked of each listing: the same everywhere, whichever anchors.
 */
export async function peersOf(
  { store, matching }: PeerParts,
  { own, observations, carriers, fromMs }: PeerQuestion,
): Promise<Peers> {
  if (!mayBeSupported(observations)) return [];
  const others = anchorOrder(carriers.filter(({ retailer }) => retailer !== own.retailer));
  const { agreeing } = await matching.agreementOf([own, ...others]);
  // What the others contradict is another product, at another price.
  const peers = agreeing.includes(own) ? agreeing.filter((each) => isPeer(own, each)) : [];
  const held = peers.map((each) => store.observations.findSinceOf(each, fromMs));
  return (await Promise.all(held)).map((each) => each.observations);
}
