// Decides whose prices a history shows (D62): those of the retailer that the caller named, or of the one that the identifier
// stands for. A shop that this store has never met is refused here, for watches too.

import { FaultError } from '../../../base/fault.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import { isKnownSlug, KNOWN_SLUGS, type Slug } from '../../../base/retailer.ts';
import { ALIASES, slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import type { Shops } from '../../../data/answers/shops.ts';
import type { IdentifiedListings } from './known-listings.ts';

export const EVERY_RETAILER = 'all';

type FindShop = Pick<Shops, 'findShopBySlug'>;

/** The slug that a name means. Throws `invalid_parameter` for a shop that this store has never met. */
export async function namedRetailer(shops: FindShop, name: string): Promise<Slug> {
  const slug = slugNamed(name);
  await refuseUnmetShop(shops, slug, [EVERY_RETAILER], 'there is no history of it');
  return slug;
}

/**
 * Throws `invalid_parameter` for a slug that is none of the seven, none of the `others`, and no shop's that this store has met.
 * `so` says what follows from that.
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
      `No page of a shop "${slug}" has been read here, so ${so}. ` +
      (near === null ? `Retailers are ${known.join(', ')}.` : `Did you mean "${near}"?`),
  });
}

/**
 * The retailer of a history without a named one. It is the retailer of the address that was sent. For an identifier whose
 * product has no known barcode it is the retailer of its own listing; else retailer_w.
 */
export function usualRetailer({ own, gtin }: IdentifiedListings, isFromUrl: boolean): Slug {
  return own !== null && (isFromUrl || gtin === null) ? own.retailer : 'retailer_w';
}
