// A list of offers that was fetched -> the store: its length, the offers of retailer_w that are not held yet, and
// the sellers that they name, in one transaction. What a product page states is archived as a partial list, and its length
// is that of no list.

import { offersToKeep } from '../../history/offer-archive.ts';
import type { Offer } from '../../listing/offer.ts';
import type { Slug } from '../../core/retailer.ts';
import { readSellerId } from '../../listing/seller.ts';
import { writeChanges, type AnswerChange } from '../../store/answers/answer-writes.ts';
import type { Statement } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';

export type OffersToStore = {
  readonly listingId: string;
  readonly retailer: Slug;
  readonly offers: readonly Offer[];
  readonly fetchedAtMs: number;
  /** A product page, which does not name every seller. */
  readonly isPartial: boolean;
};

/** How far back the same offer is looked for: bounds what a call reads, however long the archive. */
const LOOKED_THROUGH = 500;

/**
 * Durable when it resolves. The list must be of a listing that is held. `counts` are written with it: what its
 * answers were read as.
 */
export async function storeOffers(
  store: Store,
  list: OffersToStore,
  counts: readonly Statement[] = [],
): Promise<void> {
  const { listingId, fetchedAtMs, offers, isPartial } = list;
  const length = { fetchedAtMs, offersCount: offers.length };
  const changes: readonly AnswerChange[] = [
    ...(isPartial ? [] : [{ kind: 'offer-list', listingId, list: length } as const]),
    // The archive, and the sellers that can be looked up, are retailer_w's (D31, D32).
    ...(list.retailer === 'retailer_w' ? await archiveOf(store, list) : []),
  ];
  await writeChanges(store.sql, changes, counts);
}

async function archiveOf(store: Store, list: OffersToStore): Promise<readonly AnswerChange[]> {
  const { listingId, fetchedAtMs, offers, isPartial } = list;
  const earlier = await store.offers.findNewestOffers(listingId, LOOKED_THROUGH, fetchedAtMs);
  const kept = offersToKeep({ offers, atMs: fetchedAtMs, isPartial }, earlier);
  return [
    ...offers.map((offer) => sellerOf(offer, fetchedAtMs)),
    { kind: 'archived-offers', listingId, offers: kept, observedAtMs: fetchedAtMs, isPartial },
  ];
}

function sellerOf(offer: Offer, seenAtMs: number): AnswerChange {
  const number = offer.sellerId === null ? null : readSellerId(offer.sellerId);
  const seller = {
    hexId: offer.sellerIdHex,
    catalogId: number?.kind === 'catalog' ? number.value : null,
    type: offer.sellerType,
  };
  return { kind: 'seller', seller, seenAtMs };
}
