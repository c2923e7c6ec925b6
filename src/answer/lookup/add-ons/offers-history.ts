// Stored offer data of a listing: the archive, and the number of offers on the list when last fetched (D31).

import type { OffersHistory } from '../../../rules/product/product.ts';
import { isDoneSince } from '../../../base/clock.ts';
import { isMarketplace } from '../../../base/retailer.ts';
import type { StoredOffer } from '../../../data/answers/offers.ts';
import type { Reads } from '../cache/read-session.ts';
import { FRESH_MS } from '../../collect/freshness.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';

/** Maximum archived offers in an answer (D31). */
const MAX_ARCHIVED = 500;

const NOTHING: OffersHistory = { total: 0, offers: [] };

/** Returns the archive of a retailer_w listing; empty for another retailer's listing, and without a listing. */
export async function offersHistoryOf(
  store: Pick<Reads, 'offers'>,
  listing: StoredListing | null,
): Promise<OffersHistory> {
  if (listing?.retailer !== 'retailer_w') return NOTHING;
  const offers = await store.offers.findNewestOffers(listing.id, MAX_ARCHIVED);
  // If fewer than the maximum are found, there are no others to count.
  const total =
    offers.length < MAX_ARCHIVED ? offers.length : await store.offers.countOffers(listing.id);
  return { total, offers: offers.map(withWasPrice) };
}

/** Adds the was price that the list itself stated, else the same offer's previous price. */
function withWasPrice({ observedAtMs, offer, beforeCents, isPartial }: StoredOffer) {
  const before = beforeCents === null ? null : { cents: beforeCents, currency: 'USD' };
  return { observedAtMs, isPartial, offer: { ...offer, wasPrice: offer.wasPrice ?? before } };
}

/** Returns the number of offers on the last fetched list. Null when it is older than a day, or without a marketplace. */
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
