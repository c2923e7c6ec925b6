// What is stored under a barcode, read once for an answer: the anchor, what the other listings add, and the background
// jobs are all decided from the same rows.

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Cell } from '../store/cells.ts';
import type { Store } from '../store/store.ts';

export type HeldForBarcode = {
  /** Null: there is no barcode, and nothing under it. */
  readonly gtin: Gtin14 | null;
  readonly cells: readonly Cell[];
  /** Those that publish the barcode, and those that the cells name. */
  readonly listings: readonly StoredListing[];
};

export const NOTHING_HELD: HeldForBarcode = { gtin: null, cells: [], listings: [] };

export async function readHeldForBarcode(
  { cells, listings }: Pick<Store, 'cells' | 'listings'>,
  gtin: Gtin14 | null,
): Promise<HeldForBarcode> {
  if (gtin === null) return NOTHING_HELD;
  return {
    gtin,
    cells: await cells.findCells(gtin),
    listings: await listings.findListingsTiedTo(gtin),
  };
}
