// Wrong listings for the simulated market. Finds the stored listings that are wrong by the market's own truth, and plants
// others under the barcodes. The facts of a planted listing occur nowhere else, so that they can be traced.

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { isKnownSlug } from '../../../src/base/retailer.ts';
import type { CatalogProduct } from '../../../sandbox/market/catalog.ts';
import type { Market } from '../../../sandbox/market/market.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';

/** Another item, the next colour or model of the same line, the same item in a pack of twelve. */
export const KINDS = ['other_product', 'sibling', 'other_pack'] as const;
export type Kind = (typeof KINDS)[number];

const MARK = 'PLANTED';
const MARKED_NUMBER = 77.777;
const MARKED_CENTS = 7_777_700;

/** Returns whether a record's text contains a value found only in marked listings. */
export function hasMark(record: string): boolean {
  return [MARK, String(MARKED_NUMBER), String(MARKED_CENTS / 100)].some((each) =>
    record.includes(each),
  );
}

/** Returns the listing with every value changed that a record could take from it; title, brand and model stay. */
export function marked(listing: Listing, gtin: Gtin14): Listing {
  const dimensions = { heightIn: MARKED_NUMBER, widthIn: MARKED_NUMBER, lengthIn: MARKED_NUMBER };
  return {
    ...listing,
    gtin,
    mpn: MARK,
    description: MARK,
    imageUrl: `https://${MARK}.example/1.jpg`,
    categories: [MARK],
    specs: [{ name: MARK, value: MARK }],
    price: { cents: MARKED_CENTS, currency: 'USD' },
    inStock: true,
    sellerName: MARK,
    weightLbs: MARKED_NUMBER,
    weightAssembledLbs: MARKED_NUMBER,
    weightPackageLbs: MARKED_NUMBER,
    dimensions,
    dimensionsAssembled: dimensions,
    dimensionsPackage: dimensions,
  };
}

/** Returns the product that the market sells at the listing; null for a shop that is not one of its retailers. */
export function soldAt(
  market: Market,
  { retailer, key, listing }: StoredListing,
): CatalogProduct | null {
  if (!isKnownSlug(retailer)) return null;
  // A listing with colour options shows the first of them, and its number identifies none.
  return (
    market.find(retailer, key)?.product ??
    market.catalog.find(({ title }) => title === listing.title) ??
    null
  );
}

/** Returns the listing that replaces `victim`; null if the market has none of the kind. */
export function planted(
  market: Market,
  kind: Kind,
  victim: StoredListing,
  product: CatalogProduct,
): Listing | null {
  const gtin = victim.listing.gtin;
  if (gtin === null) return null;
  if (kind === 'other_pack') {
    // For a product that is already sold in packs, a pack of twelve may be the very same.
    if (product.packCount !== null) return null;
    const title = `${victim.listing.title ?? ''}, Pack of 12`;
    return { ...marked(victim.listing, gtin), title, packCount: 12 };
  }
  const other = market.catalog.find((one) => isOther(kind, product, one));
  if (other === undefined) return null;
  const { title, brand, model, packCount } = other;
  return { ...marked(victim.listing, gtin), title, brand, model, packCount };
}

function isOther(kind: Kind, product: CatalogProduct, other: CatalogProduct): boolean {
  if (kind === 'sibling') {
    return other.index !== product.index && other.family === product.family;
  }
  // At a fixed distance in the catalog, so that each product is paired with a different one.
  return other.index === product.index + OTHER_AFTER && other.family !== product.family;
}

const OTHER_AFTER = 5;
