// The information for sellers in a record (D33): the packages that published limits rule out, and the statements of several
// marketplaces about restrictions. Pure.

import { LARGEST_PACKAGE } from '../fees/largest-package.ts';
import type { Dimensions, Listing } from '../../base/listing/listing.ts';
import type { Slug } from '../../base/retailer.ts';
import type { ListingAddress } from '../../base/listing/stored-listing.ts';
import type { FulfillmentEligibility, SellerContext } from '../../base/listing/seller.ts';

/** Weights in pounds and sides in inches, of a listing or a product. */
export type Measures = Pick<
  Listing,
  'weightLbs' | 'weightAssembledLbs' | 'weightPackageLbs' | 'dimensionsPackage'
>;

type PackageLimits = {
  readonly pounds: number;
  /** Longest, middle and shortest side in inches. */
  readonly sidesIn: readonly [number, number, number];
};

/** The largest package that the marketplace's own fulfilment accepts. */
const LIMITS: Readonly<Record<string, PackageLimits>> = { retailer_w: LARGEST_PACKAGE };

/**
 * Returns a "no" based on published weight and size limits. Null if the limits rule nothing out, or the measures are
 * unknown. Only the retailer can say "yes".
 */
export function ruledOut(retailer: Slug, measures: Measures): FulfillmentEligibility | null {
  const limits = Object.hasOwn(LIMITS, retailer) ? LIMITS[retailer] : undefined;
  if (limits === undefined) return null;
  const pounds = knownWeight(measures);
  if (pounds !== null && pounds > limits.pounds) {
    return { enabled: false, reason: `Over ${limits.pounds} lb: not accepted for fulfilment.` };
  }
  if (!isTooLarge(measures.dimensionsPackage, limits.sidesIn)) return null;
  const sides = limits.sidesIn.join(' x ');
  return { enabled: false, reason: `Package over ${sides} in: not accepted for fulfilment.` };
}

/**
 * Returns the package weight, otherwise the product's own. The package is heavier, so a product over the limit is also over
 * it as a package.
 */
function knownWeight(measures: Measures): number | null {
  const { weightPackageLbs, weightLbs, weightAssembledLbs } = measures;
  return weightPackageLbs ?? weightLbs ?? weightAssembledLbs;
}

/**
 * Returns whether the package is too large. Only its own sides count: a product that is sold flat is larger when assembled.
 * If a side is missing, the known ones are compared with the limits from the longest on, so that one side over its limit is
 * enough.
 */
function isTooLarge(sides: Dimensions | null, limits: PackageLimits['sidesIn']): boolean {
  if (sides === null) return false;
  const known = [sides.heightIn, sides.widthIn, sides.lengthIn]
    .filter((side) => side !== null)
    .toSorted((left, right) => right - left);
  return known.some((side, at) => side > (limits[at] ?? Infinity));
}

type RestrictedSomewhere = {
  readonly any: boolean;
  /** Retailers that state a restriction. */
  readonly retailers: readonly Slug[];
  readonly primaryReason: string | null;
};

/**
 * Combines the statements of all marketplaces that state anything about restrictions; null if none does (D23). The primary
 * reason is the first stated one, the anchor's first.
 */
export function restrictedSomewhere(
  listings: readonly (ListingAddress & SellerContext)[],
): RestrictedSomewhere | null {
  const known = listings.filter(({ restriction }) => restriction !== null);
  if (known.length === 0) return null;
  const restricting = known.filter(({ restriction }) => restriction?.flag === true);
  const reasons = restricting.map(({ restriction }) => restriction?.reason ?? null);
  return {
    any: restricting.length > 0,
    retailers: [...new Set(restricting.map(({ retailer }) => retailer))],
    primaryReason: reasons.find((reason) => reason !== null) ?? null,
  };
}
