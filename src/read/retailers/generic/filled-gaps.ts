// Merges the facts of two readings of the same listing: two parts of a page, such as the retailer's own state and
// structured data, or two sources of the retailer.

import type { Listing } from '../../../base/listing/listing.ts';
import { amountOf } from '../../../base/listing/money/minor-units.ts';

/** Returns `own` with its nulls and empty lists filled from `other`. Never used for two products. */
export function filledGaps(own: Listing, other: Listing): Listing {
  const filled: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(own)) {
    const isGap = value === null || (Array.isArray(value) && value.length === 0);
    if (isGap) filled[name] = other[name as keyof Listing];
  }
  // How the price was read is copied along with the price.
  const { priceReadFrom } = own.price === null ? other : own;
  const whole = { ...(filled as Listing), priceReadFrom };
  if (own.price !== null || other.price === null) return whole;
  // A list price that had no price next to it now has one, and must be higher to be a list price.
  const isAbove = own.listPrice !== null && amountOf(own.listPrice) > amountOf(other.price);
  return { ...whole, listPrice: isAbove ? own.listPrice : other.listPrice };
}
