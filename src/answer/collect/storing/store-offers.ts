// Stores a fetched list of offers: its length, the offers of retailer_w that are not stored yet, and the sellers that they
// name, in one transaction. Offers from a product page are archived as a partial list, whose length is not stored.

import { offersToKeep } from '../../../rules/history/offer-archive.ts';
import type { Origin } from '../../../base/listing/origin.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { Slug } from '../../../base/retailer.ts';
import { readSellerId } from '../../../base/listing/seller.ts';
import { writeChanges, type AnswerChange } from '../../../data/answers/answer-writes.ts';
import type { Statement } from '../../../data/sql.ts';
import type { Store } from '../../../data/store.ts';

type OffersToStore = {
  readonly listingId: string;
  readonly retailer: Slug;
  readonly offers: readonly Offer[];
  readonly fetchedAtMs: number;
  /** Whether the offers are of a product page, which does not name every seller. */
  readonly isPartial: boolean;
  /** Absent for a page that was stored before origins were. */
  readonly origin?: Origin | undefined;
};

/**
 * Maximum number of archived offers searched for the same offer, so that a call reads a limited number of rows however long
 * the archive is.
 */
const LOOKED_THROUGH = 500;

/**
 * Stores the list; durable when it resolves. The listing must already be stored. `counts` state how the list's answers were
 * read, and are written with it.
 */
export async function storeOffers(
  store: Store,
  list: OffersToStore,
  counts: readonly Statement[] = [],
): Promise<void> {
  const { listingId, fetchedAtMs, offers, isPartial, origin } = list;
  const length = { fetchedAtMs, offersCount: offers.length, ...(origin && { origin }) };
  const changes: readonly AnswerChange[] = [
    ...(isPartial ? [] : [{ kind: 'offer-list', listingId, list: length } as const]),
    // Only retailer_w has an archive, and sellers that can be looked up (D31, D32).
    ...(list.retailer === 'retailer_w' ? await archiveOf(store, list) : []),
  ];
  await writeChanges(store.sql, changes, counts);
}

async function archiveOf(store: Store, list: OffersToStore): Promise<readonly AnswerChange[]> {
  const { listingId, fetchedAtMs, offers, isPartial, origin } = list;
  const earlier = await store.offers.findNewestOffers(listingId, LOOKED_THROUGH, fetchedAtMs);
  const toStore = offersToKeep({ offers, atMs: fetchedAtMs, isPartial }, earlier);
  return [
    ...offers.map((offer) => sellerOf(offer, list)),
    {
      kind: 'archived-offers',
      listingId,
      offers: toStore,
      observedAtMs: fetchedAtMs,
      isPartial,
      origin,
    },
  ];
}

function sellerOf(
  offer: Offer,
  { fetchedAtMs: seenAtMs, origin }: Pick<OffersToStore, 'fetchedAtMs' | 'origin'>,
): AnswerChange {
  const number = offer.sellerId === null ? null : readSellerId(offer.sellerId);
  const seller = {
    hexId: offer.sellerIdHex,
    catalogId: number?.kind === 'catalog' ? number.value : null,
    type: offer.sellerType,
  };
  return { kind: 'seller', seller, seenAtMs, offer: { source: origin?.source ?? null } };
}
