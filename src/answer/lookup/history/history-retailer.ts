// Decides whose prices a history shows (D62): the prices of the retailer that the caller named, or of the one that the
// identifier implies. A shop unknown to this store is refused here, for watches too.

import { FaultError } from '../../../base/fault.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import { isKnownSlug, KNOWN_SLUGS, type Slug } from '../../../base/retailer.ts';
import { ALIASES, slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import type { Shops } from '../../../data/answers/shops.ts';
import type { IdentifiedListings } from './known-listings.ts';

export const EVERY_RETAILER = 'all';

type FindShop = Pick<Shops, 'findShopBySlug'>;

/** Returns the slug for a name. Throws `invalid_parameter` for a shop unknown to this store. */
export async function namedRetailer(shops: FindShop, name: string): Promise<Slug> {
  const slug = slugNamed(name);
  await refuseUnmetShop(shops, slug, [EVERY_RETAILER], 'there is no history of it');
  return slug;
}

/**
 * Throws `invalid_parameter` for a slug that is not one of the seven, one of the `others`, or a shop known to this store. `so`
 * states the consequence.
 */
export async function refuseUnmetShop(
  shops: FindShop,
  slug: string,
  others: readonly string[],
  so: string,
): Promise<void> {
  if (isKnownSlug(slug) || others.includes(slug)) return;
  if ((await shops.findShopBySlug(slug)) !== null) return;
  const known = [...KNOWN_SLUGS, ...others];
  const near = nearestName(slug, [...known, ...ALIASES]);
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'retailer',
    allowed: known,
    detail:
      `This installation has read no page of a shop "${slug}", so ${so}. ` +
      (near === null ? `Retailers are ${known.join(', ')}.` : `Did you mean "${near}"?`),
  });
}

/**
 * Returns the retailer of a history when none is named. If an address was sent, it is that address's retailer. For an
 * identifier whose product has no known barcode it is its own listing's retailer; else retailer_w.
 */
export function usualRetailer({ own, gtin }: IdentifiedListings, isFromUrl: boolean): Slug {
  return own !== null && (isFromUrl || gtin === null) ? own.retailer : 'retailer_w';
}
