// The same product's prices at others of the seven retailers, which can show that a suspect price is real (D68). They are
// read only if a price is marked, so an ordinary answer reads none.

import { isKnownSlug } from '../../base/retailer.ts';
import { mayBeSupported, type Observation, type Peers } from '../../rules/history/daily-bars.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';
import { anchorOrder } from '../../rules/product/source-order.ts';
import type { Store } from '../../data/store.ts';

type Listed = Pick<StoredListing, 'retailer' | 'listing'>;

export type PeerParts = {
  readonly store: { readonly observations: Pick<Store['observations'], 'findSinceOf'> };
  readonly matching: Pick<MatchingLater, 'agreementOf'>;
};

type PeerQuestion = {
  readonly own: StoredListing;
  /** The observations of `own` to be judged. */
  readonly observations: readonly Observation[];
  /** Listings that publish the barcode; `own` may be among them. */
  readonly carriers: readonly StoredListing[];
  readonly fromMs: number;
};

/**
 * Checks whether another listing's price can support this one: it is from another of the seven retailers, and for the same
 * pack.
 */
function isPeer(own: Listed, { retailer, listing }: Listed): boolean {
  return (
    retailer !== own.retailer &&
    isKnownSlug(retailer) &&
    (listing.packCount ?? 1) === (own.listing.packCount ?? 1)
  );
}

/**
 * Returns the prices of each of the seven retailers that agrees with the listing and sells the same pack. Empty if no marked
 * price could be supported by them. Agreement is checked for each listing, so that the result does not depend on the anchor.
 */
export async function peersOf(
  { store, matching }: PeerParts,
  { own, observations, carriers, fromMs }: PeerQuestion,
): Promise<Peers> {
  if (!mayBeSupported(observations)) return [];
  const others = anchorOrder(carriers.filter(({ retailer }) => retailer !== own.retailer));
  // Listings of another cluster are another product, with another price.
  const { agreeing } = await matching.agreementOf([own, ...others], 'first');
  const peers = agreeing.filter((each) => isPeer(own, each));
  const stored = peers.map((each) => store.observations.findSinceOf(each, fromMs));
  return (await Promise.all(stored)).map((each) => each.observations);
}
