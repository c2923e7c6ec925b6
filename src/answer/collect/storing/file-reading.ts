// Stores the reading of an address under the listing of the product that the page names. One address can show several
// products in succession: each has its own listing (D90).

import { deleteMiss } from '../../../data/answers/misses.ts';
import { keyInPlace, type NotedListing } from '../../../data/answers/listings.ts';
import { isSureMove, type StoredListing } from '../../../base/listing/stored-listing.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { keyName, type ListingKey } from '../listing-key.ts';
import type { ChosenVariant } from '../../../base/listing/page.ts';
import { chosenOf } from '../../../read/page-data/variants/chosen-variant.ts';
import { namesAnother, storeMoved } from './store-moved.ts';
import { storeUnderSlug, type ListingToStore, type StoredWithListing } from './store-listing.ts';
import type { StoreReadParts } from './store-read.ts';

/** An address, and the slug of its shop. */
export type Address = { readonly key: ListingKey; readonly slug: string };

/** A reading whose listing is not known yet. */
export type Reading = Omit<ListingToStore, 'retailer' | 'key' | 'url'>;

type FileParts = StoreReadParts & { readonly matching: MatchingLater };

/**
 * Returns the address's listing whose product the page names, the most recently shown one first; null if the page names
 * another product.
 */
export async function namedOf(
  { matching }: Pick<FileParts, 'matching'>,
  shownHere: readonly NotedListing[],
  { listing }: Pick<Reading, 'listing'>,
): Promise<NotedListing | null> {
  const isPast = ({ moved }: NotedListing): number => (moved === undefined ? 0 : 1);
  for (const storedListing of shownHere.toReversed().toSorted((a, b) => isPast(a) - isPast(b))) {
    if (!(await namesAnother(matching, storedListing, listing))) return storedListing;
  }
  return null;
}

/**
 * Returns the variant whose price counted when an address was last read; null if nothing identifies one. A page that listed only
 * one variant was of the one whose numbers it stated.
 */
export function chosenIn(shownHere: readonly NotedListing[]): ChosenVariant | null {
  const last = shownHere.findLast(({ moved }) => moved === undefined);
  if (last === undefined) return null;
  const { variantId: id, sku, gtin } = last.listing;
  return last.notes.chosen ?? chosenOf({ id, sku, gtin });
}

/**
 * Stores the reading at an address: under the listing whose product the page names, or else under a new one. The other
 * listings that the address has shown have moved. `shownHere` are all of them.
 */
export async function fileAt(
  parts: FileParts,
  { key, slug }: Address,
  {
    reading,
    shownHere,
  }: { readonly reading: Reading; readonly shownHere: readonly NotedListing[] },
  alongside: StoredWithListing,
): Promise<StoredListing> {
  const named = await namedOf(parts, shownHere, reading);
  const [first, ...others] = shownHere;
  const count = first === undefined ? 1 : (first.shownCount ?? 1) + 1;
  const next = count === 1 ? key.key : keyInPlace(key.key, count);
  const own = { key: { ...key, key: named?.key ?? next }, slug };
  // A miss belongs to the address, whichever listing it shows.
  const counts = [...alongside.counts, ...deleteMiss(keyName(key))];
  const stored = await storeUnderSlug(parts, own, reading, { ...alongside, counts });
  const left =
    first === undefined || named !== null
      ? shownHere
      : [{ ...first, shownCount: count }, ...others];
  await leaveBehind(parts, left, { shown: stored, readAtMs: reading.fetchedAtMs });
  return stored;
}

/** Records, for the listings that an address has shown, that it now shows another one. */
export async function leaveBehind(
  { store }: Pick<FileParts, 'store'>,
  shownHere: readonly NotedListing[],
  now: { readonly shown: StoredListing; readonly readAtMs: number },
): Promise<void> {
  for (const [at, storedListing] of shownHere.entries()) {
    // For the first one, the time of the address's last reading is recorded too.
    const isKnown =
      at > 0 && storedListing.moved?.toId === now.shown.id && isSureMove(storedListing.moved);
    if (storedListing.id !== now.shown.id && !isKnown)
      await storeMoved(store, { storedListing, ...now });
  }
}
