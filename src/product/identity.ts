// How a listing is tied to the barcode that was searched: confirmed, unconfirmed, mismatch (specification:
// identity; D34, D35). Says nothing about price, stock or age.

import { sameBaseUnit, type Gtin14 } from '../identifiers/gtin.ts';
import { RETAILERS, isKnownSlug, type IdentityMethod, type Slug } from '../core/retailer.ts';

export type IdentityState = 'confirmed' | 'unconfirmed' | 'mismatch';

export type Identity = {
  readonly state: IdentityState;
  /** Null always with `unconfirmed`: nothing was compared that could decide. */
  readonly method: IdentityMethod | null;
  /** The barcode that the retailer's own record publishes. */
  readonly pageBarcode: Gtin14 | null;
  readonly checkedAtMs: number | null;
};

/** A row that was never resolved (D34). */
export const NOT_CHECKED: Identity = Object.freeze({
  state: 'unconfirmed',
  method: null,
  pageBarcode: null,
  checkedAtMs: null,
});

/**
 * The method by which a retailer's record can be compared; null where it never can. A shop that is none
 * of the seven is compared by what its page publishes.
 */
export function identityMethodOf(retailer: Slug): IdentityMethod | null {
  return isKnownSlug(retailer) ? RETAILERS[retailer].identityMethod : 'page_barcode';
}

/**
 * Ties a listing to the barcode asked for. `pageBarcode` is what the retailer's own record published,
 * whichever source answered. The same item in another packaging (GTIN-14 indicator) is neither a
 * confirmation nor a contradiction: many feeds misuse the indicator (D35).
 */
export function tie(
  asked: Gtin14,
  retailer: Slug,
  pageBarcode: Gtin14 | null,
  checkedAtMs: number,
): Identity {
  const method = identityMethodOf(retailer);
  const unconfirmed: Identity = { state: 'unconfirmed', method: null, pageBarcode, checkedAtMs };
  if (method === null || pageBarcode === null) return unconfirmed;
  if (pageBarcode === asked) return { state: 'confirmed', method, pageBarcode, checkedAtMs };
  if (sameBaseUnit(asked, pageBarcode)) return unconfirmed;
  return { state: 'mismatch', method, pageBarcode, checkedAtMs };
}
