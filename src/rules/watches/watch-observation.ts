// Converts a read listing to what watches observe of it. Pure.

import { dayOf } from '../../base/clock.ts';
import { windowOf, type Observation, type Peers } from '../history/daily-bars.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { decimalsOf } from '../../base/listing/money/minor-units.ts';
import { isPriceBacked } from '../../base/listing/money/nines.ts';
import { isApart, type StoredListing } from '../../base/listing/stored-listing.ts';
import { isTermsSource } from '../terms/profiles.ts';
import { shownPriceCents } from '../product/shown-price.ts';
import { watchDoubt, watchedBars } from './first-days.ts';
import type { WatchObservation } from './watch.ts';

export type WatchObservationInput = {
  readonly stored: StoredListing;
  /** The instant of its observation (rules/history/recorded-instant.ts). */
  readonly observedAtMs: number;
  /** The currency of `earlier`, `peers` and the listing's price. */
  readonly currency: string;
  /** Earlier observations of `LOOK_BACK_MS`, in any order; the new one may be among them. */
  readonly earlier: readonly Observation[];
  /** Observations of other retailers' listings that could support its price. */
  readonly peers: Peers;
  /** Whether its record states the watched barcode, or its own page is watched. */
  readonly isTied: boolean;
};

/** Returns what watches observe of a listing that was read. */
export function watchObservationOf({
  stored,
  observedAtMs,
  currency,
  earlier,
  peers,
  isTied,
}: WatchObservationInput): WatchObservation {
  const { id, retailer, url, fetchedAtMs: atMs, listing, origin, signals } = stored;
  const own = fetchedPriceOf(listing, observedAtMs, currency);
  const { priceCents } = own;
  const before = earlier.filter((each) => each.observedAtMs < observedAtMs);
  const bars = watchedBars(before, peers);
  const today = dayOf(atMs);
  return {
    listingId: id,
    retailer,
    url,
    title: listing.title,
    imageUrl: listing.imageUrl,
    ...(signals?.aiInput === false ? { aiInput: signals.aiInput } : {}),
    atMs,
    ...(currency === 'USD' ? {} : { currency }),
    ...(origin !== undefined && isTermsSource(origin.source) ? { source: origin.source } : {}),
    priceCents,
    otherCurrency: otherCurrencyOf(listing, currency),
    suspicion: priceCents === null ? null : watchDoubt([...before, own], peers),
    inStock: listing.unavailable === true ? false : listing.inStock,
    seller: listing.sellerName ?? listing.sellerId,
    offersCount: listing.offersCount,
    gtin: listing.gtin,
    packCount: listing.packCount ?? 1,
    isEligible: isTied && (listing.condition ?? 'new') === 'new' && !isApart(stored),
    lows: {
      30: windowOf(bars, today, 30)?.lowCents ?? null,
      90: windowOf(bars, today, 90)?.lowCents ?? null,
    },
  };
}

/** Creates a listing's observation from a fetch, as its history has it: a price of nines is known to be supported in dollars only. */
export function fetchedPriceOf(
  listing: Listing,
  observedAtMs: number,
  currency: string,
): Observation {
  const priceCents = shownPriceCents(listing, listing.price, currency);
  const isBacked = currency === 'USD' && isPriceBacked(listing);
  const decimals = decimalsOf(currency);
  return { observedAtMs, priceCents, inStock: listing.inStock, isBacked, decimals };
}

function otherCurrencyOf(
  { price, inStock, unavailable }: Listing,
  currency: string,
): string | null {
  if (price === null || price.currency === currency) return null;
  return inStock === false || unavailable === true ? null : (price.currency ?? '');
}
