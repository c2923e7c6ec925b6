// The price of one piece at the record's price (D60). Pure.

import type { Listing } from '../../base/listing/listing.ts';
import { packsOf } from './cost-factor.ts';

export type UnitPrice = {
  /** In cents, with fractions: a sheet of paper costs less than one. */
  readonly cents: number;
  readonly unit: 'count';
};

/**
 * Returns the unit price for the pieces in the anchor's pack, or in the record's if the anchor states none. Null if neither is
 * stated. A weight or volume in the title is not used: it may be a kettle's capacity or a dumbbell's weight.
 */
export function unitPriceOf(
  priceCents: number | null,
  anchor: Pick<Listing, 'packCount'>,
  record: Pick<Listing, 'packCount'>,
): UnitPrice | null {
  if (priceCents === null || (anchor.packCount ?? record.packCount) === null) return null;
  return { cents: priceCents / packsOf(anchor.packCount, record.packCount).sold, unit: 'count' };
}
