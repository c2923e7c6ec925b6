// What is stored of a listing's offers: the archive, and how many the list had when it was last fetched (D31).

import type { OffersHistory } from '../../../rules/product/product.ts';
import { isDoneSince } from '../../../base/clock.ts';
import { isMarketplace } from '../../../base/retailer.ts';
import type { StoredOffer } from '../../../data/answers/offers.ts';
import type { Reads } from '../cache/read-session.ts';
import { FRESH_MS } from '../../collect/freshness.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';

/** Most archived offers of an answer (D31). */
const MAX_ARCHIVED = 500;

const NOTHING: OffersHistory = { total: 0, offers: [] };

/** The archive of a listing of retailer_w; empty for a listing of another retailer, and without a listing. */
export async function offersHistoryOf(
  store: Pick<Reads, 'offers'>,
  listing: StoredListing | null,
): Promise<OffersHistory> {
  if (listing?.retailer !== 'retailer_w') return NOTHING;
  const offers = await store.offers.findNewestOffers(listing.id, MAX_ARCHIVED);
  // If fewer than the maximum are found, they are all there are.
  const total =
    offers.length < MAX_ARCHIVED ? offers.length : await store.offers.countOffers(listing.id);
  return { total, offers: offers.map(withWasPrice) };
}

/** The was price that the list itself stated, else what the same offer cost before. */
function withWasPrice({ observedAtMs, offer, beforeCents, isPartial }: StoredOffer) {
  const before = beforeCents === null ? null : { cents: beforeCents, currency: 'USD' };
  return { observedAtMs, isPartial, offer: { ...offer, wasPrice: offer.wasPrice ?? before } };
}

/** The number of offers on the list that was fetched last. Null when it is older than a day, or without a marketplace. */
export async function offersCountOf(
  store: Pick<Reads, 'offers'>,
  { id, retailer }: StoredListing,
  nowMs: number,
): Promise<number | null> {
  if (!isMarketplace(retailer)) return null;
  const list = await store.offers.findOfferList(id);
  const isOfNow = list !== null && isDoneSince(list.fetchedAtMs, nowMs - FRESH_MS, nowMs);
  return isOfNow ? list.offersCount : null;
}
