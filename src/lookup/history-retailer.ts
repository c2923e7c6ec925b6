// Whose prices a history shows (D62): the retailer that the caller named, or the one that the identifier stands for.

import { FaultError } from '../core/fault.ts';
import { nearestName } from '../core/nearest-name.ts';
import { isKnownSlug, KNOWN_SLUGS, type Slug } from '../core/retailer.ts';
import { ALIASES, slugNamed } from '../retailers/aliases.ts';
import type { Shops } from '../store/answers/shops.ts';
import type { IdentifiedListings } from './known-listings.ts';

export const EVERY_RETAILER = 'all';

/** The slug that a name means. Throws `invalid_parameter` for a shop that this store has never met. */
export async function namedRetailer(shops: Shops, name: string): Promise<Slug> {
  const slug = slugNamed(name);
  if (slug === EVERY_RETAILER || isKnownSlug(slug)) return slug;
  if ((await shops.findShopBySlug(slug)) !== null) return slug;
  const known = [...KNOWN_SLUGS, EVERY_RETAILER];
  const near = nearestName(slug, [...known, ...ALIASES]);
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'retailer',
    allowed: known,
    detail:
      `No page of a shop "${slug}" has been read here, so there is no history of it. ` +
      (near === null ? `Retailers are ${known.join(', ')}.` : `Did you mean "${near}"?`),
  });
}

/**
 * Without a name: the retailer of the address that was sent; of an identifier whose product has no known barcode, the
 * retailer of its own listing; else retailer_w.
 */
export function usualRetailer({ own, gtin }: IdentifiedListings, isFromUrl: boolean): Slug {
  return own !== null && (isFromUrl || gtin === null) ? own.retailer : 'retailer_w';
}
