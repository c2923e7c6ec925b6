// The cells of a product: what is kept of every retailer for its barcode (D34, D35). Reads only; whom to ask next is
// decided elsewhere, for every lookup alike (D37).

import { cellsOf, matchingCells, type IdentifierMatch } from '../product/cell.ts';
import { dayOf, type Clock } from '../core/clock.ts';
import { feesShown } from '../product/compose.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { CellWithFees } from '../product/product.ts';
import type { Slug } from '../core/retailer.ts';
import type { Cell as KeptCell } from '../store/cells.ts';
import { FRESH_MS } from '../collect/freshness.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** Retailers that a job will ask for the barcode. */
export type Awaited = (gtin: Gtin14) => Promise<ReadonlySet<Slug>>;

/** What is kept under the barcode of a lookup. */
export type HeldCells = {
  readonly gtin: Gtin14 | null;
  readonly anchor: StoredListing;
  readonly kept: readonly KeptCell[];
  readonly tied: readonly StoredListing[];
};

export async function crossRetailer(
  parts: { readonly clock: Clock; readonly awaited: Awaited },
  held: HeldCells,
  match: IdentifierMatch,
): Promise<readonly CellWithFees[]> {
  const { gtin, anchor, kept, tied } = held;
  const nowMs = parts.clock.now();
  const cells = cellsOf({
    gtin,
    anchor,
    kept,
    listings: tied,
    awaited: gtin === null ? new Set() : await parts.awaited(gtin),
    nowMs,
    freshMs: FRESH_MS,
  });
  const today = dayOf(nowMs);
  return matchingCells(cells, match).map((cell) => {
    const fees = cell.stored === null ? null : feesShown(cell.stored, today);
    return { ...cell, fees, sellerContext: null };
  });
}
