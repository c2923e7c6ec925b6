// The facts of a barcode database about a product, with their source: never a price, stock or rating (D86).

import type { Spec } from './listing/listing.ts';

/** The databases. An answer must state a database's name and licence with its facts. */
export const BARCODE_DATABASES = {
  open_food_facts: { name: 'Open Food Facts', host: 'world.openfoodfacts.org' },
  open_beauty_facts: { name: 'Open Beauty Facts', host: 'world.openbeautyfacts.org' },
  open_pet_food_facts: { name: 'Open Pet Food Facts', host: 'world.openpetfoodfacts.org' },
  open_products_facts: { name: 'Open Products Facts', host: 'world.openproductsfacts.org' },
  open_library: { name: 'Open Library', host: 'openlibrary.org' },
} as const;

export type BarcodeDatabase = keyof typeof BARCODE_DATABASES;

/** Facts about one barcode. A fact is null, or a list empty, if the database does not state it. */
export type IdentityFacts = {
  readonly source: BarcodeDatabase;
  /** The page of the product in the database. */
  readonly url: string;
  readonly title: string;
  readonly brand: string | null;
  readonly imageUrl: string | null;
  readonly categories: readonly string[];
  /** The quantity. For a book: authors, publisher, date, pages. */
  readonly specs: readonly Spec[];
  readonly packCount: number | null;
};

/** Returns the licence under which a database gives its facts, in words. */
export function licenceOf(source: BarcodeDatabase): string {
  const { name } = BARCODE_DATABASES[source];
  return source === 'open_library'
    ? 'Open Library, an initiative of the Internet Archive'
    : `© ${name} contributors, Open Database License (ODbL) 1.0; pictures CC BY-SA 3.0`;
}
