// A product's cells: the stored answers of all retailers for its barcode (D34, D35). Only reads; `schedule.ts` decides
// which retailers are asked next (D37).

import {
  cellsOf,
  matchingCells,
  type Dispute,
  type IdentifierMatch,
} from '../../../rules/product/cell.ts';
import { dayOf, type Clock } from '../../../base/clock.ts';
import type { CellWithFees } from '../../../rules/product/product.ts';
import type { Slug } from '../../../base/retailer.ts';
import { FRESH_MS } from '../../collect/freshness.ts';
import type { StoredForBarcode } from './stored-for-barcode.ts';
import type { Agreement } from '../../../rules/matching/agreement.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { Reads } from '../cache/read-session.ts';
import { feesShown } from './shown-fees.ts';
import { suspectListings } from './suspect-listings.ts';

/** A lookup's anchor, and the data stored under the product's barcode. */
export type StoredCells = StoredForBarcode & {
  readonly anchor: StoredListing;
  /** Whether the anchor's own page or id was sent. */
  readonly isOwn: boolean;
  readonly disagreements: Agreement['disagreements'];
  /** The currency of the answer, in which the histories are read. */
  readonly currency: string;
  /** Listings that publish the barcode, whichever retailer was asked. */
  readonly carriers: readonly StoredListing[];
};

export type CellParts = {
  readonly store: Reads;
  readonly matching: MatchingLater;
  readonly clock: Clock;
};

/** Returns the disputes that cells show, by retailer: a mere doubt is not a dispute. */
export function disputesOf(disagreements: Agreement['disagreements']): ReadonlyMap<Slug, Dispute> {
  const certain = disagreements.filter(({ isDoubt }) => !isDoubt);
  return new Map(certain.map((each) => [each.retailer, each]));
}

export async function crossRetailer(
  parts: CellParts,
  storedCells: StoredCells,
  match: IdentifierMatch,
): Promise<readonly CellWithFees[]> {
  const { gtin, anchor, isOwn, rows } = storedCells;
  const nowMs = parts.clock.now();
  const cells = cellsOf({
    gtin,
    anchor,
    isOwn,
    rows,
    disputes: disputesOf(storedCells.disagreements),
    awaited: gtin === null ? new Set() : await parts.store.jobs.findLiveJobs(gtin),
    nowMs,
    freshMs: FRESH_MS,
  });
  const today = dayOf(nowMs);
  const shown = matchingCells(cells, match);
  const { carriers, currency } = storedCells;
  const suspect = await suspectListings(parts, { cells: shown, carriers, currency, nowMs });
  const whole = shown.map(async (cell) => {
    const { stored } = cell;
    const fees = stored === null ? null : await feesShown(stored, today);
    const priceSuspect = (stored === null ? null : suspect.get(stored.id)) ?? null;
    return { ...cell, fees, priceSuspect, sellerContext: null };
  });
  return await Promise.all(whole);
}
