// A product's add-ons. Some are fetched for the call (D31, D33; `live-add-ons.ts`); cells, archived offers and daily bars are
// read from the store.

import type { AddOns } from '../../../base/call-cost.ts';
import type { IdentifierMatch } from '../../../rules/product/cell.ts';
import { barsOf, type PriceBar } from '../../../rules/history/daily-bars.ts';
import type { RequestedAddOns } from '../../../rules/product/product.ts';
import type { Slug } from '../../../base/retailer.ts';
import { crossRetailer, type CellParts, type StoredCells } from '../stored/cross-retailer.ts';
import type { LiveCall } from './live-offers.ts';
import { offersHistoryOf } from './offers-history.ts';
import { peersOf } from '../../collect/price-peers.ts';
import type { Reads } from '../cache/read-session.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';

/** Checks whether these add-ons are fetched during the call, even if data is stored (D31, D33). */
export function needsFetch(addOns: AddOns): boolean {
  return wantsOffers(addOns) || addOns.includeSellerContext === true;
}

/** Checks whether live offers are requested, with or without reviews. */
export function wantsOffers(addOns: AddOns): boolean {
  return addOns.includeOffers === true || addOns.includeOffersReviews === true;
}

/** A call that can recompose its answer, from a page that was read for its offers. */
export type LiveAddOnsCall<Found> = LiveCall & {
  readonly recompose: (page: StoredListing) => Promise<Found>;
};

/** Adds live data to the product. Throws 503 `offers_unavailable` or `upstream_unavailable`. */
export type LiveAddOns<Found> = (
  found: Found,
  addOns: AddOns,
  call: LiveAddOnsCall<Found>,
) => Promise<Found>;

/** The stored data of a product, with its record's source listings. */
type StoredProduct = StoredCells & {
  /** The listings of the record, the anchor first. */
  readonly sources: readonly StoredListing[];
  /** D18: only this retailer fills the record; null in the unified view. */
  readonly onlyRetailer: Slug | null;
  /** When the last of the anchor's observations that count in the record's price windows was made. */
  readonly observedUntilMs: number;
};

/** Reads only the requested add-ons from the store: a field that was not requested is absent (D23). */
export type StoredAddOns = (
  store: Reads,
  stored: StoredProduct,
  addOns: AddOns,
  match: IdentifierMatch,
) => Promise<RequestedAddOns>;

export function createStoredAddOns(parts: Omit<CellParts, 'store'>): StoredAddOns {
  return async (store, stored, addOns, match) => ({
    ...(addOns.includeCrossRetailer === true
      ? { crossRetailer: await crossRetailer({ ...parts, store }, stored, match) }
      : {}),
    ...(addOns.includeOffersHistory === true
      ? { offersHistory: await offersHistoryOf(store, ofRetailerW(stored)) }
      : {}),
    ...(addOns.includePriceSeries === true
      ? { priceSeries: await priceSeriesOf({ ...parts, store }, stored) }
      : {}),
  });
}

/** Returns retailer_w's listing of the product; null if only another retailer fills the record. */
function ofRetailerW({ sources, onlyRetailer }: StoredProduct): StoredListing | null {
  if (onlyRetailer !== null && onlyRetailer !== 'retailer_w') return null;
  return sources.find(({ retailer }) => retailer === 'retailer_w') ?? null;
}

/**
 * Returns the daily bars of all stored observations of retailer_w's listing of the product, newest first (D29). The anchor may
 * be another listing. If it is this one, the record's price windows are already computed, and later observations are left out.
 */
async function priceSeriesOf(
  parts: Pick<CellParts, 'store' | 'matching'>,
  stored: StoredProduct,
): Promise<readonly PriceBar[]> {
  const { anchor, carriers, observedUntilMs } = stored;
  const own = ofRetailerW(stored);
  if (own === null) return [];
  const { observations: all } = await parts.store.observations.findSinceOf(own, 0);
  const untilMs = own.id === anchor.id ? observedUntilMs : Number.POSITIVE_INFINITY;
  const observations = all.filter(({ observedAtMs }) => observedAtMs <= untilMs);
  return barsOf(observations, await peersOf(parts, { own, observations, carriers, fromMs: 0 }));
}
