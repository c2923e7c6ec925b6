// Decides which listing supplies a fact if several could (D27): ordered tables of retailers that `compose.ts` follows.

import { KNOWN_SLUGS, isKnownSlug, type KnownSlug, type Slug } from '../../base/retailer.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';

/** D27: the anchor order if neither `retailer=`, an ASIN nor a URL specifies one. Other shops come last. */
export const ANCHOR_ORDER = [
  'retailer_w',
  'retailer_b',
  'retailer_h',
  'retailer_l',
  'retailer_e',
  'retailer_a',
  'retailer_t',
] as const satisfies readonly KnownSlug[];

/** Weight and size: retailer_a first, because it usually states them most reliably. */
const PHYSICAL_ORDER = [
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

type OfRetailer = { readonly retailer: Slug };

function byOrder<T extends OfRetailer>(order: readonly KnownSlug[], listings: readonly T[]): T[] {
  return listings
    .map((listing, at) => ({ listing, rank: rank(order, listing.retailer), at }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .map((entry) => entry.listing);
}

/** Sorts listings in the order in which they become the anchor if the call does not specify one (D27). */
export function anchorOrder<T extends OfRetailer>(listings: readonly T[]): readonly T[] {
  return byOrder(ANCHOR_ORDER, listings);
}

/** For title, brand, image, categories and other identity facts: the anchor first, then the order of anchors. */
export function identityOrder(
  anchor: StoredListing,
  others: readonly StoredListing[],
): readonly StoredListing[] {
  return [anchor, ...byOrder(ANCHOR_ORDER, others)];
}

/** For weight and dimensions: the known retailers in order, then other shops; the anchor is first among equals. */
export function physicalOrder(
  anchor: StoredListing,
  others: readonly StoredListing[],
): readonly StoredListing[] {
  return byOrder(PHYSICAL_ORDER, [anchor, ...others]);
}
