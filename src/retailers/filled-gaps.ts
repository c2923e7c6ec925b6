// Two readings of one page put together: the retailer's own state says what it knows, the page's structured
// data the rest. For facts of one page only; never for two pages or two products.

import type { Listing } from '../listing/listing.ts';

/** `own` with its nulls and empty lists filled from `other`. */
export function filledGaps(own: Listing, other: Listing): Listing {
  const filled: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(own)) {
    const isGap = value === null || (Array.isArray(value) && value.length === 0);
    if (isGap) filled[name] = other[name as keyof Listing];
  }
  return filled as Listing;
}
