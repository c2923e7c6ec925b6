// Two listings read from the same page as one, such as from the retailer's own state and from structured data.

import type { Listing } from '../../../base/listing/listing.ts';

/** `own` with its nulls and empty lists filled from `other`. Never for two pages or two products. */
export function filledGaps(own: Listing, other: Listing): Listing {
  const filled: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(own)) {
    const isGap = value === null || (Array.isArray(value) && value.length === 0);
    if (isGap) filled[name] = other[name as keyof Listing];
  }
  // How the price was read belongs to the price.
  const { priceReadFrom } = own.price === null ? other : own;
  const whole = { ...(filled as Listing), priceReadFrom };
  if (own.price !== null || other.price === null) return whole;
  // A list price that stood alone now has a price next to it, and must be above it to be a list price.
  const { cents } = other.price;
  const isAbove = own.listPrice !== null && own.listPrice.cents > cents;
  return { ...whole, listPrice: isAbove ? own.listPrice : other.listPrice };
}
