// A product at every retailer that is known to list it, side by side (D69): price, fees and a reseller's profit, with
// possible concerns about each row. A listing with a different pack size is compared per piece, never as a whole. Pure.

import type { Day } from '../../base/clock.ts';
import type { Slug } from '../../base/retailer.ts';
import { breakEvenCents, totalFeeCents } from '../fees/charges-at-price.ts';
import { feesOf, type Fees } from '../fees/listing-fees.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import type { Signals } from '../../base/listing/signals.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Cell, CellStatus } from './cell.ts';
import { isOtherPack, packsOf } from './cost-factor.ts';
import type { IdentityState } from './identity.ts';
import { profitOf, type Profit, type SellerCosts } from './profit.ts';
import { ruledOut } from './selling-rules.ts';
import { otherPriceOf, shownPriceCents } from './shown-price.ts';
import { warningsThatHold, withWarning, type Warning } from './warnings.ts';

/** A retailer's listing of the product, as far as it is stored; its facts are the listing's own. */
type ComparedListing = {
  readonly retailer: Slug;
  readonly status: CellStatus;
  readonly identity: IdentityState;
  readonly url: string | null;
  readonly refreshedAtMs: number | null;
  /** In minor units; null when out of stock, in another currency or not stated. */
  readonly priceCents: number | null;
  /** The price in another currency, or in an unknown one. */
  readonly native: Money | null;
  /** The pack count as stated. Null if not stated: the listing then counts as having the record's pack. */
  readonly packCount: number | null;
  readonly inStock: boolean | null;
  /**
   * Fees by the retailer's own rate cards on the day; null for a retailer without a marketplace, and in another currency than
   * that of the cards, dollars.
   */
  readonly fees: Fees | null;
  readonly feesCents: number | null;
  readonly warnings: readonly Warning[];
  /** The listing itself, to compute fees at other prices; null in a row without one. */
  readonly stored: StoredListing | null;
};

/** The stored data about a product, before any seller's costs. */
export type Comparison = {
  readonly gtin: Gtin14 | null;
  readonly title: string | null;
  readonly anchor: Slug;
  /** The currency of every amount (D87). */
  readonly currency: string;
  /** The pack count of the record: pieces in one item that the code identifies; null counts as one. */
  readonly packCount: number | null;
  /** The day on which the rate cards are in force (UTC). */
  readonly day: Day;
  readonly listings: readonly ComparedListing[];
  /** Listings that the terms of their source keep apart (D81). */
  readonly apart: readonly ComparedListing[];
  /** The combined signals of the shops that supply title and pack (D83). */
  readonly signals: Signals | undefined;
};

type ComparedCell = {
  readonly cell: Cell;
  /** Whether its newest price is suspect by its own history. */
  readonly isSuspect: boolean;
};

/** Creates the row for a cell. `packCount` is the pack count of the record. */
export function comparedListing(
  { cell, isSuspect }: ComparedCell,
  { packCount, day, currency }: Pick<Comparison, 'packCount' | 'day' | 'currency'>,
): ComparedListing {
  const { retailer, status, identity, refreshedAtMs, stored } = cell;
  const of = { retailer, status, identity: identity.state, refreshedAtMs, stored };
  if (stored === null) {
    const nothing = { url: null, priceCents: null, packCount: null, inStock: null, fees: null };
    return { ...of, ...nothing, native: null, feesCents: null, warnings: [] };
  }
  const { listing, url } = stored;
  const priceCents = shownPriceCents(listing, listing.price, currency);
  const fees = currency === 'USD' ? feesOf(listing, retailer, day, priceCents) : null;
  const feesCents = totalFeeCents(fees);
  const holds: Readonly<Record<Warning, boolean>> = {
    // Without a price, fees are missing too, but that does not deserve a separate warning.
    no_fees: fees === null || (priceCents !== null && feesCents === null),
    other_pack: isOtherPack(packsOf(listing.packCount, packCount)),
    disputed: cell.disputed !== null,
    unconfirmed: identity.state === 'unconfirmed',
    out_of_stock: listing.inStock === false || listing.unavailable === true,
    stale: status === 'stale',
    suspect_price: isSuspect && priceCents !== null,
    foreign_currency: listing.price !== null && listing.price.currency !== currency,
    hazmat: listing.hazmat === true,
    restricted: ruledOut(retailer, listing) !== null,
  };
  const { packCount: pack, inStock } = listing;
  const warnings = warningsThatHold(holds);
  const native = otherPriceOf(listing, currency);
  return { ...of, url, priceCents, native, packCount: pack, inStock, fees, feesCents, warnings };
}

/** A row with the earnings of a seller with these costs. */
export type ComparedOffer = ComparedListing &
  Omit<Profit, 'costFactor'> & {
    /** Null in a row without a listing. */
    readonly costFactor: number | null;
    /** The price of one piece, in cents with fractions. */
    readonly unitPriceCents: number | null;
    /** The lowest price that covers fees and outlay; null without a cost, or if the fees are unknown. */
    readonly breakEvenCents: number | null;
  };

/** Returns listings of a comparison with the profit that a seller would make there. */
export function comparedOffers(
  { day, packCount }: Pick<Comparison, 'day' | 'packCount'>,
  listings: readonly ComparedListing[],
  costs: SellerCosts,
): readonly ComparedOffer[] {
  return listings.map((row) => {
    const { priceCents, feesCents, fees, stored, retailer } = row;
    const packs = packsOf(row.packCount, packCount);
    const profit = profitOf({ priceCents, feesCents, packs }, stored === null ? NO_COSTS : costs);
    const { outlayCents, costFactor } = profit;
    const isOneCost = stored === null || costFactor === 1;
    return {
      ...row,
      ...profit,
      costFactor: stored === null ? null : costFactor,
      warnings: isOneCost ? row.warnings : withWarning(row.warnings, 'other_pack'),
      unitPriceCents: priceCents === null ? null : priceCents / packs.sold,
      breakEvenCents:
        stored === null || fees === null || outlayCents === null
          ? null
          : breakEvenCents({ listing: stored.listing, retailer, day, fees }, outlayCents),
    };
  });
}

const NO_COSTS: SellerCosts = {
  costCents: null,
  shippingCents: 0,
  prepCents: 0,
  costPer: 'code',
  roiBasisPoints: null,
};
