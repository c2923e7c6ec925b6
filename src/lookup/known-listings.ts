// Which listings the store knows of a product, and how each is tied to it: the identifier's own listing,
// those of its barcode, those that a cell ties to the barcode. Reads only.

import type { Gtin14 } from '../identifiers/gtin.ts';
import { tie } from '../product/identity.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Slug } from '../core/retailer.ts';
import type { Store } from '../store/store.ts';
import { slugOf } from '../collect/store-listing.ts';
import { listingKeyOf } from '../collect/listing-key.ts';
import type { KnownListing } from '../store/listings.ts';

export type TiedListing = KnownListing & {
  /** The identifier names it, or its own record carries the barcode (D35). */
  readonly isConfirmed: boolean;
};

export type IdentifiedListings = {
  /** The one that resolved. */
  readonly identifier: Identifier;
  /** The identifier's own listing; null for a barcode. */
  readonly own: TiedListing | null;
  /** Of the barcode, none that contradicts it; the identifier's own first. */
  readonly listings: readonly TiedListing[];
};

/** Of the first identifier of which anything is held; null: none was ever resolved here. */
export async function findIdentified(
  store: Store,
  identifiers: readonly Identifier[],
): Promise<IdentifiedListings | null> {
  for (const identifier of identifiers) {
    const key = listingKeyOf(identifier);
    if (key === null) {
      const gtin = 'gtin14' in identifier ? identifier.gtin14 : null;
      const listings = gtin === null ? [] : await tiedTo(store, gtin);
      if (listings.length > 0) return { identifier, own: null, listings };
      continue;
    }
    const slug = await slugOf(store, key);
    const listing = await store.listings.findKnownListing(slug, key.key);
    if (listing === null) continue;
    const own = { ...listing, isConfirmed: true };
    // D34: the product's own barcode ties the others; without one there is only this listing.
    const all = listing.gtin === null ? [] : await tiedTo(store, listing.gtin);
    return { identifier, own, listings: [own, ...all.filter((each) => each.id !== own.id)] };
  }
  return null;
}

async function tiedTo(store: Store, gtin: Gtin14): Promise<readonly TiedListing[]> {
  const tied = new Map<string, TiedListing>();
  for (const listing of await store.listings.findKnownListingsByGtin(gtin)) {
    const { state } = tie(gtin, listing.retailer, listing.gtin, 0);
    tied.set(listing.id, { ...listing, isConfirmed: state === 'confirmed' });
  }
  for (const { listingId } of await store.cells.findCells(gtin)) {
    if (listingId === null || tied.has(listingId)) continue;
    const listing = await store.listings.findKnownListingById(listingId);
    if (listing === null) continue;
    const { state } = tie(gtin, listing.retailer, listing.gtin, 0);
    if (state !== 'mismatch') {
      tied.set(listing.id, { ...listing, isConfirmed: state === 'confirmed' });
    }
  }
  return [...tied.values()];
}

/**
 * What a retailer's history is made of: one listing that was read, as in the record (D27: never mixed
 * between listings), and whatever was imported under the same barcode. `all`: of every retailer.
 */
export function listingsOf(known: IdentifiedListings, retailer: Slug): readonly TiedListing[] {
  const chosen = new Map<Slug, TiedListing>();
  for (const listing of known.listings) {
    if (listing.isRead && !chosen.has(listing.retailer)) chosen.set(listing.retailer, listing);
  }
  const { own } = known;
  if (own !== null) chosen.set(own.retailer, own);
  return known.listings.filter(
    (each) =>
      (retailer === 'all' || each.retailer === retailer) &&
      (!each.isRead || chosen.get(each.retailer)?.id === each.id),
  );
}
