// The price of a listing that a record may show (D26, D28, D87).

import type { Listing } from '../../base/listing/listing.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';

/** Returns the price in minor units. Null unless it is in the currency and the listing is not out of stock. */
export function shownPriceCents(
  listing: Pick<Listing, 'inStock'>,
  money: Money | null,
  currency: string,
): number | null {
  if (money === null || money.currency !== currency || listing.inStock === false) return null;
  return money.cents;
}

/** Returns the price of a listing that is in another or an unknown currency; null if there is none that may be shown. */
export function otherPriceOf(
  { price, inStock }: Pick<Listing, 'price' | 'inStock'>,
  currency: string,
): Money | null {
  return price === null || price.currency === currency || inStock === false ? null : price;
}
