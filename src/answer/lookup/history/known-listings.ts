// Finds a product's stored listings: the identifier's own listing, those of its barcode, and those that an answer for the
// barcode names. Only reads.

import { sameBaseUnit, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { Slug } from '../../../base/retailer.ts';
import { shownAt } from '../../collect/shown-at.ts';
import type { Reads } from '../cache/read-session.ts';
import { slugOf } from '../../collect/slug-of.ts';
import {
  goalOfShortLink,
  isShortLinkKey,
  listingKeyOf,
  type ListingKey,
} from '../../collect/listing-key.ts';
import type { KnownListing } from '../../../data/answers/listings.ts';

export type IdentifiedListings = {
  /** The identifier that resolved. */
  readonly identifier: Identifier;
  /** The identifier's own listing; null for a barcode. */
  readonly own: KnownListing | null;
  /** The barcode that was sent, or that the own listing publishes; null if there is none. */
  readonly gtin: Gtin14 | null;
  /** The barcode's listings that do not contradict it; the identifier's own comes first. */
  readonly listings: readonly KnownListing[];
};

/** Returns the stored data of the first identifier that has any; null if none was ever resolved. */
export async function findIdentified(
  store: Reads,
  identifiers: readonly Identifier[],
): Promise<IdentifiedListings | null> {
  for (const sent of identifiers) {
    const { identifier, key } = await namedBy(store, sent);
    if (key === null) {
      const gtin = 'gtin14' in identifier ? identifier.gtin14 : null;
      const listings = gtin === null ? [] : await tiedTo(store, gtin);
      if (listings.length > 0) return { identifier, own: null, gtin, listings };
      continue;
    }
    const slug = await slugOf(store, key);
    const own = await shownNow(store, await store.listings.findKnownListing(slug, key.key));
    if (own === null) continue;
    // D34: the product's own barcode ties the other listings. Without a barcode this is the only listing.
    const { gtin } = own;
    const all = gtin === null ? [] : await tiedTo(store, gtin);
    const others = all.filter((each) => each.id !== own.id);
    return { identifier, own, gtin, listings: [own, ...others] };
  }
  return null;
}

/**
 * Returns the listing that a listing's address shows now (D90). That may have been taken down: the original listing is then
 * kept.
 */
async function shownNow(
  { listings }: Reads,
  own: KnownListing | null,
): Promise<KnownListing | null> {
  if (own === null || own.movedToId === null) return own;
  const stored = await listings.findListingById(own.id);
  const shown = stored === null ? null : await shownAt(listings, stored);
  return shown === null ? own : ((await listings.findKnownListingById(shown.id)) ?? own);
}

/** Returns the listing that an identifier names. A short link that was followed names the product to which it leads. */
async function namedBy(
  store: Reads,
  identifier: Identifier,
): Promise<{ readonly identifier: Identifier; readonly key: ListingKey | null }> {
  const key = listingKeyOf(identifier);
  if (key === null || !isShortLinkKey(key)) return { identifier, key };
  const stored = await store.listings.findListing(key.retailer, key.key);
  const shown = stored === null ? null : await shownAt(store.listings, stored);
  const goal = shown === null ? null : goalOfShortLink(key, shown.listing);
  return goal === null ? { identifier, key } : { identifier: goal.identifier, key: goal };
}

/**
 * Returns the listings tied to the barcode. For each retailer, the one that its row of the barcode would show comes first
 * (D56): the listing that it answered with, if that publishes the barcode. The others are ordered by key.
 */
async function tiedTo(store: Reads, gtin: Gtin14): Promise<readonly KnownListing[]> {
  const found = await store.barcodeAnswers.findAnswers(gtin);
  const answers = new Set(found.flatMap((each) => each.listingId ?? []));
  const publishing = await store.listings.findKnownListingsByGtin(gtin);
  const ids = new Set(publishing.map(({ id }) => id));
  const guesses = [...answers].filter((id) => !ids.has(id));
  const guessed = await Promise.all(guesses.map((id) => store.listings.findKnownListingById(id)));
  const ordered = [
    ...publishing.filter(({ id }) => answers.has(id)),
    ...publishing.filter(({ id }) => !answers.has(id)),
    ...guessed.filter((each) => each !== null),
  ];
  return ordered.filter(
    ({ gtin: published }) => published === null || sameBaseUnit(gtin, published),
  );
}

/**
 * Returns the listings that make up a retailer's history: one listing that was read, as in the record (D27: never mixed between
 * listings), and whatever was imported under the same barcode. `all` means every retailer.
 */
export function listingsOf(known: IdentifiedListings, retailer: Slug): readonly KnownListing[] {
  const chosen = new Map<Slug, KnownListing>();
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
