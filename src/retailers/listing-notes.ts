// Which fields a product page normally states and a listing lacks: the alarm of a reader that grew blind.

import type { Listing } from '../domain/listing.ts';

const EXPECTED: readonly (readonly [string, (listing: Listing) => unknown])[] = [
  ['title', (listing) => listing.title],
  ['price', (listing) => listing.price],
  ['currency', (listing) => listing.price?.currency ?? null],
  ['availability', (listing) => listing.inStock],
  ['image', (listing) => listing.imageUrl],
  ['brand', (listing) => listing.brand],
  ['gtin', (listing) => listing.gtin],
  ['sku', (listing) => listing.sku ?? listing.itemId],
  ['description', (listing) => listing.description],
  ['categories', (listing) => listing.categories[0] ?? null],
];

/** Names of the expected fields that are null, in the order of their weight. */
export function missingFields(listing: Listing): readonly string[] {
  return EXPECTED.filter(([, read]) => read(listing) === null).map(([name]) => name);
}
