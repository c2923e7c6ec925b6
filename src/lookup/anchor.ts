// The anchor of a barcode: the listing that supplies the record's offer (D27). What is held and what was just fetched
// are chosen from by the same rule.

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Matching } from '../matching/matcher.ts';
import { tie, type Identity } from '../product/identity.ts';
import { anchorOrder } from '../product/source-order.ts';
import type { HeldForBarcode } from './held-for-barcode.ts';

/** A listing that answers, with its tie to the barcode; null identity: its own page or id was sent. */
export type Anchor = {
  readonly stored: StoredListing;
  readonly identity: Identity | null;
};

/** Of the listings that publish the barcode, and those that a cell ties to it without contradiction. */
export function anchorOf(
  matching: Matching,
  { gtin, cells, listings }: HeldForBarcode,
  retailer: string | null,
): Anchor | null {
  if (gtin === null) return null;
  const anchors = new Map<string, Anchor>();
  for (const stored of listings) {
    // What the listing states now decides: it may have been fetched again since it was tied.
    const identity = tie(gtin, stored.retailer, stored.listing.gtin, stored.fetchedAtMs);
    if (identity.state === 'mismatch') continue;
    const isTied = cells.some((each) => each.listingId === stored.id);
    anchors.set(stored.id, { stored, identity: isTied ? identity : null });
  }
  const all = [...anchors.values()];
  if (retailer !== null) return all.find((each) => each.stored.retailer === retailer) ?? null;
  const best = anchorAmong(
    matching,
    gtin,
    all.map((each) => each.stored),
  );
  return best === null ? null : (anchors.get(best.id) ?? null);
}

/**
 * The first in order that does not contradict the others that publish the barcode. A listing that publishes a wrong
 * barcode anchors nothing once others publish it too (D27, D40).
 */
export function anchorAmong(
  matching: Matching,
  gtin: Gtin14,
  listings: readonly StoredListing[],
): StoredListing | null {
  const ordered = anchorOrder(listings);
  const carriers = ordered.filter((each) => each.listing.gtin === gtin);
  const { agreeing } = matching.agreementOf(carriers);
  return ordered.find((each) => !carriers.includes(each) || agreeing.includes(each)) ?? null;
}
