// Determines how a listing is tied to the barcode of a lookup: confirmed, unconfirmed or mismatch (D34, D35). Price, stock and
// age are irrelevant.

import { sameBaseUnit, type Gtin14 } from '../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import { RETAILERS, isKnownSlug, type IdentityMethod, type Slug } from '../../base/retailer.ts';

export type IdentityState = 'confirmed' | 'unconfirmed' | 'mismatch';

export type Identity = {
  readonly state: IdentityState;
  /** Always null with `unconfirmed`, because no comparison decided it. */
  readonly method: IdentityMethod | null;
  /** The barcode that the retailer's own record publishes. */
  readonly pageBarcode: Gtin14 | null;
  readonly checkedAtMs: number | null;
};

/** The identity of a cell without a listing (D34). */
export const NOT_CHECKED: Identity = Object.freeze({
  state: 'unconfirmed',
  method: null,
  pageBarcode: null,
  checkedAtMs: null,
});

/**
 * Returns the method by which a retailer's record is compared; null if it cannot be. Other shops are compared by the barcode
 * that the page publishes.
 */
export function identityMethodOf(retailer: Slug): IdentityMethod | null {
  return isKnownSlug(retailer) ? RETAILERS[retailer].identityMethod : 'page_barcode';
}

/** The parts of a listing that are compared with a barcode. */
type ReadListing = Pick<StoredListing, 'retailer' | 'fetchedAtMs'> & {
  readonly listing: Pick<StoredListing['listing'], 'gtin'>;
};

/**
 * Ties a listing to the barcode of a lookup. The same item with another packaging indicator (first digit of a GTIN-14) neither
 * confirms nor contradicts: many feeds misuse the indicator (D35). Another barcode contradicts at every retailer (D58). Anyone
 * can set up a shop, so what an unknown one prints proves nothing (D57). `isTrusted` is false for a shop that is neither one of
 * the seven nor listed by the operator.
 */
export function tie(barcode: Gtin14, read: ReadListing, isTrusted: boolean): Identity {
  const { retailer, fetchedAtMs: checkedAtMs } = read;
  const { gtin: pageBarcode } = read.listing;
  const unconfirmed: Identity = { state: 'unconfirmed', method: null, pageBarcode, checkedAtMs };
  if (pageBarcode === null) return unconfirmed;
  const method = identityMethodOf(retailer);
  if (pageBarcode === barcode) {
    if (method === null || !isTrusted) return unconfirmed;
    return { state: 'confirmed', method, pageBarcode, checkedAtMs };
  }
  if (sameBaseUnit(barcode, pageBarcode)) return unconfirmed;
  return { state: 'mismatch', method: method ?? 'page_barcode', pageBarcode, checkedAtMs };
}
