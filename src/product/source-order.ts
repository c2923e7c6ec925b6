// Which listing supplies a fact when several could (D27). Tables, so that the order can be read and
// tested; `compose.ts` walks them.

import { KNOWN_SLUGS, isKnownSlug, type KnownSlug } from '../core/retailer.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** D27: the anchor when neither `retailer=`, an ASIN nor a URL names one. Other shops come last. */
export const ANCHOR_ORDER = [
  'retailer_w',
  'retailer_b',
  'retailer_h',
  'retailer_l',
  'retailer_e',
  'retailer_a',
  'retailer_t',
] as const satisfies readonly KnownSlug[];

/** Weight and size: retailer_a is usually the most reliable for physical specs (specification). */
export const PHYSICAL_ORDER = [
  'retailer_a',
  'retailer_h',
  'retailer_l',
  'retailer_b',
  'retailer_w',
  'retailer_t',
  'retailer_e',
] as const satisfies readonly KnownSlug[];

function rank(order: readonly KnownSlug[], slug: string): number {
  const at = isKnownSlug(slug) ? order.indexOf(slug) : -1;
  return at === -1 ? KNOWN_SLUGS.length : at;
}

function byOrder(order: readonly KnownSlug[], listings: readonly StoredListing[]): StoredListing[] {
  return listings
    .map((listing, at) => ({ listing, rank: rank(order, listing.retailer), at }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .map((entry) => entry.listing);
}

/** In the order in which they may speak for the product when the call names none (D27). */
export function anchorOrder(listings: readonly StoredListing[]): readonly StoredListing[] {
  return byOrder(ANCHOR_ORDER, listings);
}

/** Title, brand, image, categories and the like: the anchor first, then the order of anchors. */
export function identityOrder(
  anchor: StoredListing,
  others: readonly StoredListing[],
): readonly StoredListing[] {
  return [anchor, ...byOrder(ANCHOR_ORDER, others)];
}

/** Weight, dimensions: known retailers in the order of trust, then the anchor's shop, then the rest. */
export function physicalOrder(
  anchor: StoredListing,
  others: readonly StoredListing[],
): readonly StoredListing[] {
  return byOrder(PHYSICAL_ORDER, [anchor, ...others]);
}
