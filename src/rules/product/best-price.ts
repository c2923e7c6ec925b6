// The best price of a barcode (D60): the lowest that a buyer of this very product pays now, at any retailer, shown next to the
// anchor's own price. It does not include shipping. Pure.

import { DAY_MS } from '../../base/clock.ts';
import type { Slug } from '../../base/retailer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { isApart, type StoredListing } from '../../base/listing/stored-listing.ts';
import type { IsTrusted } from './barcode-rows.ts';
import { isOtherPack, packsOf } from './cost-factor.ts';
import { tie } from './identity.ts';
import { shownPriceCents } from './shown-price.ts';
import { anchorOrder } from './source-order.ts';

export type BestPrice = {
  readonly retailer: Slug;
  readonly cents: number;
  readonly url: string;
  readonly refreshedAtMs: number;
};

/** A best price is fresh for a day (D38), and shown for at most one more day. */
export const BEST_PRICE_MS = 2 * DAY_MS;

type PriceContest = {
  readonly gtin: Gtin14;
  /** The listings that supply the record, so that none of them is contradicted by the others. */
  readonly listings: readonly StoredListing[];
  /** The pack count of the record. A listing without one counts as having it (D77). */
  readonly packCount: number | null;
  readonly isTrusted: IsTrusted;
  /** Only prices in it compete (D87). */
  readonly currency: string;
  readonly nowMs: number;
};

/** Returns every listing that may have the best price, lowest first. Equal prices are in anchor order. */
export function contenders(contest: PriceContest): readonly StoredListing[] {
  const admitted = anchorOrder(contest.listings).filter((each) => isAdmitted(each, contest));
  return admitted.toSorted((a, b) => centsOf(a, contest) - centsOf(b, contest));
}

/** Creates the best price from this listing. */
export function bestPriceOf(
  stored: StoredListing,
  contest: Pick<PriceContest, 'currency'>,
): BestPrice {
  const { retailer, url, fetchedAtMs } = stored;
  return { retailer, cents: centsOf(stored, contest), url, refreshedAtMs: fetchedAtMs };
}

function centsOf({ listing }: StoredListing, { currency }: Pick<PriceContest, 'currency'>): number {
  return shownPriceCents(listing, listing.price, currency) ?? Number.POSITIVE_INFINITY;
}

function isAdmitted(stored: StoredListing, contest: PriceContest): boolean {
  const { listing, fetchedAtMs } = stored;
  const { state } = tie(contest.gtin, stored, contest.isTrusted(stored));
  return (
    state === 'confirmed' &&
    !isApart(stored) &&
    listing.inStock === true &&
    Number.isFinite(centsOf(stored, contest)) &&
    (listing.condition ?? 'new') === 'new' &&
    !isOtherPack(packsOf(listing.packCount, contest.packCount)) &&
    contest.nowMs - fetchedAtMs <= BEST_PRICE_MS
  );
}
