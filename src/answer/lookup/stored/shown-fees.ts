// A listing's marketplace fees at its price in dollars (D44, D87). The rate cards and their rules are a sixteenth of the files that a
// first answer would need. They are loaded for the first listing of a marketplace, because most shops are not marketplaces.

import type { Day } from '../../../base/clock.ts';
import { later } from '../../../base/once.ts';
import { isMarketplace } from '../../../base/retailer.ts';
import type { Fees } from '../../../rules/fees/listing-fees.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { shownPriceCents } from '../../../rules/product/shown-price.ts';

const rules = later(() => import('../../../rules/fees/listing-fees.ts'));

/** Returns the fees on a UTC day; null if the retailer charges no seller fees. */
export async function feesShown(
  { retailer, listing }: Pick<StoredListing, 'retailer' | 'listing'>,
  day: Day,
): Promise<Fees | null> {
  if (!isMarketplace(retailer)) return null;
  const { feesOf } = await rules.load();
  return feesOf(listing, retailer, day, shownPriceCents(listing, listing.price, 'USD'));
}
