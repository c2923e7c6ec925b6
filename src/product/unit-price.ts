// The price of one piece at the record's price (D60). Pure.

import type { Listing } from '../listing/listing.ts';

export type UnitPrice = {
  /** In cents, with fractions: a sheet of paper costs less than one. */
  readonly cents: number;
  readonly unit: 'count';
};

/**
 * The unit price by the pieces of the pack, if a field or the title states them. A weight or volume in the title is not used:
 * it may be what a kettle holds, or what a dumbbell weighs.
 */
export function unitPriceOf(
  priceCents: number | null,
  { packCount }: Pick<Listing, 'packCount'>,
): UnitPrice | null {
  if (priceCents === null || packCount === null) return null;
  return { cents: priceCents / packCount, unit: 'count' };
}
