// What one piece, pound or fluid ounce costs at the price of the record (D60). Pure.

import type { Listing } from '../listing/listing.ts';
import { ML_PER_FLUID_OUNCE } from '../listing/units.ts';
import { statedQuantities } from '../titles/stated-quantities.ts';

export type UnitPrice = {
  /** In cents, with fractions: a sheet of paper costs less than one. */
  readonly cents: number;
  readonly unit: 'count' | 'lb' | 'fl_oz';
};

/**
 * By the pieces of the pack, where a field or the title states them; else by the one weight or volume that the title
 * states. Null where nothing, or more than one quantity, is stated.
 */
export function unitPriceOf(
  priceCents: number | null,
  { title, packCount }: Pick<Listing, 'title' | 'packCount'>,
): UnitPrice | null {
  if (priceCents === null) return null;
  if (packCount !== null) return { cents: priceCents / packCount, unit: 'count' };
  if (title === null || !/\d/.test(title)) return null;
  const [only, second] = statedQuantities(title).flatMap((each): readonly Amount[] => {
    if (each.kind === 'weight') return [{ value: each.value, unit: 'lb' }];
    if (each.kind !== 'volume') return [];
    return [{ value: each.value / ML_PER_FLUID_OUNCE, unit: 'fl_oz' }];
  });
  if (only === undefined || second !== undefined) return null;
  return { cents: priceCents / only.value, unit: only.unit };
}

type Amount = { readonly value: number; readonly unit: UnitPrice['unit'] };
