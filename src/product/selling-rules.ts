// What a record says to sellers: what published limits rule out by themselves, and what the answers of several
// marketplaces come to (D33). Pure.

import { MAX_PACKAGE } from '../fees/pound-fee.ts';
import type { Dimensions, Listing } from '../listing/listing.ts';
import type { Slug } from '../core/retailer.ts';
import type { ListingAddress } from '../listing/stored-listing.ts';
import type { FulfillmentEligibility, SellerContext } from '../listing/seller.ts';

/** Weights in pounds, sides in inches, as a listing or a product has them. */
export type Measures = Pick<
  Listing,
  'weightLbs' | 'weightAssembledLbs' | 'weightPackageLbs' | 'dimensionsPackage'
>;

type PackageLimits = {
  readonly pounds: number;
  /** Inches: longest, middle and shortest side. */
  readonly sidesIn: readonly [number, number, number];
};

/** The largest package that a marketplace's own fulfilment takes. */
const LIMITS: Readonly<Record<string, PackageLimits>> = { retailer_w: MAX_PACKAGE };

/**
 * A "no" that published limits of weight and size give by themselves; null: they rule nothing out, or what they
 * need is not known. They never give a "yes": that is the retailer's word.
 */
export function ruledOut(retailer: Slug, measures: Measures): FulfillmentEligibility | null {
  const limits = Object.hasOwn(LIMITS, retailer) ? LIMITS[retailer] : undefined;
  if (limits === undefined) return null;
  const pounds = knownWeight(measures);
  if (pounds !== null && pounds > limits.pounds) {
    return { enabled: false, reason: `Over ${limits.pounds} lb: not taken for fulfilment.` };
  }
  if (!isTooLarge(measures.dimensionsPackage, limits.sidesIn)) return null;
  const sides = limits.sidesIn.join(' x ');
  return { enabled: false, reason: `Package over ${sides} in: not taken for fulfilment.` };
}

/** Without the package's weight the thing's own will do: it is the lesser, so over the limit stays over it. */
function knownWeight(measures: Measures): number | null {
  const { weightPackageLbs, weightLbs, weightAssembledLbs } = measures;
  return weightPackageLbs ?? weightLbs ?? weightAssembledLbs;
}

/**
 * Only the package's sides: what is sold flat grows when it is put together. Of two known sides the longer is at
 * most the longest, the shorter at most the middle one, so one side too long is enough.
 */
function isTooLarge(sides: Dimensions | null, limits: PackageLimits['sidesIn']): boolean {
  if (sides === null) return false;
  const known = [sides.heightIn, sides.widthIn, sides.lengthIn]
    .filter((side) => side !== null)
    .toSorted((left, right) => right - left);
  return known.some((side, at) => side > (limits[at] ?? Infinity));
}

export type RestrictedSomewhere = {
  readonly any: boolean;
  /** Where it is known to be restricted. */
  readonly retailers: readonly Slug[];
  readonly primaryReason: string | null;
};

/**
 * Over the marketplaces that told; null: none did (D23). The primary reason is the first that one of them states,
 * the anchor first.
 */
export function restrictedSomewhere(
  listings: readonly (ListingAddress & SellerContext)[],
): RestrictedSomewhere | null {
  const told = listings.filter(({ restriction }) => restriction !== null);
  if (told.length === 0) return null;
  const restricting = told.filter(({ restriction }) => restriction?.flag === true);
  const reasons = restricting.map(({ restriction }) => restriction?.reason ?? null);
  return {
    any: restricting.length > 0,
    retailers: [...new Set(restricting.map(({ retailer }) => retailer))],
    primaryReason: reasons.find((reason) => reason !== null) ?? null,
  };
}
