// What one piece costs at the price of the record (D60). Pure.

import type { Listing } from '../listing/listing.ts';

export type UnitPrice = {
  /** In cents, with fractions: a sheet of paper costs less than one. */
  readonly cents: number;
  readonly unit: 'count';
};

/**
 * By the pieces of the pack, where a field or the title states them. Not by a weight or volume that the title states: that may be
 * what a kettle holds, or what a dumbbell is.
 */
export function unitPriceOf(
  priceCents: number | null,
  { packCount }: Pick<Listing, 'packCount'>,
): UnitPrice | null {
  if (priceCents === null || packCount === null) return null;
  return { cents: priceCents / packCount, unit: 'count' };
}
