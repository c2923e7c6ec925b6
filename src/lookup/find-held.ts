// What is held of a key: the listing that would anchor the answer, and what is stored under its barcode. Reads only.

import type { Clock } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';
import { STALE_MS } from '../collect/freshness.ts';
import { slugOf } from '../collect/store-listing.ts';
import type { Matching } from '../matching/matcher.ts';
import type { Store } from '../store/store.ts';
import { anchorOf, type Anchor } from './anchor.ts';
import { NOTHING_HELD, readHeldForBarcode, type HeldForBarcode } from './held-for-barcode.ts';
import type { LookupKey, ParsedLookup } from './parse-lookup.ts';

/** A key whose listing or barcode is known. */
export type KnownKey = Exclude<LookupKey, { by: 'barcode_of_listing' }>;

export type HeldParts = {
  readonly store: Store;
  readonly matching: Matching;
  readonly clock: Clock;
};

export type HeldAnchor = {
  readonly anchor: Anchor | null;
  /** Of the barcode that is looked up; nothing for a listing, whose barcode its anchor states. */
  readonly forBarcode: HeldForBarcode;
};

/** The barcode of the key's listing, where that is held and not too old; null: the listing has to be read first. */
export async function heldKey(
  { store, clock }: HeldParts,
  key: LookupKey,
): Promise<KnownKey | null> {
  if (key.by !== 'barcode_of_listing') return key;
  const { identifier, listing } = key;
  const stored = await store.listings.findListing(listing.retailer, listing.key);
  if (stored === null || clock.now() - stored.fetchedAtMs > STALE_MS) return null;
  const { gtin } = stored.listing;
  return gtin === null ? null : { identifier, by: 'barcode', gtin };
}

/** Throws for an address whose shop is not the one that `retailer=` names (D46). */
export async function findHeld(
  { store, matching }: HeldParts,
  { retailer }: ParsedLookup,
  key: KnownKey,
): Promise<HeldAnchor> {
  if (key.by === 'barcode') {
    const forBarcode = await readHeldForBarcode(store, key.gtin);
    return { anchor: anchorOf(matching, forBarcode, retailer), forBarcode };
  }
  const slug = await slugOf(store, key.listing);
  if (retailer !== null && retailer !== slug && key.identifier.kind === 'url') {
    throw otherShop(slug);
  }
  const stored = await store.listings.findListing(slug, key.listing.key);
  return { anchor: stored === null ? null : { stored, identity: null }, forBarcode: NOTHING_HELD };
}

function otherShop(slug: string): FaultError {
  return new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: [slug],
    detail: `This address belongs to "${slug}". Send retailer=${slug}, or leave out retailer=.`,
  });
}
