// The price of a listing that a record may show (D26, D28).

import type { Listing } from '../../base/listing/listing.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';

/** Returns the price in cents. Null unless it is in USD and the listing is not out of stock. */
export function shownPriceCents(listing: Listing, money: Money | null): number | null {
  if (money === null || money.currency !== 'USD' || listing.inStock === false) return null;
  return money.cents;
}
